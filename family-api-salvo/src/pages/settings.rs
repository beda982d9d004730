//! The settings with which a program uses a new key.

/// The settings of one program. The page replaces `{key}` by the key, `{read}` by the URL below which the key reads, and
/// `{mcp}` by the URL of the MCP endpoint.
pub(super) struct Settings {
    /// The name of the program. `None` is a terminal.
    pub(super) program: Option<&'static str>,
    /// The file that gets the settings.
    pub(super) file: Option<&'static str>,
    pub(super) text: &'static str,
}

/// The settings that need only the REST routes.
pub(super) const REST: [Settings; 2] = [
    Settings { program: None, file: None, text: "curl -sS -H 'Authorization: Bearer {key}' \\\n  '{read}/task_stats'" },
    Settings {
        program: Some("Home Assistant"),
        file: Some("configuration.yaml"),
        text: r#"rest:
  - resource: "{read}/task_stats"
    headers:
      Authorization: "Bearer {key}"
    scan_interval: 300
    sensor:
      - name: "My open tasks"
        value_template: "{{ value_json.myOpen }}""#,
    },
];

/// The settings of assistants, which need the MCP endpoints.
pub(super) const ASSISTANTS: [Settings; 4] = [
    Settings {
        program: Some("Claude Code"),
        file: Some(".mcp.json"),
        text: r#"{
  "mcpServers": {
    "family": {
      "type": "http",
      "url": "{mcp}",
      "headers": { "Authorization": "Bearer {key}" }
    }
  }
}"#,
    },
    Settings {
        program: Some("Visual Studio Code"),
        file: Some(".vscode/mcp.json"),
        text: r#"{
  "servers": {
    "family": {
      "type": "http",
      "url": "{mcp}",
      "headers": { "Authorization": "Bearer {key}" }
    }
  }
}"#,
    },
    Settings {
        program: Some("Cursor"),
        file: Some("~/.cursor/mcp.json"),
        text: r#"{
  "mcpServers": {
    "family": {
      "url": "{mcp}",
      "headers": { "Authorization": "Bearer {key}" }
    }
  }
}"#,
    },
    Settings {
        program: Some("Gemini CLI"),
        file: Some("~/.gemini/settings.json"),
        text: r#"{
  "mcpServers": {
    "family": {
      "httpUrl": "{mcp}",
      "headers": { "Authorization": "Bearer {key}" }
    }
  }
}"#,
    },
];
