//! Checks that no log, database or error contains a secret, at any log level and in both formats.

use reqwest::header::COOKIE;
use serde_json::json;

use crate::backend::{Backend, on_each_backend};
use crate::client::{request, send, sign_in, with_token};
use crate::family;
use crate::sandbox::Sandbox;
use crate::session::create_key;

const PASSWORD: &str = "canary-of-the-password";
const WRONG: &str = "canary-of-a-wrong-password";
const ENVIRONMENT: &str = "canary-of-the-environment";
const UNKNOWN: &str = "canary-of-an-unknown-token";
const QUERY: &str = "canary-of-a-query";
const PATH: &str = "canary-of-a-path";

on_each_backend! {
    no_secret_is_written_to_logs_or_the_database,
    a_failed_import_prints_no_password,
}

async fn no_secret_is_written_to_logs_or_the_database(backend: Backend) {
    for format in ["text", "json"] {
        let sandbox = Sandbox::new(backend).await;
        log_statements(&sandbox).await;
        let lines = [family::family("rivera"), family::user("ana", Some("rivera"), Some(PASSWORD))];
        let sandbox = sandbox.import_lines(lines);
        let variables = [("FAMILY_API_LOG", "trace"), ("SERVICE_MCP_READ_TOKENS", &format!("ana|{ENVIRONMENT}"))];
        let server = sandbox.serve_with(&["--log", format], &variables);

        let answer = sign_in(&server, "ana@family.example", PASSWORD).await;
        let cookie = answer.cookie();
        assert_eq!(sign_in(&server, "ana@family.example", WRONG).await.status, 401);
        let token = &create_key(&server, &cookie).await.token;
        assert_eq!(with_token(&server, token, "GET", "/api/v1/me", None).await.status, 200);
        assert_eq!(with_token(&server, ENVIRONMENT, "GET", "/api/mcp/read/notes", None).await.status, 200);
        assert_eq!(with_token(&server, UNKNOWN, "GET", "/api/v1/me", None).await.status, 401);
        let in_query = request(&server, "GET", &format!("/api/v1/me?token={QUERY}"));
        assert_eq!(send(in_query.header(COOKIE, &cookie)).await.status, 401);
        assert_eq!(with_token(&server, token, "GET", &format!("/api/v1/tasks/{PATH}/{PATH}"), None).await.status, 404);

        // Checked twice: while SQLite's write-ahead log exists, and after the server has emptied it.
        let session = cookie.split_once('=').unwrap().1;
        let secrets = [PASSWORD, WRONG, ENVIRONMENT, UNKNOWN, QUERY, PATH, token, session];
        assert_eq!(sandbox.path("family.db-wal").exists(), backend == Backend::Sqlite);
        assert_not_written(&sandbox, &secrets).await;
        assert!(server.stop().success());
        assert!(sandbox.log().lines().count() > 20, "the log is not at TRACE");
        assert_not_written(&sandbox, &secrets).await;
    }
}

async fn a_failed_import_prints_no_password(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let mut number = family::user("ana", None, None);
    number["password"] = json!(7_263_549_810_u64);
    let mut list = family::user("ana", None, None);
    list["password"] = json!([PASSWORD]);
    let mut invalid_time_zone = family::user("ana", None, Some(PASSWORD));
    invalid_time_zone["timeZone"] = json!("Mars/Olympus");
    let broken = family::user("ana", None, Some(PASSWORD)).to_string().replace('}', "");
    for line in [number.to_string(), list.to_string(), invalid_time_zone.to_string(), broken] {
        let output = sandbox.import(&line);
        assert_eq!(output.status.code(), Some(1));
        let written = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(written.contains("line 1: "), "{written}");
        assert!(!written.contains("canary") && !written.contains("7263549810"), "{written}");
    }
}

/// Makes PostgreSQL log every statement with its parameters.
pub(crate) async fn log_statements(sandbox: &Sandbox) {
    if let Some(database) = sandbox.database() {
        sandbox.execute(&format!("ALTER DATABASE {} SET log_statement = 'all'", database.name())).await;
    }
}

/// Checks that no log and no database contains a secret.
pub(crate) async fn assert_not_written(sandbox: &Sandbox, secrets: &[&str]) {
    let written = sandbox.written_data().await;
    let locations = |text: &str| {
        let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        written.iter().filter(|(_, bytes)| holds(bytes)).map(|(location, _)| location.as_str()).collect::<Vec<_>>()
    };
    for secret in secrets {
        assert_eq!(locations(secret), [""; 0], "{secret}");
    }
    // Proof that the search works: a text that is not secret is found.
    assert!(locations("ana@family.example").len() >= if sandbox.database().is_some() { 2 } else { 1 });
}
