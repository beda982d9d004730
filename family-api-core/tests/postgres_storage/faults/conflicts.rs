//! Serialization failures, and how often a transaction is retried.

use family_api_core::storage::StorageError;
use sqlx::{AssertSqlSafe, Executor};

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::{assert_unavailable, rows};

/// Returns SQL that counts every attempt and makes the first `count` of them fail.
fn fail_first_attempts(count: u32) -> String {
    format!(
        "CREATE SCHEMA tries;
         CREATE SEQUENCE tries.made;
         CREATE FUNCTION tries.undo() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             IF nextval('tries.made') <= {count} THEN
                 RAISE EXCEPTION 'another was in the way' USING ERRCODE = 'serialization_failure';
             END IF;
             RETURN NULL;
         END $$;
         CREATE TRIGGER undo AFTER UPDATE ON notes EXECUTE FUNCTION tries.undo()"
    )
}

/// Makes a change whose first `count` attempts fail. Returns the outcome and the number of attempts.
async fn undone(fixture: &Fixture, count: u32) -> (Result<(), StorageError>, i64) {
    fixture.by_hand().await.execute(AssertSqlSafe(fail_first_attempts(count))).await.unwrap();
    let made = Change::UpdateNote.make(&fixture.storage).await;
    (made, fixture.count("SELECT last_value FROM tries.made").await)
}

/// Makes every change of a table fail at its commit.
async fn fail_at_commit(fixture: &Fixture) {
    let tables = ["integration_keys", "notes", "passwords", "sessions", "tasks", "users"];
    let triggers = tables.map(|table| {
        format!(
            "CREATE CONSTRAINT TRIGGER undo AFTER INSERT OR UPDATE OR DELETE ON {table} DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION undo()"
        )
    });
    let function = "CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             RAISE EXCEPTION 'another was in the way' USING ERRCODE = 'serialization_failure';
         END $$";
    let sql = format!("{function}; {}", triggers.join("; "));
    fixture.by_hand().await.execute(AssertSqlSafe(sql)).await.unwrap();
}

async fn assert_not_applied(change: Change, fixture: &Fixture) {
    let mut host = fixture.by_hand().await;
    let before = rows(&mut host).await;
    assert_unavailable(&change.make(&fixture.storage).await);
    assert_eq!(rows(&mut host).await, before, "{change:?}");
}

tests! {
    async fn a_change_succeeds_at_the_fourth_attempt() {
        let fixture = Fixture::with_all_records().await;
        let (made, tries) = undone(&fixture, 3).await;
        made.unwrap();
        assert_eq!(tries, 4);
        assert_eq!(rows(&mut fixture.by_hand().await).await, Change::UpdateNote.rows_after().await);
    }

    async fn a_change_that_fails_four_times_is_unavailable_and_not_made() {
        let fixture = Fixture::with_all_records().await;
        let mut host = fixture.by_hand().await;
        let before = rows(&mut host).await;
        let (made, tries) = undone(&fixture, 4).await;
        assert_unavailable(&made);
        assert_eq!(tries, 4);
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

    async fn a_profile_change_without_family_that_fails_at_commit_fails() {
        let fixture = Fixture::with_all_records().await;
        fixture.by_hand().await.execute("UPDATE users SET family_id = NULL").await.unwrap();
        fail_at_commit(&fixture).await;
        assert_not_applied(Change::UpdateProfile, &fixture).await;
    }

    async fn a_change_that_fails_for_another_reason_is_not_retried() {
        let fixture = Fixture::with_all_records().await;
        let broken = fail_first_attempts(9).replace("serialization_failure", "raise_exception");
        fixture.by_hand().await.execute(AssertSqlSafe(broken)).await.unwrap();
        let made = Change::UpdateNote.make(&fixture.storage).await;
        assert!(matches!(made, Err(StorageError::Backend(_))), "{made:?}");
        assert_eq!(fixture.count("SELECT last_value FROM tries.made").await, 1);
    }
}
