//! The MCP endpoints: the tools that an assistant can call (HTTP reference, "MCP endpoints").
//!
//! The guards of the bearer routes run first. An [endpoint](endpoint) then checks the read scope, the origin and the
//! body. If the answer is not in the [cache](answer_cache), it passes the message to `rmcp`, which implements the
//! protocol. The [server](server) answers the methods of the protocol. The endpoint runs the
//! [tool that is called](tool_call), so that the tool ends with its request. Each tool calls the same services as the
//! REST routes.

mod answer;
mod answer_cache;
mod arguments;
mod call;
mod endpoint;
mod error;
mod fields;
#[cfg(test)]
mod fixture;
mod instant;
mod json;
mod message;
mod outcomes;
mod page;
mod place;
mod record_kind;
mod records;
mod server;
mod text_part;
mod tool;
mod tool_call;
mod tool_name;
mod tools;

pub(crate) use endpoint::McpEndpoint;
pub use tool_name::ToolName;
