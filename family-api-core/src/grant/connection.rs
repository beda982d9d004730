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
    #[serde(default, deserialize_with = "key::deserialize_known_mode")]
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

/// The live connections of a user, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConnectionList {
    /// The connections.
    pub connections: Vec<Connection>,
}

#[cfg(feature = "service")]
impl ConnectionList {
    pub(crate) fn new(connections: Vec<Connection>) -> Self {
        Self { connections }
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

#[cfg(feature = "service")]
impl RevokedConnection {
    pub(crate) fn new(id: GrantId, revoked_at: Timestamp) -> Self {
        Self { ok: true, id, revoked_at }
    }
}
