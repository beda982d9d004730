//! The authorization server for the MCP endpoints (HTTP reference, "Connecting without a key").
//!
//! A user pastes the address of an MCP endpoint into an assistant. The [challenge](challenge) of the endpoint leads the
//! assistant to the [metadata]. The assistant identifies itself as a [client], either by the address of a metadata
//! document or by a registration, which stores nothing. The user signs in to the host app and consents, and the
//! assistant gets tokens.

mod builder;
mod client;
mod issuer;
mod redirect_uri;
mod router;
mod sign_in_page;
mod state;

pub use builder::OAuth;
pub(crate) use client::{ClientError, ClientResolver, ResolvedClient};
pub use issuer::{InvalidIssuer, Issuer};
pub(crate) use redirect_uri::RedirectUri;
pub(crate) use router::router;
pub(crate) use sign_in_page::SignInPage;
pub(crate) use state::OAuthState;
