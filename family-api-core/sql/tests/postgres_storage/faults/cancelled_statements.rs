//! The server repeatedly cancels statements or terminates connections while calls run.

use family_api_core::change::NoteChange;
use family_api_core::resource::Note;
use family_api_core::storage::{Health, StorageError, Written};
use sqlx::{Executor, PgConnection};

use crate::family::{Fixture, member, update, write};
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, terminate_connections};
use crate::fixture::within_timeout;

/// The minimum number of calls that must fail.
const MIN_FAILED_CALLS: usize = 10;

/// The maximum number of rounds.
const MAX_ROUNDS: i64 = 1_000;

/// Cancels all running statements. Repeats this five times, because a statement runs only for a short time.
async fn cancel_statements(host: &mut PgConnection) {
    let sql = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for _ in 0..5 {
        host.execute(sql).await.unwrap();
    }
}

/// Queries and writes in rounds while faults are injected. Every result must be correct. Each round writes another
/// title. At the end, the stored title must be the last acknowledged title or a later one.
async fn query_and_write(fixture: &Fixture, mut inject_fault: impl AsyncFnMut()) {
    let mut expected = expected_results(fixture).await;
    expected.retain(|(query, _)| !query.depends_on_notes());
    let (mut answered, mut failed_calls, mut acknowledged) = (0, 0, 0);
    for round in 1..=MAX_ROUNDS {
        let (counts, set, ()) =
            tokio::join!(run_queries(fixture, &expected), set_title(fixture, round), inject_fault());
        answered += counts.0;
        failed_calls += counts.1;
        match set {
            Ok(()) => acknowledged = round,
            failed => assert_unavailable(&failed),
        }
        if failed_calls >= MIN_FAILED_CALLS && answered > 0 && acknowledged > 0 {
            let stored = fixture.count("SELECT title::bigint FROM notes WHERE id = 'note-one'").await;
            assert!((acknowledged..=round).contains(&stored), "{acknowledged} <= {stored} <= {round}");
            return;
        }
    }
    panic!("{answered} queries and {acknowledged} writes succeeded, and {failed_calls} queries failed");
}

/// Returns the number of successful and of failed queries.
async fn run_queries(fixture: &Fixture, expected: &[(Query, String)]) -> (usize, usize) {
    let mut counts = (0, 0);
    for (query, expected) in expected {
        match query.run(&fixture.storage).await {
            Ok(result) => {
                assert_eq!(result, *expected, "{query:?}");
                counts.0 += 1;
            }
            failed => {
                assert_unavailable(&failed);
                counts.1 += 1;
            }
        }
    }
    counts
}

async fn set_title(fixture: &Fixture, title: i64) -> Result<(), StorageError> {
    let change = NoteChange::new().title(title.to_string()).build().unwrap();
    let updated = within_timeout(write::<Note>(&fixture.storage, member("one"), update("note-one", change))).await?;
    assert!(matches!(&updated, Written::Updated { after: note, .. } if note.title == title.to_string()), "{updated:?}");
    Ok(())
}

tests! {
    async fn results_are_correct_while_statements_are_cancelled() {
        let fixture = Fixture::with_all_records().await;
        let mut host = fixture.connect_host().await;
        query_and_write(&fixture, async || cancel_statements(&mut host).await).await;
        fixture.storage.check().await.unwrap();
    }

    async fn results_are_correct_while_connections_are_terminated() {
        let fixture = Fixture::with_connections(2).await;
        let mut host = fixture.connect_host().await;
        query_and_write(&fixture, async || terminate_connections(&mut host).await).await;
        // The pool can still contain terminated connections.
        for _ in 0..2 {
            let _ = fixture.storage.check().await;
        }
        fixture.storage.check().await.unwrap();
    }
}
