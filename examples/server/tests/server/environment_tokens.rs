//! Environment tokens.

use crate::backend::{Backend, on_each_backend};
use crate::client::{call, in_session, with_token};
use crate::sandbox::Sandbox;
use crate::session::session_cookie;

on_each_backend! {
    an_environment_token_grants_only_the_read_path,
}

async fn an_environment_token_grants_only_the_read_path(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&[], &[("SERVICE_MCP_READ_TOKENS", " ana | env-secret , nobody|other-secret")]);
    let read = with_token(&server, "env-secret", "GET", "/api/mcp/read/notes", None).await;
    assert_eq!((read.status, read.json()[0]["id"].as_str()), (200, Some("wifi")));
    for (token, path) in [
        ("env-secret", "/api/v1/read/notes"),
        ("other-secret", "/api/mcp/read/notes"),
        ("env-secre", "/api/mcp/read/notes"),
    ] {
        let refused = with_token(&server, token, "GET", path, None).await;
        assert_eq!(refused.problem(), (401, "invalid_token".to_owned()), "{token} {path}");
    }
    assert_eq!(call(&server, "GET", "/api/mcp/read/notes").await.problem(), (401, "missing_token".to_owned()));
    // The end of all access of a user does not end what the operator gives.
    let cookie = session_cookie(&server, "ana").await;
    assert_eq!(in_session(&server, &cookie, "DELETE", "/api/users/me/access", None).await.status, 200);
    assert_eq!(with_token(&server, "env-secret", "GET", "/api/mcp/read/notes", None).await.status, 200);
}
