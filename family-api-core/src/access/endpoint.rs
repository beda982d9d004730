//! The kinds of endpoints.

/// The kind of endpoint on which a token is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// A REST route of the surface.
    Rest,
    /// The MCP endpoint of the surface. Only here are access tokens of grants and of an external issuer valid.
    Mcp,
}
