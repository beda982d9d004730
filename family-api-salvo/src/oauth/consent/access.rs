//! The access that a user can choose on the consent page.

use family_api_core::Surface;
use family_api_core::key::{KeyMode, Scope, ScopeSet};

/// A mode on the surface of the request, narrowed to the requested scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) mode: KeyMode,
    pub(super) scopes: ScopeSet,
}

impl Access {
    /// Returns the choices for the requested scopes, the widest first. The widest is what the client asks for.
    pub(super) fn choices(surface: Surface, requested: &ScopeSet) -> Vec<Self> {
        let modes: &[KeyMode] = match surface {
            Surface::V1 => &[KeyMode::V1ReadWrite, KeyMode::V1Read],
            Surface::ReadPath => &[KeyMode::McpRead],
        };
        let choices = modes.iter().map(|mode| Self::narrowed(*mode, requested));
        // A client that requests no changes cannot get the mode that allows them.
        choices.filter(|access| access.mode != KeyMode::V1ReadWrite || access.changes() != Changes::Nothing).collect()
    }

    fn narrowed(mode: KeyMode, requested: &ScopeSet) -> Self {
        let granted = mode.scopes();
        Self { mode, scopes: requested.iter().filter(|scope| granted.grants(scope)).cloned().collect() }
    }

    /// Returns whether the access includes changes of tasks, and of notes.
    pub(super) fn changes(&self) -> Changes {
        match (self.scopes.grants(&Scope::V1TasksWrite), self.scopes.grants(&Scope::V1NotesWrite)) {
            (true, true) => Changes::TasksAndNotes,
            (true, false) => Changes::Tasks,
            (false, true) => Changes::Notes,
            (false, false) => Changes::Nothing,
        }
    }
}

/// What an app with an access can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    Nothing,
    Tasks,
    Notes,
    TasksAndNotes,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> ScopeSet {
        names.split(' ').map(|name| Scope::from(name.to_owned())).collect()
    }

    #[test]
    fn choices_never_exceed_the_requested_scopes() {
        for (surface, requested, expected) in [
            (Surface::ReadPath, "mcp.read", vec![(KeyMode::McpRead, "mcp.read", Changes::Nothing)]),
            (Surface::V1, "v1.read", vec![(KeyMode::V1Read, "v1.read", Changes::Nothing)]),
            (
                Surface::V1,
                "v1.read v1.notes.write",
                vec![
                    (KeyMode::V1ReadWrite, "v1.read v1.notes.write", Changes::Notes),
                    (KeyMode::V1Read, "v1.read", Changes::Nothing),
                ],
            ),
            (
                Surface::V1,
                "v1.read v1.tasks.write v1.notes.write",
                vec![
                    (KeyMode::V1ReadWrite, "v1.read v1.tasks.write v1.notes.write", Changes::TasksAndNotes),
                    (KeyMode::V1Read, "v1.read", Changes::Nothing),
                ],
            ),
        ] {
            let choices = Access::choices(surface, &set(requested));
            assert_eq!(choices.len(), expected.len(), "{requested}");
            for (choice, (mode, scopes, changes)) in choices.iter().zip(expected) {
                assert_eq!((choice.mode, &choice.scopes, choice.changes()), (mode, &set(scopes), changes));
            }
        }
    }
}
