//! `restore --invalidate`, and what `backup` and `restore` say for PostgreSQL.

use family_api_testing::{Server as PostgresServer, postgres_tests};

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! {
    keys_sessions_and_connections_end_and_revisions_move,
    a_missing_database_is_not_created,
}

async fn a_missing_database_is_not_created(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    for arguments in [&["restore", "--invalidate", "--yes"][..], &["export", "-"]] {
        let error = sandbox.fail(arguments, "");
        let message = if backend == Backend::Sqlite { "there is no database" } else { "the database has no tables" };
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert!(!sandbox.path("family.db").exists());
    }
    sandbox.import_families();
}

/// Inserts a grant of an OAuth client.
fn insert_grant(backend: Backend) -> String {
    let (scopes, digest) = match backend {
        Backend::Sqlite => ("'[]'", "zeroblob(32)"),
        Backend::Postgres => ("'{}'", "decode(repeat('00', 32), 'hex')"),
    };
    format!(
        "INSERT INTO grants (id, user_id, client_id, client_host, redirect_uri, surface, scopes, challenge, code,
            created_at, expires_at)
        VALUES ('g', 'ana', 'c', 'c.example', 'http://c.example/', 'v1', {scopes}, {digest}, {digest},
            '2026-11-20T09:00:00.000Z', '2126-11-20T09:00:00.000Z')"
    )
}

async fn keys_sessions_and_connections_end_and_revisions_move(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let key = create_key(&server, &cookie).await.token;
    sandbox.execute(&insert_grant(backend)).await;
    sandbox.execute("UPDATE families SET revision = 7").await;

    let error = sandbox.fail(&["restore", "--invalidate"], "y\n");
    assert!(error.contains("add --yes to do it without a terminal"), "{error}");
    assert_eq!(with_token(&server, &key, "GET", "/api/v1/read/notes", None).await.status, 200);
    sandbox.succeed(&["restore", "--invalidate", "--yes"], "");
    assert_eq!(with_token(&server, &key, "GET", "/api/v1/read/notes", None).await.status, 401);
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 401);
    sandbox.wait_for_rows("grants", 0).await;
    sandbox.wait_for_rows("families WHERE revision > 1000000000000000", 2).await;
    let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
    let key = create_key(&server, &cookie).await.token;
    assert_eq!(with_token(&server, &key, "GET", "/api/v1/read/notes", None).await.status, 200);
}

#[test]
fn a_restore_takes_either_a_backup_or_the_option_invalidate() {
    let sandbox = Sandbox::on_sqlite();
    for arguments in [&["restore"][..], &["restore", "backup.db", "--invalidate"]] {
        assert_eq!(sandbox.run(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}

postgres_tests! {
    async fn with_postgresql_the_commands_name_its_programs() {
        let sandbox = Sandbox::on_database(PostgresServer::shared().create_database().await);
        for (arguments, program) in [
            (&["backup", "b.dump"][..], "pg_dump --format=custom --file=b.dump DATABASE"),
            (&["restore", "b.dump"], "pg_restore --dbname=DATABASE b.dump && family-api-server restore --invalidate"),
        ] {
            let error = sandbox.fail(arguments, "");
            assert!(error.contains(program), "{error}");
        }
    }

    /// The command is the one of the page on distributed tables.
    async fn the_backup_of_distributed_tables_omits_those_of_the_distribution() {
        let sandbox = Sandbox::on_database(PostgresServer::shared().create_database().await).import_families();
        sandbox.execute("CREATE TABLE _family_api_distributed ()").await;
        let error = sandbox.fail(&["backup", "b.dump"], "");
        let command = "pg_dump --format=custom --no-comments --exclude-table=_family_api_coordinator \
            --exclude-table=_family_api_distributed --exclude-table=_family_api_user_locks --file=b.dump DATABASE";
        assert!(error.contains(command), "{error}");
        let page = include_str!("../../../../family-api-core/sql/src/postgres/distributed/distributing.md");
        let words = |text: &str| text.replace('\\', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let (options, _) = command.split_once(" --file").unwrap();
        assert!(words(page).contains(options), "the page names another command");
    }
}
