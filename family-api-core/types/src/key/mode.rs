//! The modes of keys.

use serde::{Deserialize, Deserializer, Serialize};

use crate::key::{Scope, ScopeSet};
use crate::surface::Surface;

/// The mode of a new key, which determines its scopes (HTTP reference, "Modes and scopes").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KeyMode {
    /// Reads below `/api/mcp` (the read path).
    McpRead,
    /// Reads below `/api/mcp` and `/api/v1` (the personal API).
    V1Read,
    /// Reads below `/api/mcp` and `/api/v1`, updates of tasks, and updates and deletions of notes below `/api/v1`.
    V1ReadWrite,
    /// Reads below `/api/mcp` and `/api/v1`, and every write below `/api/v1`. Exists only if the host allows it
    /// (`FamilyApiBuilder::full_access`).
    V1Full,
}

impl KeyMode {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::McpRead, Self::V1Read, Self::V1ReadWrite, Self::V1Full];

    /// The modes that every host offers: all except [`V1Full`](Self::V1Full).
    pub const STANDARD: &'static [Self] = &[Self::McpRead, Self::V1Read, Self::V1ReadWrite];

    /// Returns the name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::McpRead => "mcp_read",
            Self::V1Read => "v1_read",
            Self::V1ReadWrite => "v1_read_write",
            Self::V1Full => "v1_full",
        }
    }

    /// Returns the mode with the name on the wire.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }

    /// Returns the scopes of a key with this mode.
    #[must_use]
    pub fn scopes(self) -> ScopeSet {
        let scopes: &[Scope] = match self {
            Self::McpRead => &[Scope::McpRead],
            Self::V1Read => &[Scope::McpRead, Scope::V1Read],
            Self::V1ReadWrite => &[Scope::McpRead, Scope::V1Read, Scope::V1TasksWrite, Scope::V1NotesWrite],
            Self::V1Full => &Scope::KNOWN,
        };
        scopes.iter().cloned().collect()
    }

    /// Returns the mode with these scopes, in any order.
    #[must_use]
    pub fn from_scopes(scopes: &ScopeSet) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.scopes().has_same_scopes(scopes))
    }

    /// Returns the least mode whose scopes on the surface are these scopes, in any order.
    #[must_use]
    pub fn from_scopes_on(surface: Surface, scopes: &ScopeSet) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| !scopes.is_empty() && mode.scopes().on(surface).has_same_scopes(scopes))
    }

    /// Returns whether a key of this mode has access to the personal API. Such a key can be created only while the
    /// personal API is switched on.
    #[must_use]
    pub const fn needs_personal_api(self) -> bool {
        !matches!(self, Self::McpRead)
    }
}

/// Deserializes the mode of an existing key. A mode that this version does not know becomes `None`.
pub(crate) fn deserialize_known<'de, D: Deserializer<'de>>(input: D) -> Result<Option<KeyMode>, D::Error> {
    let name = Option::<String>::deserialize(input)?;
    Ok(name.as_deref().and_then(KeyMode::from_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_found_by_name_and_by_scopes_in_any_order() {
        for (mode, name) in KeyMode::ALL.into_iter().zip(["mcp_read", "v1_read", "v1_read_write", "v1_full"]) {
            assert_eq!((mode.as_str(), KeyMode::from_name(name)), (name, Some(mode)));
            assert_eq!(KeyMode::from_scopes(&mode.scopes()), Some(mode));
            let scopes: Vec<Scope> = mode.scopes().iter().cloned().collect();
            assert_eq!(KeyMode::from_scopes(&scopes.into_iter().rev().collect()), Some(mode));
            assert_eq!(mode.needs_personal_api(), mode.scopes().iter().any(|scope| *scope != Scope::McpRead));
        }
        assert_eq!((KeyMode::from_name("v1"), KeyMode::from_scopes(&ScopeSet::default())), (None, None));
        assert_eq!(KeyMode::from_scopes(&[Scope::V1Read].into_iter().collect()), None);
    }

    #[test]
    fn an_unknown_mode_deserializes_as_none() {
        for (text, mode) in [(r#""v1_read""#, Some(KeyMode::V1Read)), (r#""v2_read""#, None), ("null", None)] {
            assert_eq!(deserialize_known(&mut serde_json::Deserializer::from_str(text)).unwrap(), mode);
        }
        assert!(deserialize_known(&mut serde_json::Deserializer::from_str("1")).is_err());
    }
}
