//! `family mcp-config`

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

/// The block of the configuration file that adds the service, in the format that the assistant's documentation
/// describes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Block<'a> {
    McpServers(Servers<'a>),
    Servers(Servers<'a>),
}

/// The servers by name.
#[derive(Serialize)]
struct Servers<'a> {
    family: Server<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Server<'a> {
    Typed {
        #[serde(rename = "type")]
        transport: &'static str,
        url: &'a str,
        headers: Headers<'a>,
    },
    Url {
        url: &'a str,
        headers: Headers<'a>,
    },
    HttpUrl {
        #[serde(rename = "httpUrl")]
        url: &'a str,
        headers: Headers<'a>,
    },
}

#[derive(Serialize)]
struct Headers<'a> {
    #[serde(rename = "Authorization")]
    authorization: &'a str,
}

impl Assistant {
    fn block<'a>(self, url: &'a str, authorization: &'a str) -> Block<'a> {
        let headers = Headers { authorization };
        match self {
            Self::ClaudeCode => {
                Block::McpServers(Servers { family: Server::Typed { transport: "http", url, headers } })
            }
            Self::Vscode => Block::Servers(Servers { family: Server::Typed { transport: "http", url, headers } }),
            Self::Cursor => Block::McpServers(Servers { family: Server::Url { url, headers } }),
            Self::Gemini => Block::McpServers(Servers { family: Server::HttpUrl { url, headers } }),
        }
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
    let authorization = format!("Bearer {token}");
    let block = arguments.client.block(&url, &authorization);
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
