//! The two groups of routes that accept tokens: `/api/v1` and the read path.

/// `/api/v1` or the read path: decides which scopes apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// `/api/v1`: available only while the user's personal API is switched on.
    V1,
    /// `/api/mcp`: reads only, regardless of whether the personal API is switched on.
    ReadPath,
}

impl Surface {
    /// Both surfaces.
    pub const ALL: [Self; 2] = [Self::V1, Self::ReadPath];
}
