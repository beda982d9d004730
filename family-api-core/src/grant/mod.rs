//! Grants: connections of users to OAuth clients, for an MCP endpoint (HTTP reference, "Connections").
//!
//! A user approves a client, and the client receives a code. It exchanges the code for an access token and a refresh
//! token. An access token is valid for one hour and only on the endpoint of the grant. A refresh token works once: it
//! replaces both tokens. For 60 seconds, a refresh with the replaced or the new refresh token gets the same tokens, because
//! clients refresh once for each of their parallel calls, and because an answer can be lost. If a code or a refresh token
//! is used again otherwise, the grant ends.

#[cfg(feature = "service")]
mod approval;
#[cfg(feature = "service")]
mod client;
#[cfg(feature = "service")]
mod client_name;
mod connection;
#[cfg(feature = "service")]
mod keyed_hmac;
#[cfg(feature = "service")]
mod pkce;
#[cfg(feature = "service")]
mod rotation;
#[cfg(feature = "service")]
mod signing_key;
#[cfg(feature = "service")]
mod token;
#[cfg(feature = "service")]
mod token_request;

#[cfg(feature = "service")]
pub use approval::Approval;
#[cfg(feature = "service")]
pub use client::{InvalidClient, OAuthClient};
#[cfg(feature = "service")]
pub use client_name::clean_name;
pub use connection::{Connection, ConnectionList, Misuse, MisusedConnection, RevokedConnection};
#[cfg(feature = "service")]
pub use pkce::{CodeChallenge, CodeVerifier, InvalidPkce};
#[cfg(feature = "service")]
pub use rotation::{Rotation, RotationNonce};
#[cfg(feature = "service")]
pub use signing_key::SigningKey;
#[cfg(feature = "service")]
pub use token::{AuthorizationCode, MalformedSecret, RefreshToken};
#[cfg(feature = "service")]
pub use token_request::{CodeRedemption, IssuedTokens, Refresh, TokenError, UnknownResource};

#[cfg(feature = "service")]
pub(crate) use token::{
    ACCESS_LIFETIME, CODE_LIFETIME, REFRESH_LIFETIME, access_token, is_access_token, is_access_token_like,
};
