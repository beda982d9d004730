//! `family mcp-config`: the blocks that connect assistants, and the blocks in the documentation.

use std::fs;
use std::path::Path;

use family_api_core::key::KeyMode;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, run};

/// The key in the documentation's blocks.
const DOCUMENTED_KEY: &str = "fam_…";

fn block(sandbox: &Sandbox, client: &str, arguments: &[&str]) -> Value {
    sandbox.run(&[&["mcp-config", "--json", "--client", client], arguments].concat()).json()
}

#[test]
fn each_assistant_gets_its_own_format() {
    let sandbox = Sandbox::new();
    let token = sandbox.service.key(KeyMode::V1Read);
    let url = format!("{}/api/v1/mcp", sandbox.service.url);
    let headers = json!({ "Authorization": format!("Bearer {token}") });
    for (client, expected) in [
        ("claude-code", json!({ "mcpServers": { "family": { "type": "http", "url": url, "headers": headers } } })),
        ("vscode", json!({ "servers": { "family": { "type": "http", "url": url, "headers": headers } } })),
        ("cursor", json!({ "mcpServers": { "family": { "url": url, "headers": headers } } })),
        ("gemini", json!({ "mcpServers": { "family": { "httpUrl": url, "headers": headers } } })),
    ] {
        let mut command = sandbox.command(&["mcp-config", "--client", client]);
        let printed = run(command.env("FAMILY_API_TOKEN", &token));
        assert_eq!(printed.code, 0, "{printed:?}");
        assert_eq!(serde_json::from_str::<Value>(&printed.out).unwrap(), expected, "{client}");
        assert!(printed.out.starts_with("{\n  \""), "the block is indented: {}", printed.out);
        assert!(printed.err.contains("json") && !printed.err.contains("fam_"), "{}", printed.err);
    }
}

#[test]
fn the_read_path_and_a_base_path_are_part_of_the_url() {
    let sandbox = Sandbox::new();
    let url = |arguments: &[&str]| block(&sandbox, "cursor", arguments)["mcpServers"]["family"]["url"].clone();
    assert_eq!(url(&["--read-path"]), format!("{}/api/mcp", sandbox.service.url));
    assert_eq!(url(&["--no-check", "--url", "https://family.example/app/"]), "https://family.example/app/api/v1/mcp");
}

#[test]
fn an_unsafe_url_or_a_missing_key_prints_no_block() {
    let sandbox = Sandbox::new();
    let arguments = ["mcp-config", "--client", "vscode"];
    assert_eq!(run(&mut sandbox.command(&arguments)).failed().0, 3);
    let remote = [&arguments[..], &["--url", "http://family.example"]].concat();
    assert_eq!(sandbox.run(&remote).failed().0, 2);
    assert_eq!(sandbox.run(&["mcp-config", "--client", "canary"]).code, 2);
    let allowed = [&remote[..], &["--allow-plain-http", "--json", "--no-check"]].concat();
    assert!(sandbox.run(&allowed).succeeded().contains("http://family.example/api/v1/mcp"));
}

#[test]
fn a_key_that_the_endpoint_refuses_prints_no_block() {
    let sandbox = Sandbox::new();
    let arguments = ["mcp-config", "--client", "cursor"];
    let advice = "a key of mode mcp_read can only read, and only with --read-path";
    sandbox.run_with(KeyMode::McpRead, &arguments).failed_with(3, &[advice]);
    let read_path = [&arguments[..], &["--read-path", "--json"]].concat();
    sandbox.run_with(KeyMode::McpRead, &read_path).succeeded();
    let stopped = [&arguments[..], &["--url", "http://127.0.0.1:1"]].concat();
    assert_eq!(sandbox.run(&stopped).failed().0, 5);
    sandbox.run_signed_in(&["api", "off"]).succeeded();
    sandbox.run_with(KeyMode::McpRead, &arguments).failed_with(3, &["family api on"]);
    let unchecked = [&arguments[..], &["--no-check", "--json"]].concat();
    sandbox.run_with(KeyMode::McpRead, &unchecked).succeeded();
}

#[test]
fn the_documented_blocks_equal_the_printed_blocks() {
    let sandbox = Sandbox::new();
    let readme = documented_blocks("examples/server/README.md", "```json\n", "```");
    let page: Vec<Value> = ["claude_code", "vscode", "cursor", "gemini"].into_iter().map(block_of_the_page).collect();
    assert_eq!(readme, page);
    for client in ["claude-code", "vscode", "cursor", "gemini"] {
        let mut printed = block(&sandbox, client, &["--no-check", "--url", "https://family.example"]);
        let servers = printed.as_object_mut().unwrap().values_mut().next().unwrap();
        servers["family"]["headers"]["Authorization"] = format!("Bearer {DOCUMENTED_KEY}").into();
        assert!(readme.contains(&printed), "{client}: {printed} is not in {readme:?}");
    }
    assert_eq!(readme.len(), 4);
}

/// Returns the block of an assistant on the pages.
fn block_of_the_page(assistant: &str) -> Value {
    let text = read_document(&format!("family-api-salvo/src/html/assistants/{assistant}.json"));
    let text = text.replace("{mcp}", "https://family.example/api/v1/mcp").replace("{key}", DOCUMENTED_KEY);
    serde_json::from_str(&text).unwrap()
}

/// Returns a file of the repository, with a URL in the place of the placeholder.
fn read_document(document: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    fs::read_to_string(path).unwrap().replace("{origin}", "https://family.example")
}

/// Returns the JSON blocks of a document that configure an assistant.
fn documented_blocks(document: &str, start: &str, end: &str) -> Vec<Value> {
    let text = read_document(document);
    let blocks = text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap());
    blocks.filter(|block| block.contains("ervers\"")).map(|block| serde_json::from_str(block).unwrap()).collect()
}
