//! `family mcp-config`

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::commands::read::PathOption;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{json, messages};

#[derive(Debug, Args)]
pub(crate) struct McpConfigArguments {
    /// The assistant to connect
    #[arg(long)]
    client: Assistant,
    #[command(flatten)]
    path: PathOption,
    /// Print the block without asking the service whether it accepts the key
    #[arg(long)]
    no_check: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Assistant {
    /// Claude Code
    ClaudeCode,
    /// Visual Studio Code
    Vscode,
    /// Cursor
    Cursor,
    /// Gemini CLI
    Gemini,
}

/// The server in a block of a configuration file, in the format that the assistant's documentation describes.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Server<'a> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    transport: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_url: Option<&'a str>,
    headers: BTreeMap<&'static str, String>,
}

impl Assistant {
    /// Returns the block of the configuration file that adds the service.
    fn block(self, url: &str, token: &str) -> impl Serialize {
        let headers = BTreeMap::from([("Authorization", format!("Bearer {token}"))]);
        let server = match self {
            Self::ClaudeCode | Self::Vscode => {
                Server { transport: Some("http"), url: Some(url), headers, ..Server::default() }
            }
            Self::Cursor => Server { url: Some(url), headers, ..Server::default() },
            Self::Gemini => Server { http_url: Some(url), headers, ..Server::default() },
        };
        let servers = if matches!(self, Self::Vscode) { "servers" } else { "mcpServers" };
        BTreeMap::from([(servers, BTreeMap::from([("family", server)]))])
    }

    /// Returns the files that can contain the block.
    fn files(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".mcp.json in the project's folder",
            Self::Vscode => {
                ".vscode/mcp.json in the workspace, or to the file that `MCP: Open User Configuration` opens"
            }
            Self::Cursor => "~/.cursor/mcp.json, or to .cursor/mcp.json in the project's folder",
            Self::Gemini => "~/.gemini/settings.json",
        }
    }
}

/// Prints the block to standard output, and the file that it belongs to on standard error.
///
/// Reads with the key first, because an assistant only reports that it cannot connect. The MCP endpoint accepts the same
/// keys as the reads on its surface.
pub(crate) fn run(context: &Context, arguments: &McpConfigArguments) -> Result<(), Failure> {
    let token = context.token()?;
    let client = context.client_with(&token, arguments.path.surface())?;
    if !arguments.no_check {
        client.read().task_stats().wait()?;
    }
    let url = client.mcp_url();
    let block = arguments.client.block(&url, &token);
    match context.output {
        Output::Json => output::print_line(&json::document(&block)?)?,
        Output::Table => {
            output::print_line(&json::indented(&block)?)?;
            let files = arguments.client.files();
            messages::print_messages(&[format!("add this to {files}. It contains the key: keep the file private")]);
        }
    }
    Ok(())
}
