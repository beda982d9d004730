//! Grants: connections of users to OAuth clients, for an MCP endpoint (HTTP reference, "Connections").
//!
//! A user approves a client, and the client receives a code. It exchanges the code for an access token and a refresh
//! token. An access token is valid for one hour and only on the endpoint of the grant. A refresh token works once: it
//! replaces both tokens. For 60 seconds, a refresh with the replaced or the new refresh token gets the same tokens, because
//! clients refresh once for each of their parallel calls, and because an answer can be lost. If a code or a refresh token
//! is used again otherwise, the grant ends.

mod approval;
mod client;
mod client_name;
mod keyed_hmac;
mod pkce;
mod rotation;
mod signing_key;
mod token;
mod token_request;

pub use approval::Approval;
pub use client::{InvalidClient, OAuthClient};
pub use client_name::clean_name;
pub use pkce::{CodeChallenge, CodeVerifier, InvalidPkce};
pub use rotation::{Rotation, RotationNonce};
pub use signing_key::SigningKey;
pub use token::{AuthorizationCode, MalformedSecret, RefreshToken};
pub use token_request::{CodeRedemption, IssuedTokens, Refresh, TokenError, UnknownResource};

pub(crate) use token::{
    ACCESS_LIFETIME, CODE_LIFETIME, REFRESH_LIFETIME, access_token, is_access_token, is_access_token_like,
};
