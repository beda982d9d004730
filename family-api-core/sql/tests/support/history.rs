//! A database with an unknown or changed migration is refused.

use family_api_sql::SchemaError;

use crate::family::Fixture;
use crate::fixture::OpenError;

const ADD_UNKNOWN: &str = "
    INSERT INTO _family_api_migrations (version, description, success, checksum, execution_time)
    VALUES (9999, 'from the future', TRUE, $1, 0)";

const CHANGE: &str = "UPDATE _family_api_migrations SET checksum = $1 WHERE version = 1";

/// Changes the migration table of a database with these statements, opens the database again, and returns the error.
/// The parameter `$1` of each statement is a wrong checksum.
async fn reopen_error(statements: &[&'static str]) -> OpenError {
    let fixture = Fixture::empty().await;
    fixture.storage.close().await;
    let mut host = fixture.connect_host().await;
    for sql in statements {
        let done = sqlx::query(*sql).bind(&b"none"[..]).execute(&mut host).await.unwrap();
        assert_eq!(done.rows_affected(), 1);
    }
    fixture.reopen().await.unwrap_err()
}

tests! {
    async fn a_database_of_a_newer_version_is_refused() {
        let error = reopen_error(&[ADD_UNKNOWN]).await;
        assert!(matches!(error, OpenError::Schema(SchemaError::UnknownMigration { version: 9999 })), "{error:?}");
        assert!(error.to_string().contains("a newer version has used the database"), "{error}");
    }

    async fn a_database_of_another_build_is_refused() {
        for statements in [&[CHANGE][..], &[CHANGE, ADD_UNKNOWN]] {
            let error = reopen_error(statements).await;
            assert!(matches!(error, OpenError::Schema(SchemaError::ChangedMigration { version: 1 })), "{error:?}");
            assert!(error.to_string().contains("export the database with the program that created it"), "{error}");
        }
    }
}
