//! Connections on the wire, as their user sees them.

use serde::{Deserialize, Serialize};

use crate::id::GrantId;
use crate::key::{self, KeyMode, ScopeSet};
use crate::timestamp::Timestamp;

/// A connection of a user to an OAuth client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// Identifier of the connection.
    pub id: GrantId,
    /// Name of the client, as the client claims it; null if it claims none.
    pub client: Option<String>,
    /// The host of the client: of its redirect address, or of its metadata document.
    pub host: String,
    /// The mode with the scopes of the connection; null if no mode has these scopes.
    #[serde(default, deserialize_with = "key::mode::deserialize_known")]
    pub mode: Option<KeyMode>,
    /// The scopes of the connection.
    pub scopes: ScopeSet,
    /// The path of the MCP endpoint that the client may use.
    pub resource: String,
    /// When the user approved the connection.
    pub created_at: Timestamp,
    /// When the client last used the connection, truncated to the minute; null if it never did.
    pub last_used_at: Option<Timestamp>,
}

/// How a secret of a connection was misused, so that the service has ended the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Misuse {
    /// The code was presented again after it was redeemed.
    CodeReused,
    /// The code was presented with a wrong verifier, client, redirect address or resource.
    CodeMisused,
    /// A refresh token was presented that had been replaced.
    RefreshTokenReused,
}

impl Misuse {
    /// Every misuse.
    pub const ALL: [Self; 3] = [Self::CodeReused, Self::CodeMisused, Self::RefreshTokenReused];

    /// Returns the name of the misuse, as on the wire and in a log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CodeReused => "code_reused",
            Self::CodeMisused => "code_misused",
            Self::RefreshTokenReused => "refresh_token_reused",
        }
    }
}

/// A connection that the service has ended because one of its secrets was misused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MisusedConnection {
    /// Identifier of the connection.
    pub id: GrantId,
    /// Name of the client, as the client claims it; null if it claims none.
    pub client: Option<String>,
    /// The host of the client: of its redirect address, or of its metadata document.
    pub host: String,
    /// When the service ended the connection.
    pub ended_at: Timestamp,
    /// How a secret of the connection was misused.
    pub misuse: Misuse,
}

/// The connections of a user, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConnectionList {
    /// The connections that have not ended.
    pub connections: Vec<Connection>,
    /// The connections that the service has ended in the last 30 days because one of their secrets was misused. At most
    /// the 10 newest.
    #[serde(default)]
    pub misused: Vec<MisusedConnection>,
}

impl ConnectionList {
    /// Creates the list.
    #[must_use]
    pub fn new(connections: Vec<Connection>, misused: Vec<MisusedConnection>) -> Self {
        Self { connections, misused }
    }
}

/// The response to the revocation of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RevokedConnection {
    /// Always true.
    pub ok: bool,
    /// Identifier of the connection that was revoked.
    pub id: GrantId,
    /// When the connection was revoked: from this instant on, its tokens are refused.
    pub revoked_at: Timestamp,
}

impl RevokedConnection {
    /// Creates the response.
    #[must_use]
    pub fn new(id: GrantId, revoked_at: Timestamp) -> Self {
        Self { ok: true, id, revoked_at }
    }
}
