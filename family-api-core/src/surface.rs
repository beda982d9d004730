//! The two groups of routes that accept tokens.

use crate::key::Scope;

/// A group of routes that accept tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// `/api/v1`: available only while the user's personal API is switched on.
    V1,
    /// `/api/mcp`: reads only, regardless of whether the personal API is switched on.
    ReadPath,
}

/// The kind of endpoint on which a token is presented.
#[cfg(feature = "service")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// A REST route of the surface.
    Rest,
    /// The MCP endpoint of the surface. Only here are access tokens of grants and of an external issuer valid.
    Mcp,
}

impl Surface {
    /// Both surfaces.
    pub const ALL: [Self; 2] = [Self::V1, Self::ReadPath];

    /// Returns whether a scope applies to this surface. The other scopes of a key grant nothing on this surface.
    #[must_use]
    pub const fn has_scope(self, scope: &Scope) -> bool {
        match scope {
            Scope::McpRead => matches!(self, Self::ReadPath),
            Scope::V1Read
            | Scope::V1TasksWrite
            | Scope::V1NotesWrite
            | Scope::V1TasksManage
            | Scope::V1NotesManage
            | Scope::V1EventsWrite
            | Scope::V1ShoppingWrite => matches!(self, Self::V1),
            Scope::Unknown(_) => false,
        }
    }

    /// Returns the scope that reads on this surface require.
    #[must_use]
    pub const fn read_scope(self) -> Scope {
        match self {
            Self::V1 => Scope::V1Read,
            Self::ReadPath => Scope::McpRead,
        }
    }
}
