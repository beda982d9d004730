//! A database with an unknown or changed migration is refused.

use family_api_core::resource::Note;
use family_api_core::storage::{CredentialStorage, Operation, ReadStorage, SchemaError};
use sqlx::{AssertSqlSafe, Executor};

use crate::family::{Fixture, delete, member, write};
use crate::fixture::{DROP_GRANTS_TRIGGER, DROP_RECORD_BOUND, OpenError};

/// Changes the migration table of a database with this statement, opens the database again, and returns the error. The
/// parameter `$1` of the statement is a wrong checksum.
async fn reopen_error(sql: &'static str) -> OpenError {
    let fixture = Fixture::empty().await;
    fixture.storage.close().await;
    let done = sqlx::query(sql).bind(&b"none"[..]).execute(&mut fixture.connect_host().await).await.unwrap();
    assert_eq!(done.rows_affected(), 1);
    fixture.reopen().await.unwrap_err()
}

tests! {
    async fn a_database_of_a_newer_version_is_refused() {
        let error = reopen_error(
            "INSERT INTO _family_api_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'from the future', TRUE, $1, 0)",
        )
        .await;
        assert!(matches!(error, OpenError::Schema(SchemaError::UnknownMigration { version: 9999 })), "{error:?}");
        assert!(error.to_string().contains("a newer version has used the database"), "{error}");
    }

    async fn keys_with_equal_ids_get_new_ids_in_the_migration_that_forbids_them() {
        let fixture = Fixture::of("x").await;
        fixture.storage.close().await;
        let mut host = fixture.connect_host().await;
        for sql in [
            "DROP INDEX integration_keys_by_id",
            "CREATE INDEX integration_keys_by_id ON integration_keys (user_id, id)",
            "UPDATE integration_keys SET id = 'same'",
            "DROP INDEX events_by_end",
            "DROP INDEX recurring_events",
            DROP_GRANTS_TRIGGER,
            "DROP TABLE grants",
            "DROP TABLE signing_keys",
            "DROP TABLE deleted_records",
            "DROP TABLE idempotency_keys",
            DROP_RECORD_BOUND,
            "DELETE FROM _family_api_migrations
             WHERE version >= (SELECT version FROM _family_api_migrations WHERE description = 'key ids')",
        ] {
            host.execute(sql).await.unwrap();
        }
        fixture.reopen().await.unwrap();
        assert_eq!(fixture.count("SELECT count(DISTINCT id) FROM integration_keys WHERE id <> 'same'").await, 2);
    }

    async fn a_database_without_tables_of_deleted_records_keeps_its_data() {
        let fixture = Fixture::of("x").await;
        let notes = async |storage: &dyn ReadStorage| storage.list_notes(&member("one")).await.unwrap().into_bytes();
        let before = notes(&fixture.storage).await;
        fixture.storage.close().await;
        let mut host = fixture.connect_host().await;
        for sql in [
            "DROP TABLE deleted_records",
            "DROP TABLE idempotency_keys",
            DROP_RECORD_BOUND,
            "ALTER TABLE grants DROP COLUMN predecessor",
            "ALTER TABLE grants DROP COLUMN rotation_nonce",
            "ALTER TABLE grants DROP COLUMN rotated_at",
            "ALTER TABLE grants DROP COLUMN misuse",
            "DELETE FROM _family_api_migrations
             WHERE version >= (SELECT version FROM _family_api_migrations WHERE description = 'deleted records')",
        ] {
            host.execute(sql).await.unwrap();
        }
        let migrated = fixture.reopen().await.unwrap();
        assert_eq!(notes(&migrated).await, before);
        for operation in [delete("note-one"), Operation::<Note>::Restore { id: "note-one".parse().unwrap() }] {
            let written = write(&migrated, member("one"), operation).await.unwrap();
            assert!(written.is_change(), "{written:?}");
        }
        assert_eq!(notes(&migrated).await, before);
    }

    async fn addresses_with_capitals_are_found_after_the_migration_to_lower_case() {
        let fixture = Fixture::of("x").await;
        fixture.storage.close().await;
        let mut host = fixture.connect_host().await;
        let insert = "
            INSERT INTO users (id, name, email, display_currency, time_zone, personal_api_enabled, llm_key_configured,
                               created_at, updated_at)
            VALUES ('a', '', 'Anna@Example.org', 'EUR', 'UTC', FALSE, FALSE, '2026-11-20T09:00:00.000Z',
                    '2026-11-20T09:00:00.000Z')";
        for (id, email) in [("a", "Anna@Example.org"), ("b", "Bo@example.org"), ("c", "BO@example.org"), ("d", "Cy@x"),
            ("e", "cy@x")]
        {
            let insert = insert.replace("'a'", &format!("'{id}'")).replace("Anna@Example.org", email);
            host.execute(AssertSqlSafe(insert)).await.unwrap();
        }
        host.execute("DELETE FROM _family_api_migrations WHERE description = 'lower case emails'").await.unwrap();
        let migrated = fixture.reopen().await.unwrap();
        for (email, user) in [
            ("anna@example.org", "a"),
            ("Anna@Example.org", "a"),
            ("bo@example.org", "b"),
            ("bO@example.org", "b"),
            // Another user, who is found only by these capitals.
            ("BO@example.org", "c"),
            ("Cy@x", "d"),
            ("cy@x", "e"),
            ("CY@x", "e"),
        ] {
            let found = migrated.find_password(email).await.unwrap();
            assert_eq!(found.map(|(user, _)| user.to_string()).as_deref(), Some(user), "{email}");
        }
    }

    async fn a_migration_with_another_checksum_is_refused() {
        let error = reopen_error("UPDATE _family_api_migrations SET checksum = $1 WHERE version = 1").await;
        assert!(matches!(error, OpenError::Schema(SchemaError::ChangedMigration { version: 1 })), "{error:?}");
    }
}
