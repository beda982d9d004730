//! Serialization failures, and the number of retries of a transaction.

use family_api_core::storage::{RestoredStorage, StorageError};
use sqlx::{AssertSqlSafe, Executor};

use crate::family::{AT, Fixture};
use crate::faults::changes::Change;
use crate::faults::{assert_unavailable, rows};

/// Returns SQL that counts every update of a table and makes the first `count` of them fail.
fn fail_first_updates(table: &str, count: u32) -> String {
    format!(
        "CREATE SCHEMA attempts;
         CREATE SEQUENCE attempts.made;
         CREATE FUNCTION attempts.undo() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             IF nextval('attempts.made') <= {count} THEN
                 RAISE EXCEPTION 'simulated conflict' USING ERRCODE = 'serialization_failure';
             END IF;
             RETURN NULL;
         END $$;
         CREATE TRIGGER undo AFTER UPDATE ON {table} EXECUTE FUNCTION attempts.undo()"
    )
}

/// Makes the first `count` attempts fail, and updates a note. Returns the result and the number of attempts.
async fn update_note_with_failures(fixture: &Fixture, count: u32) -> (Result<(), StorageError>, i64) {
    fixture.connect_host().await.execute(AssertSqlSafe(fail_first_updates("notes", count))).await.unwrap();
    let made = Change::UpdateNote.make(&fixture.storage).await;
    (made, fixture.count("SELECT last_value FROM attempts.made").await)
}

/// Makes every change of a table fail at its commit.
async fn fail_at_commit(fixture: &Fixture) {
    let tables = ["calendar_feeds", "events", "integration_keys", "notes", "passwords", "sessions", "tasks", "users"];
    let triggers = tables.map(|table| {
        format!(
            "CREATE CONSTRAINT TRIGGER undo AFTER INSERT OR UPDATE OR DELETE ON {table} DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION undo()"
        )
    });
    let function = "CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             RAISE EXCEPTION 'simulated conflict' USING ERRCODE = 'serialization_failure';
         END $$";
    let sql = format!("{function}; {}", triggers.join("; "));
    fixture.connect_host().await.execute(AssertSqlSafe(sql)).await.unwrap();
}

async fn assert_not_applied(change: Change, fixture: &Fixture) {
    let mut host = fixture.connect_host().await;
    let before = rows(&mut host).await;
    assert_unavailable(&change.make(&fixture.storage).await);
    assert_eq!(rows(&mut host).await, before, "{change:?}");
}

tests! {
    async fn a_change_succeeds_at_the_fourth_attempt() {
        let fixture = Fixture::with_all_records().await;
        let (made, attempts) = update_note_with_failures(&fixture, 3).await;
        made.unwrap();
        assert_eq!(attempts, 4);
        assert_eq!(rows(&mut fixture.connect_host().await).await, Change::UpdateNote.rows_after().await);
    }

    async fn an_invalidation_of_credentials_succeeds_at_the_fourth_attempt() {
        let fixture = Fixture::with_all_records().await;
        let sql = AssertSqlSafe(fail_first_updates("integration_keys", 3));
        fixture.connect_host().await.execute(sql).await.unwrap();
        fixture.storage.invalidate_credentials(AT.parse().unwrap()).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM sessions").await, 0);
    }

    async fn a_change_that_fails_four_times_is_unavailable_and_not_made() {
        let fixture = Fixture::with_all_records().await;
        let mut host = fixture.connect_host().await;
        let before = rows(&mut host).await;
        let (made, attempts) = update_note_with_failures(&fixture, 4).await;
        assert_unavailable(&made);
        assert_eq!(attempts, 4);
        assert_eq!(rows(&mut host).await, before);
        Change::UpdateNote.make(&fixture.storage).await.unwrap();
    }

    async fn a_change_that_fails_at_commit_is_not_acknowledged() {
        let fixture = Fixture::with_all_records().await;
        fail_at_commit(&fixture).await;
        for change in Change::ALL {
            assert_not_applied(change, &fixture).await;
        }
    }

    async fn a_profile_change_of_a_user_without_family_can_fail_at_commit() {
        let fixture = Fixture::with_all_records().await;
        fixture.connect_host().await.execute("UPDATE users SET family_id = NULL").await.unwrap();
        fail_at_commit(&fixture).await;
        assert_not_applied(Change::UpdateProfile, &fixture).await;
    }

    async fn a_change_that_fails_for_another_reason_is_not_retried() {
        let fixture = Fixture::with_all_records().await;
        let broken = fail_first_updates("notes", 9).replace("serialization_failure", "raise_exception");
        fixture.connect_host().await.execute(AssertSqlSafe(broken)).await.unwrap();
        let made = Change::UpdateNote.make(&fixture.storage).await;
        assert!(matches!(made, Err(StorageError::Backend(_))), "{made:?}");
        assert_eq!(fixture.count("SELECT last_value FROM attempts.made").await, 1);
    }
}
