//! The modes of keys and connections in words.

use family_api_core::key::KeyMode;
use serde::Deserialize;

/// The modes of keys and connections in words.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModesText {
    pub(crate) mcp_read: ModeText,
    pub(crate) v1_read: ModeText,
    pub(crate) v1_read_write: ModeText,
    pub(crate) v1_full: ModeText,
    /// The name of scopes that no mode has.
    pub(crate) other: &'static str,
}

/// A mode in words.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModeText {
    pub(crate) name: &'static str,
    pub(crate) explanation: &'static str,
}

impl ModesText {
    /// Returns the text of a mode.
    pub(crate) const fn of(&self, mode: KeyMode) -> &ModeText {
        match mode {
            KeyMode::McpRead => &self.mcp_read,
            KeyMode::V1Read => &self.v1_read,
            KeyMode::V1ReadWrite => &self.v1_read_write,
            KeyMode::V1Full => &self.v1_full,
        }
    }
}
