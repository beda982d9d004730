//! The access that a user can choose on the consent page.

use family_api_core::Surface;
use family_api_core::key::{KeyMode, ScopeSet};

/// A mode on the surface of the request, narrowed to the requested scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) mode: KeyMode,
    pub(super) scopes: ScopeSet,
}

impl Access {
    /// Returns the choices for the requested scopes, the narrowest first. The widest is what the client asks for. A
    /// mode that adds no requested scope to the one before it is left out.
    pub(super) fn choices(surface: Surface, requested: &ScopeSet) -> Vec<Self> {
        let modes: &[KeyMode] = match surface {
            Surface::V1 => &[KeyMode::V1Read, KeyMode::V1ReadWrite, KeyMode::V1Full],
            Surface::ReadPath => &[KeyMode::McpRead],
        };
        let mut choices: Vec<Self> = modes.iter().map(|mode| Self::narrowed(*mode, requested)).collect();
        choices.dedup_by(|wider, narrower| wider.scopes == narrower.scopes);
        choices
    }

    fn narrowed(mode: KeyMode, requested: &ScopeSet) -> Self {
        let granted = mode.scopes();
        Self { mode, scopes: requested.iter().filter(|scope| granted.grants(scope)).cloned().collect() }
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::key::Scope;

    use super::*;

    fn set(names: &str) -> ScopeSet {
        names.split(' ').map(|name| Scope::from(name.to_owned())).collect()
    }

    #[test]
    fn choices_never_exceed_the_requested_scopes() {
        for (surface, requested, expected) in [
            (Surface::ReadPath, "mcp.read", vec![(KeyMode::McpRead, "mcp.read")]),
            (Surface::V1, "v1.read", vec![(KeyMode::V1Read, "v1.read")]),
            (
                Surface::V1,
                "v1.read v1.notes.write",
                vec![(KeyMode::V1Read, "v1.read"), (KeyMode::V1ReadWrite, "v1.read v1.notes.write")],
            ),
            (
                Surface::V1,
                "v1.read v1.shopping.write",
                vec![(KeyMode::V1Read, "v1.read"), (KeyMode::V1Full, "v1.read v1.shopping.write")],
            ),
            (
                Surface::V1,
                "v1.read v1.tasks.write v1.notes.write v1.events.write",
                vec![
                    (KeyMode::V1Read, "v1.read"),
                    (KeyMode::V1ReadWrite, "v1.read v1.tasks.write v1.notes.write"),
                    (KeyMode::V1Full, "v1.read v1.tasks.write v1.notes.write v1.events.write"),
                ],
            ),
        ] {
            let choices = Access::choices(surface, &set(requested));
            let expected: Vec<Access> =
                expected.into_iter().map(|(mode, scopes)| Access { mode, scopes: set(scopes) }).collect();
            assert_eq!(choices, expected, "{requested}");
        }
    }
}
