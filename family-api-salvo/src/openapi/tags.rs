//! The tags under which the OpenAPI document groups operations.

use crate::route::RouteGroup;

impl RouteGroup {
    /// Returns the OpenAPI tag of the group's operations.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::V1 => "Personal API",
            Self::ReadPath => "Read path",
            #[cfg(feature = "mcp")]
            Self::Mcp => "Assistants",
            Self::Profile => "Profile",
            Self::Keys => "Integration keys",
            Self::Connections => "Connections",
            Self::Records => "Family records",
            Self::OpenApi | Self::Docs => "Documentation",
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::V1 => "Reads and writes with a token. The token's user must have the personal API switched on.",
            Self::ReadPath => "Reads with a token. They work even if the personal API is switched off.",
            #[cfg(feature = "mcp")]
            Self::Mcp => "The MCP endpoints. An assistant calls their tools with a token.",
            Self::Profile => "The profile of the signed-in user.",
            Self::Keys => "The integration keys of the signed-in user.",
            Self::Connections => "The assistants that the signed-in user has connected without a key.",
            Self::Records => "Writes of the family's records, for the signed-in user.",
            Self::OpenApi | Self::Docs => "This OpenAPI document, and the page that renders it.",
        }
    }
}
