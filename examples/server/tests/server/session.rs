//! Sign-in and key creation.

use serde_json::json;

use crate::client::{in_session, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Server;

pub(crate) const KEYS: &str = "/api/users/me/mcp-tokens";

/// A key from the response that created it.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) id: String,
    pub(crate) token: String,
}

impl Key {
    pub(crate) fn from_json(created: &serde_json::Value) -> Self {
        let text = |name: &str| created[name].as_str().unwrap().to_owned();
        Self { id: text("id"), token: text("token") }
    }
}

/// Signs in a user and returns the session cookie.
pub(crate) async fn session_cookie(server: &Server, user: &str) -> String {
    sign_in(server, &format!("{user}@family.example"), PASSWORD).await.cookie()
}

/// Creates a key with full access.
pub(crate) async fn create_key(server: &Server, cookie: &str) -> Key {
    let created = in_session(server, cookie, "POST", KEYS, Some(json!({ "mode": "v1_full" }))).await;
    assert_eq!(created.status, 201, "{created:?}");
    Key::from_json(&created.json())
}
