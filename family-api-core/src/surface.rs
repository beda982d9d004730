//! The two places that take tokens.

use crate::key::Scope;

/// Where a token is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// `/api/v1`: only while the user's personal API is switched on.
    V1,
    /// `/api/mcp`: reads only, whether or not the personal API is on.
    ReadPath,
}

impl Surface {
    /// Whether a scope is one of this surface's; what a key holds beyond them, it does not hold here.
    #[must_use]
    pub const fn has(self, scope: &Scope) -> bool {
        match scope {
            Scope::McpRead => matches!(self, Self::ReadPath),
            Scope::V1Read | Scope::V1TasksWrite | Scope::V1NotesWrite => matches!(self, Self::V1),
            Scope::Unknown(_) => false,
        }
    }

    /// The scope that opens this surface's reads.
    #[must_use]
    pub const fn read_scope(self) -> Scope {
        match self {
            Self::V1 => Scope::V1Read,
            Self::ReadPath => Scope::McpRead,
        }
    }
}
