//! The MCP endpoints: the tools that an assistant can call (HTTP reference, "MCP endpoints").
//!
//! The crate `family-api-mcp` contains the tools. The [endpoint] receives the messages of clients: it knows HTTP,
//! JSON-RPC and the versions of the protocol.

mod endpoint;
mod message;
mod response;
mod server_info;
mod tool_lists;
mod tool_name;
mod tool_result;
mod version;

pub(crate) use endpoint::{McpEndpoint, OwnOrigin};
pub use tool_name::ToolName;
