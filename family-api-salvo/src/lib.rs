//! [HTTP reference]: crate::http_api
//! [`embedding`]: crate::embedding
#![doc = include_str!("../README.md")]
//!
//! # Example: create a key and read with it
//!
//! A user creates a key in a session, and a program reads notes with the key. The host's own routes keep working. The
//! example uses salvo's test client:
//!
//! ```
//! # use std::sync::Arc;
//! # use family_api_core::storage::{BulkLoad, Record};
//! # use family_api_memory::MemoryStorage;
//! # use family_api_core::{Error, FamilyApi, id::UserId, storage::SignedIn};
//! # use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
//! # use salvo::{Depot, Request, async_trait};
//! # struct HostSession;
//! # #[async_trait]
//! # impl SessionAuthenticator for HostSession {
//! #     async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
//! #         Ok(req.headers().contains_key("cookie").then(|| "ana".parse::<UserId>().expect("an id").into()))
//! #     }
//! # }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let storage = MemoryStorage::new();
//! # let mut load = storage.begin_load().await?;
//! # for line in [
//! #     r#"{"type":"family","id":"f1","name":"Rivera","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//! #     r#"{"type":"user","id":"ana","familyId":"f1","name":"Ana","email":"ana@example.org","displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmKeyConfigured":false,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//! # ] {
//! #     load.insert(Record::from_json(line.as_bytes())?).await?;
//! # }
//! # load.commit().await?;
//! use salvo::prelude::*;
//! use salvo::test::{ResponseExt, TestClient};
//! use serde_json::{Value, json};
//!
//! #[handler]
//! async fn hello() -> &'static str {
//!     "hello from the host"
//! }
//!
//! let family = FamilyRoutes::new(FamilyApi::new(Arc::new(storage))).session(HostSession).into_router();
//! let app = Service::new(Router::new().push(Router::with_path("hello").get(hello)).push(family));
//!
//! // Ana is signed in and creates a key.
//! let request = TestClient::post("http://127.0.0.1/api/users/me/mcp-tokens").add_header("cookie", "session=…", true);
//! let created: Value = request.json(&json!({ "mode": "v1_read" })).send(&app).await.take_json().await?;
//!
//! // Her program sends the key as a bearer token.
//! let token = created["token"].as_str().unwrap_or_default();
//! let request = TestClient::get("http://127.0.0.1/api/v1/read/notes").bearer_auth(token);
//! assert_eq!(request.send(&app).await.take_string().await?, "[]");
//!
//! // A request without a token gets 401. The host's own route still works.
//! let response = TestClient::get("http://127.0.0.1/api/v1/read/notes").send(&app).await;
//! assert_eq!(response.status_code, Some(StatusCode::UNAUTHORIZED));
//! let mut response = TestClient::get("http://127.0.0.1/hello").send(&app).await;
//! assert_eq!(response.take_string().await?, "hello from the host");
//! # Ok(())
//! # }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc = include_str!("../docs/http-api.md")]
pub mod http_api {}

#[doc = include_str!("../docs/embedding_intro.md")]
#[doc = "\n```no_run"]
#[doc = include_str!("../examples/own_tables.rs")]
#[doc = "```\n"]
#[doc = include_str!("../docs/embedding.md")]
pub mod embedding {}

mod accept_encoding;
mod body;
mod calendar;
mod error;
mod guard;
mod handlers;
#[cfg(feature = "html")]
pub mod html;
mod json_response;
mod location;
#[cfg(feature = "mcp")]
mod mcp;
mod methods;
mod mount;
#[cfg(feature = "oauth")]
mod oauth;
mod openapi;
mod origin;
mod overload;
#[cfg(feature = "pages")]
mod pages;
mod peer;
mod proxy;
mod request_body;
mod request_context;
mod request_headers;
mod response_content;
mod route;
mod routes;
mod session;

pub use body::{BodyLimit, MediaTypes, read_body, read_json};
pub use error::HttpError;
pub use guard::{
    ContentLength, DrainBody, HeaderLimit, HostHeader, LoadShed, PanicGuard, PrivateResponse, RequestIdGuard, SameSite,
    TimeoutGuard, UnreadResponseLimit,
};
#[cfg(feature = "mcp")]
pub use mcp::ToolName;
pub use methods::{Methods, NotFound};
pub use mount::FamilyRoutes;
#[cfg(feature = "oauth")]
pub use oauth::{AuthorizationServer, ClientDocuments, ExternalOAuth, FetchError, InvalidPublicUrl, OAuth, PublicUrl};
pub use origin::{InvalidOrigin, Origin};
pub use overload::Overload;
#[cfg(feature = "pages")]
pub use pages::Pages;
pub use peer::Peer;
pub use proxy::{InvalidNetwork, ProxyNetwork, TrustedProxies};
pub use session::SessionAuthenticator;
