//! Checks that no log and no database contains a secret of a connection, at any log level and in both formats.

use serde_json::json;

use crate::assistant::{Connected, STATE, VERIFIER, connect, form, redemption, text};
use crate::audit::audit_lines;
use crate::backend::{Backend, on_each_backend};
use crate::client::{request, send, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};
use crate::secrets::{assert_not_written, log_statements};

const MCP: &str = "/api/v1/mcp";

on_each_backend! { no_secret_of_a_connection_is_written }

async fn no_secret_of_a_connection_is_written(backend: Backend) {
    for format in ["text", "json"] {
        let sandbox = Sandbox::with_families(backend).await;
        log_statements(&sandbox).await;
        let server = sandbox.serve_with(&["--log", format], &[("FAMILY_API_LOG", "trace")]);
        let secrets = use_connection(&server).await;
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).chain([PASSWORD, STATE, VERIFIER]).collect();
        // Checked twice: while SQLite's write-ahead log exists, and after the server has emptied it.
        assert_not_written(&sandbox, &secrets).await;
        assert!(server.stop().success());
        assert!(sandbox.log().contains("approve_grant"), "the log is not at TRACE");
        assert_not_written(&sandbox, &secrets).await;
        let log = sandbox.log();
        let ended = audit_lines(&log).find(|line| line["event"] == "connection_ended");
        assert_eq!(ended.map(|line| line["reason"].clone()), (format == "json").then(|| json!("code_reused")), "{log}");
    }
}

/// Connects, refreshes, misuses and revokes. Returns the secrets that the server has sent.
async fn use_connection(server: &Server) -> Vec<String> {
    let Connected { client, cookie, signed, code, tokens: first } = connect(server).await;
    let redemption = redemption(&client, &code);
    let refresh_token = text(&first, "refresh_token");
    let refresh = [("grant_type", "refresh_token"), ("client_id", &client), ("refresh_token", &refresh_token)];
    let second = send(form(server, "/oauth/token", &refresh)).await.json();
    let access = text(&second, "access_token");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(with_token(server, &access, "POST", MCP, Some(call.clone())).await.status, 200);
    // A token in the query is ignored, and not logged either.
    let in_query = format!("{MCP}?access_token={access}");
    assert_eq!(send(request(server, "POST", &in_query)).await.status, 401);
    assert_eq!(send(form(server, "/oauth/token", &refresh)).await.json()["access_token"], access);
    // The code was used before, which ends the connection.
    assert_eq!(send(form(server, "/oauth/token", &redemption)).await.status, 400);
    assert_eq!(with_token(server, &access, "POST", MCP, Some(call)).await.status, 401);
    assert_eq!(send(form(server, "/oauth/revoke", &[("token", &access)])).await.status, 200);
    let session = cookie.split_once('=').unwrap().1.to_owned();
    let tokens = [&first, &second].map(|tokens| [text(tokens, "access_token"), text(tokens, "refresh_token")]);
    [session, signed, code].into_iter().chain(tokens.into_iter().flatten()).collect()
}
