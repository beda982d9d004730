//! The tags under which the OpenAPI document groups operations.

use salvo::http::Method;
use serde_json::{Value, json};

use crate::route::{Route, RouteGroup};

/// Returns the tags of these routes.
pub(super) fn tags(routes: &[&Route]) -> Value {
    let mut groups: Vec<_> = routes.iter().map(|route| route.group).collect();
    groups.sort_unstable();
    groups.dedup_by_key(|group| group.tag());
    groups.into_iter().map(|group| json!({ "name": group.tag(), "description": group.description(routes) })).collect()
}

impl RouteGroup {
    /// Returns the OpenAPI tag of the group's operations.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::V1 | Self::Batch => "Personal API",
            Self::ReadPath => "Read path",
            #[cfg(feature = "mcp")]
            Self::Mcp => "Assistants",
            Self::Profile => "Profile",
            Self::Keys => "Integration keys",
            Self::Connections => "Connections",
            Self::Feeds => "Calendar feeds",
            Self::Records => "Family records",
            Self::OpenApi | Self::Docs => "Documentation",
        }
    }

    /// Returns the description of the group, of which these routes are mounted.
    fn description(self, routes: &[&Route]) -> &'static str {
        let writes = |route: &&Route| route.group == self && route.method != Method::GET;
        match self {
            Self::V1 | Self::Batch if !routes.iter().any(writes) => {
                "Reads with a token. The token's user must have the personal API switched on."
            }
            Self::V1 | Self::Batch => {
                "Reads and writes with a token. The token's user must have the personal API switched on."
            }
            Self::ReadPath => "Reads with a token. They work even if the personal API is switched off.",
            #[cfg(feature = "mcp")]
            Self::Mcp => "The MCP endpoints. An assistant calls their tools with a token.",
            Self::Profile => "The profile of the signed-in user.",
            Self::Keys => "The integration keys of the signed-in user.",
            Self::Connections => "The assistants that the signed-in user has connected without a key.",
            Self::Feeds => "The calendar feeds of the signed-in user.",
            Self::Records => "Writes of the family's records, for the signed-in user.",
            Self::OpenApi | Self::Docs if !routes.iter().any(|route| route.group == Self::Docs) => {
                "This OpenAPI document."
            }
            Self::OpenApi | Self::Docs => "This OpenAPI document, and the page that renders it.",
        }
    }
}
