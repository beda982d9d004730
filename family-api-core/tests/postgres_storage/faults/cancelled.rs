//! Statements that are cancelled and connections that are terminated repeatedly.

use family_api_core::Precondition;
use family_api_core::change::{Json, NoteChange};
use family_api_core::storage::{Health, StorageError, Update, WriteStorage};
use sqlx::{Executor, PgConnection};

use crate::family::{AT, Fixture, member};
use crate::faults::questions::{Question, truth};
use crate::faults::{assert_unavailable, end_connections};
use crate::fixture::within_limit;

/// The minimum number of calls that must fail.
const DISTURBED: usize = 10;

/// The maximum number of rounds.
const ROUNDS: i64 = 1_000;

/// Cancels all running statements, five times: a statement takes little time.
async fn cancel_statements(host: &mut PgConnection) {
    let sql = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for _ in 0..5 {
        host.execute(sql).await.unwrap();
    }
}

/// Queries and writes in rounds with faults. Every result must be correct. The stored title must be the last
/// acknowledged
/// one or a later one.
async fn query_and_write(fixture: &Fixture, mut disturb: impl AsyncFnMut()) {
    let mut truth = truth(fixture).await;
    truth.retain(|(question, _)| !question.shows_notes());
    let (mut answered, mut disturbed, mut acknowledged) = (0, 0, 0);
    for round in 1..=ROUNDS {
        let (counts, set, ()) = tokio::join!(ask(fixture, &truth), set_title(fixture, round), disturb());
        answered += counts.0;
        disturbed += counts.1;
        match set {
            Ok(()) => acknowledged = round,
            fault => assert_unavailable(&fault),
        }
        if disturbed >= DISTURBED && answered > 0 && acknowledged > 0 {
            let stored = fixture.count("SELECT title::bigint FROM notes WHERE id = 'note-one'").await;
            assert!((acknowledged..=round).contains(&stored), "{acknowledged} <= {stored} <= {round}");
            return;
        }
    }
    panic!("{answered} answers and {acknowledged} titles were given, and {disturbed} calls were disturbed");
}

/// Returns the number of successful and of failed queries.
async fn ask(fixture: &Fixture, truth: &[(Question, String)]) -> (usize, usize) {
    let mut counts = (0, 0);
    for (question, answer) in truth {
        match question.ask(&fixture.storage).await {
            Ok(said) => {
                assert_eq!(said, *answer, "{question:?}");
                counts.0 += 1;
            }
            fault => {
                assert_unavailable(&fault);
                counts.1 += 1;
            }
        }
    }
    counts
}

async fn set_title(fixture: &Fixture, title: i64) -> Result<(), StorageError> {
    let body = format!(r#"{{"title": "{title}"}}"#);
    let change = NoteChange::from_body(Json::parse(body.as_bytes()).unwrap()).unwrap();
    let (note, now) = ("note-one".parse().unwrap(), AT.parse().unwrap());
    let (one, any) = (member("one"), Precondition::None);
    let updated = within_limit(fixture.storage.update_note(&one.clone().into(), &note, change, &any, now)).await?;
    assert!(matches!(&updated, Update::Done(note) if note.title == title.to_string()), "{updated:?}");
    Ok(())
}

tests! {
    async fn results_are_correct_while_statements_are_cancelled() {
        let fixture = Fixture::with_all_records().await;
        let mut host = fixture.by_hand().await;
        query_and_write(&fixture, async || cancel_statements(&mut host).await).await;
        fixture.storage.check().await.unwrap();
    }

    async fn results_are_correct_while_connections_are_terminated() {
        let fixture = Fixture::with_connections(2).await;
        let mut host = fixture.by_hand().await;
        query_and_write(&fixture, async || end_connections(&mut host).await).await;
        // Idle connections may have been terminated.
        for _ in 0..2 {
            let _ = fixture.storage.check().await;
        }
        fixture.storage.check().await.unwrap();
    }
}
