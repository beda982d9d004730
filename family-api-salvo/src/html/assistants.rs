//! The settings with which assistants use a key.

/// The placeholder of the URL of the MCP endpoint.
const ENDPOINT: &str = "{mcp}";
/// The placeholder of the key.
const KEY: &str = "{key}";

/// The settings with which an assistant connects to an MCP endpoint with a key.
#[derive(Debug)]
pub struct Assistant {
    /// The name of the assistant.
    pub name: &'static str,
    /// The file that gets the settings.
    pub file: &'static str,
    /// The settings with placeholders.
    pub(crate) settings: &'static str,
}

impl Assistant {
    /// The assistants whose settings are known.
    pub const ALL: [Self; 4] = [
        Self { name: "Claude Code", file: ".mcp.json", settings: include_str!("assistants/claude_code.json") },
        Self { name: "Visual Studio Code", file: ".vscode/mcp.json", settings: include_str!("assistants/vscode.json") },
        Self { name: "Cursor", file: "~/.cursor/mcp.json", settings: include_str!("assistants/cursor.json") },
        Self { name: "Gemini CLI", file: "~/.gemini/settings.json", settings: include_str!("assistants/gemini.json") },
    ];

    /// Returns the settings for the URL of an MCP endpoint and a key.
    #[must_use]
    pub fn settings(&self, url: &str, key: &str) -> String {
        self.settings.trim_end().replace(ENDPOINT, url).replace(KEY, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_contain_the_url_and_the_key_once() {
        for assistant in Assistant::ALL {
            let settings = assistant.settings("https://a.example/mcp", "fam_x");
            assert!(settings.contains("rl\": \"https://a.example/mcp\"") && settings.contains("\"Bearer fam_x\""));
            assert!(!settings.contains("{mcp}") && !settings.contains("{key}"), "{settings}");
        }
    }
}
