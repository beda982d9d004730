//! Errors that a distributed engine returns for its workers. Triggers raise them.

use family_api_core::storage::{LoadError, LoadFault, StorageError};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::family::{Fixture, record_with};
use crate::faults::assert_unavailable;
use crate::faults::changes::Change;

/// Makes every update of a note fail with an error. The function's name is in the context of the error.
async fn fail_updates(fixture: &Fixture, function: &str, state: &str, message: &str) {
    let sql = format!(
        r#"CREATE FUNCTION "{function}"() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN
               RAISE '{message}' USING ERRCODE = '{state}';
           END $$;
           CREATE TRIGGER fail BEFORE UPDATE ON notes EXECUTE FUNCTION "{function}"()"#
    );
    fixture.connect_host().await.execute(AssertSqlSafe(sql)).await.unwrap();
}

/// Makes an update of a note that fails with an error, and returns the storage's error.
async fn error_of_update(function: &str, state: &str, message: &str) -> Result<(), StorageError> {
    let fixture = Fixture::with_all_records().await;
    fail_updates(&fixture, function, state, message).await;
    Change::UpdateNote.make(&fixture.storage).await
}

/// Loads a record of a kind with changes, while each insertion into its table fails as on a worker. Returns the fault.
async fn fault_of_load(kind: &str, table: &str, message: &str, changes: &Value) -> LoadFault {
    let fixture = Fixture::of("x").await;
    let sql = format!(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             RAISE '{message}' USING ERRCODE = 'XX000';
         END $$;
         CREATE TRIGGER fail BEFORE INSERT ON {table} EXECUTE FUNCTION fail()"
    );
    fixture.connect_host().await.execute(AssertSqlSafe(sql)).await.unwrap();
    match fixture.load([record_with(kind, changes)]).await {
        Err(LoadError::Refused { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

tests! {
    async fn a_lost_worker_is_unavailable() {
        for message in [
            "could not commit transaction for shard 102025 on at least one active node",
            "failure on connection marked as essential: 127.0.0.1:5433",
            "failed to prepare transaction citus_0_1_2_3 on host 127.0.0.1:5433",
        ] {
            assert_unavailable(&error_of_update("fail", "XX000", message).await);
        }
        let context = "while executing command on 127.0.0.1:5433";
        assert_unavailable(&error_of_update(context, "XX000", "server closed the connection unexpectedly").await);
    }

    async fn damage_and_other_internal_errors_are_corrupt() {
        for (state, message) in [
            ("XX000", "cache lookup failed for type 1"),
            ("XX001", "could not commit transaction for shard 102025 on at least one active node"),
            ("XX002", "failure on connection marked as essential: 127.0.0.1:5433"),
        ] {
            let made = error_of_update("fail", state, message).await;
            assert!(matches!(made, Err(StorageError::Corrupt(_))), "{state}: {made:?}");
        }
    }

    async fn a_constraint_that_a_worker_reports_refuses_the_record() {
        let duplicate = |name| format!("duplicate key value violates unique constraint \"{name}\"");
        let fault = fault_of_load("note", "notes", &duplicate("notes_pkey_102083"), &json!({})).await;
        assert_eq!(fault, LoadFault::exists("id"));
        let changes = json!({ "id": "new", "email": "new@example.org" });
        let fault = fault_of_load("user", "users", &duplicate("users_email_key_102008"), &changes).await;
        assert_eq!(fault, LoadFault::exists("email"));
        let message =
            r#"insert or update on table "notes_102083" violates foreign key constraint "notes_category_102083""#;
        let changes = json!({ "id": "new", "categoryId": "gone" });
        let fault = fault_of_load("note", "notes", message, &changes).await;
        assert_eq!(fault, LoadFault::no_parent("categoryId"));
    }
}
