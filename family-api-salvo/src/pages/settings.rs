//! The settings with which a program uses a new key.

use std::borrow::Cow;

use family_api_core::resource::ResourceKind;
use family_api_core::storage::Capabilities;

use crate::html::Assistant;

/// The settings of one program. The page replaces `{key}` by the key, `{read}` by the URL below which the key reads,
/// and `{mcp}` by the URL of the MCP endpoint.
pub(super) struct Settings {
    /// The name of the program. `None` is a terminal.
    pub(super) program: Option<&'static str>,
    /// The file that gets the settings.
    pub(super) file: Option<&'static str>,
    pub(super) text: Cow<'static, str>,
}

/// Returns the settings of a terminal, which reads the shortest resource that the app keeps.
pub(super) fn of_terminal(app: &Capabilities) -> Option<Settings> {
    let resource = Some(ResourceKind::TaskStats).filter(|stats| app.keeps_resource(*stats));
    let resource = resource.or_else(|| app.resources().next())?;
    let text = format!("curl -sS -H 'Authorization: Bearer {{key}}' \\\n  '{{read}}/{}'", resource.as_str());
    Some(Settings { program: None, file: None, text: text.into() })
}

/// Returns the settings of Home Assistant, which shows a number of tasks.
pub(super) fn of_home_assistant(app: &Capabilities) -> Option<Settings> {
    let text = r#"rest:
  - resource: "{read}/task_stats"
    headers:
      Authorization: "Bearer {key}"
    scan_interval: 300
    sensor:
      - name: "My open tasks"
        value_template: "{{ value_json.myOpen }}""#;
    let settings =
        Settings { program: Some("Home Assistant"), file: Some("configuration.yaml"), text: Cow::Borrowed(text) };
    app.keeps_resource(ResourceKind::TaskStats).then_some(settings)
}

/// The settings of assistants, which need the MCP endpoints.
pub(super) fn of_assistants() -> impl Iterator<Item = Settings> {
    Assistant::ALL.into_iter().map(|Assistant { name, file, settings }| Settings {
        program: Some(name),
        file: Some(file),
        text: settings.trim_end().into(),
    })
}
