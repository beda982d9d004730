//! The authorization server for the MCP endpoints (HTTP reference, "Connecting without a key").
//!
//! A user pastes the address of an MCP endpoint into an assistant. The [challenge](metadata_challenge) of the endpoint
//! leads the assistant to the [metadata]. The assistant identifies itself as a [client], either by the address of a
//! metadata document or by a registration, which stores nothing. The user signs in to the host app and consents, and
//! the assistant gets tokens.

mod authorization_request;
mod authorization_server;
mod authorize;
mod client;
mod consent;
mod context;
mod endpoint_error;
mod error;
mod external;
mod json_body;
mod metadata;
mod metadata_challenge;
mod options;
mod page_error;
mod parameters;
mod public_cors;
mod public_url;
mod public_url_source;
mod redirect_uri;
mod refused_request;
mod reply;
mod revoke;
mod router;
mod see_other;
mod token;

pub use authorization_server::AuthorizationServer;
pub use client::{ClientDocuments, FetchError};
pub(crate) use client::{ClientError, ClientResolver, ResolvedClient};
pub(crate) use context::OAuthContext;
pub use external::ExternalOAuth;
pub(crate) use metadata::router as metadata_router;
pub(crate) use metadata_challenge::MetadataChallenge;
pub use options::OAuth;
pub use public_url::{InvalidPublicUrl, PublicUrl};
pub(crate) use redirect_uri::RedirectUri;
pub(crate) use router::router;
