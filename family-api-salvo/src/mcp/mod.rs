//! The MCP endpoints: the tools that an assistant can call (HTTP reference, "MCP endpoints").
//!
//! An [endpoint] receives the messages of clients: it knows HTTP and the protocol. The [tools] know neither. They check
//! their arguments, call the same services as the REST routes, and return answers for models.

mod endpoint;
mod tools;

pub(crate) use endpoint::McpEndpoint;
pub use endpoint::ToolName;
