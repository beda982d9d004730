//! The settings with which a program uses a new key.

use crate::html::Assistant;

/// The settings of one program. The page replaces `{key}` by the key, `{read}` by the URL below which the key reads,
/// and `{mcp}` by the URL of the MCP endpoint.
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
pub(super) fn of_assistants() -> impl Iterator<Item = Settings> {
    Assistant::ALL.into_iter().map(|Assistant { name, file, settings }| Settings {
        program: Some(name),
        file: Some(file),
        text: settings.trim_end(),
    })
}
