//! Databases with unknown or changed migrations are refused.

use family_api_core::storage::SchemaError;

use crate::family::Fixture;
use crate::fixture::OpenError;

/// Returns the error of opening a database whose migration table was changed by this statement. It binds a wrong
/// checksum.
async fn reopened(sql: &'static str) -> OpenError {
    let fixture = Fixture::empty().await;
    fixture.storage.close().await;
    let done = sqlx::query(sql).bind(&b"none"[..]).execute(&mut fixture.by_hand().await).await.unwrap();
    assert_eq!(done.rows_affected(), 1);
    fixture.reopen().await.unwrap_err()
}

tests! {
    async fn a_database_of_a_newer_version_is_refused() {
        let error = reopened(
            "INSERT INTO _family_api_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'from the future', TRUE, $1, 0)",
        )
        .await;
        assert!(matches!(error, OpenError::Schema(SchemaError::UnknownMigration { version: 9999 })), "{error:?}");
        assert!(error.to_string().contains("a newer one has used it"), "{error}");
    }

    async fn a_migration_with_another_checksum_is_refused() {
        let error = reopened("UPDATE _family_api_migrations SET checksum = $1 WHERE version = 1").await;
        assert!(matches!(error, OpenError::Schema(SchemaError::ChangedMigration { version: 1 })), "{error:?}");
    }
}
