//! Opening a database, and the errors for invalid ones.

use std::fs;
use std::net::TcpListener;

use family_api_core::storage::{Health, StorageError};
use family_api_sql::postgres::{OpenError, PostgresOptions, PostgresStorage};
use family_api_testing::{Server, Shutdown};
use sqlx::{AssertSqlSafe, Executor};

use crate::family::Fixture;
use crate::fixture::{full_error_text, within_timeout};

const PASSWORD: &str = "canary%20in%20a%20url";

/// Opens this URL and returns the error. Asserts that the error comes in time and does not contain the password.
async fn open_error(url: &str) -> OpenError {
    let error = within_timeout(PostgresStorage::open(url)).await.unwrap_err();
    assert!(!full_error_text(&error).contains("canary"), "{error:?}");
    error
}

fn assert_unavailable(error: &OpenError) {
    assert!(matches!(error, OpenError::Storage(StorageError::Unavailable(_))), "{error:?}");
}

tests! {
    async fn an_invalid_url_is_refused() {
        for url in [
            "",
            "family.db",
            "postgres://family:canary@db.example:port/family",
            "postgres://family:canary@[::1/family",
            "postgres://family:canary%FF@db.example/family",
            "postgres://family:canary@db.example/family?sslmode=sideways",
            "postgres://family:canary@db.example/family?port=none",
        ] {
            let error = open_error(url).await;
            assert!(matches!(error, OpenError::Url(_)), "{url}: {error:?}");
            assert_eq!(error.to_string(), "the database URL is not understood");
        }
    }

    async fn a_password_with_url_delimiters_is_not_in_the_error() {
        for url in [
            "postgres://family:some?canary@db.example/family",
            "postgres://family:80?canary@db.example/family",
            "postgres://family:some/canary@db.example/family",
            "postgres://family:80#canary@db.example/family",
            "postgres://family@db.example:80?passwort=canary",
        ] {
            open_error(url).await;
        }
    }

    async fn a_wrong_password_is_refused() {
        let server = Server::start();
        let database = server.create_database().await;
        let role = format!("CREATE ROLE family LOGIN PASSWORD '{}'", PASSWORD.replace("%20", " "));
        database.connect().await.execute(AssertSqlSafe(role)).await.unwrap();
        let owner = format!("ALTER DATABASE {} OWNER TO family", database.name());
        database.connect().await.execute(AssertSqlSafe(owner)).await.unwrap();
        let access = server.folder().join("data/pg_hba.conf");
        let rest = fs::read_to_string(&access).unwrap();
        fs::write(&access, format!("host all family 127.0.0.1/32 scram-sha-256\n{rest}")).unwrap();
        server.restart(Shutdown::Fast);

        let url = |password| database.url().replace("postgres@", &format!("family:{password}@"));
        let error = open_error(&url("another-canary")).await;
        assert_unavailable(&error);
        assert!(full_error_text(&error).contains("password authentication failed"), "{error:?}");
        within_timeout(PostgresStorage::open(&url(PASSWORD))).await.unwrap().check().await.unwrap();
    }

    async fn a_missing_database_is_refused() {
        let url = Server::shared().url("nowhere").replace("postgres@", "postgres:canary@");
        let error = open_error(&url).await;
        assert_unavailable(&error);
        assert!(full_error_text(&error).contains(r#"database "nowhere" does not exist"#), "{error:?}");
    }

    async fn a_server_that_does_not_respond_and_a_closed_port_are_unavailable() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("postgres://family:canary@{}/family", listener.local_addr().unwrap());
        assert_unavailable(&open_error(&url).await);
        drop(listener);
        assert_unavailable(&open_error(&url).await);
    }

    async fn a_database_in_another_encoding_is_refused_and_unchanged() {
        let server = Server::shared();
        let fixture = Fixture::empty().await;
        let name = format!("{}_latin1", fixture.database.name());
        let create =
            format!("CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0");
        fixture.connect_host().await.execute(AssertSqlSafe(create)).await.unwrap();
        let error = open_error(&server.url(&name)).await;
        assert!(matches!(error, OpenError::Encoding), "{error:?}");
        let options: sqlx::postgres::PgConnectOptions = server.url(&name).parse().unwrap();
        let mut host = sqlx::ConnectOptions::connect(&options).await.unwrap();
        let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            .fetch_one(&mut host)
            .await
            .unwrap();
        assert_eq!(tables, 0);
    }

    async fn a_closed_storage_is_unavailable_and_has_no_connections() {
        let fixture = Fixture::of("x").await;
        fixture.storage.close().await;
        assert!(matches!(fixture.storage.check().await, Err(StorageError::Unavailable(_))));
        let ours = "SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'family-api'";
        let mut host = fixture.connect_host().await;
        within_timeout(async {
            // The server removes a closed connection from `pg_stat_activity` after a moment.
            while sqlx::query_scalar::<_, i64>(ours).fetch_one(&mut host).await.unwrap() > 0 {}
        })
        .await;
    }

    async fn debug_output_contains_no_url() {
        assert_eq!(format!("{:?}", Fixture::empty().await.storage), "PostgresStorage { .. }");
        let options = PostgresOptions::new("postgres://family:canary@db.example/family");
        assert_eq!(format!("{options:?}"), "PostgresOptions { connections: 10, .. }");
    }
}
