//! The scopes of keys.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::surface::Surface;

/// One permission of a key (HTTP reference, "Modes and scopes").
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum Scope {
    /// Reads below `/api/mcp` (the read path).
    McpRead,
    /// Reads below `/api/v1` (the personal API).
    V1Read,
    /// Updates of tasks.
    V1TasksWrite,
    /// Updates and deletions of notes.
    V1NotesWrite,
    /// Creations, deletions and restorations of tasks.
    V1TasksManage,
    /// Creations and restorations of notes, and writes of their categories.
    V1NotesManage,
    /// Writes of events.
    V1EventsWrite,
    /// Writes of shopping items.
    V1ShoppingWrite,
    /// Writes of boards, their columns, and shopping lists.
    V1BoardsManage,
    /// A scope that this version does not know. It is stored and listed, but grants nothing.
    Unknown(String),
}

impl Scope {
    /// The scopes that this version knows.
    pub const KNOWN: [Self; 9] = [
        Self::McpRead,
        Self::V1Read,
        Self::V1TasksWrite,
        Self::V1NotesWrite,
        Self::V1TasksManage,
        Self::V1NotesManage,
        Self::V1EventsWrite,
        Self::V1ShoppingWrite,
        Self::V1BoardsManage,
    ];

    /// Returns the scope that reads on a surface require.
    #[must_use]
    pub const fn read(surface: Surface) -> Self {
        match surface {
            Surface::V1 => Self::V1Read,
            Surface::ReadPath => Self::McpRead,
        }
    }

    /// Returns whether the scope applies to a surface. The other scopes of a key grant nothing there.
    #[must_use]
    pub const fn applies_to(&self, surface: Surface) -> bool {
        match self {
            Self::McpRead => matches!(surface, Surface::ReadPath),
            Self::V1Read
            | Self::V1TasksWrite
            | Self::V1NotesWrite
            | Self::V1TasksManage
            | Self::V1NotesManage
            | Self::V1EventsWrite
            | Self::V1ShoppingWrite
            | Self::V1BoardsManage => matches!(surface, Surface::V1),
            Self::Unknown(_) => false,
        }
    }

    /// Returns the name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::McpRead => "mcp.read",
            Self::V1Read => "v1.read",
            Self::V1TasksWrite => "v1.tasks.write",
            Self::V1NotesWrite => "v1.notes.write",
            Self::V1TasksManage => "v1.tasks.manage",
            Self::V1NotesManage => "v1.notes.manage",
            Self::V1EventsWrite => "v1.events.write",
            Self::V1ShoppingWrite => "v1.shopping.write",
            Self::V1BoardsManage => "v1.boards.manage",
            Self::Unknown(name) => name,
        }
    }
}

impl From<String> for Scope {
    fn from(name: String) -> Self {
        let known = Self::KNOWN.into_iter().find(|scope| scope.as_str() == name);
        known.unwrap_or(Self::Unknown(name))
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> Self {
        scope.as_str().to_owned()
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Scope {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scope".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known: Vec<String> = Self::KNOWN.map(String::from).to_vec();
        schemars::json_schema!({ "type": "string", "examples": known })
    }
}

/// The scopes of a key, in the stored order. An empty set grants nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ScopeSet(Vec<Scope>);

impl ScopeSet {
    /// Returns whether the set contains the scope. A scope that this version does not know is never granted.
    #[must_use]
    pub fn grants(&self, scope: &Scope) -> bool {
        !matches!(scope, Scope::Unknown(_)) && self.0.contains(scope)
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the set contains every scope of `other`.
    #[must_use]
    pub fn contains_all(&self, other: &Self) -> bool {
        other.0.iter().all(|scope| self.0.contains(scope))
    }

    /// Returns the scopes that apply to a surface.
    #[must_use]
    pub fn on(&self, surface: Surface) -> Self {
        self.0.iter().filter(|scope| scope.applies_to(surface)).cloned().collect()
    }

    /// Returns the scopes that `other` contains too.
    #[must_use]
    pub fn only(&self, other: &Self) -> Self {
        self.0.iter().filter(|scope| other.0.contains(scope)).cloned().collect()
    }

    /// Returns the scopes.
    pub fn iter(&self) -> impl Iterator<Item = &Scope> {
        self.0.iter()
    }

    pub(crate) fn has_same_scopes(&self, other: &Self) -> bool {
        self.contains_all(other) && other.contains_all(self)
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] = [
        "mcp.read",
        "v1.read",
        "v1.tasks.write",
        "v1.notes.write",
        "v1.tasks.manage",
        "v1.notes.manage",
        "v1.events.write",
        "v1.shopping.write",
        "v1.boards.manage",
    ];

    #[test]
    fn each_scope_serializes_as_its_name() {
        for (scope, name) in Scope::KNOWN.into_iter().zip(NAMES) {
            assert_eq!((scope.as_str(), scope.to_string().as_str()), (name, name));
            assert_eq!(serde_json::to_value(&scope).unwrap(), name);
            assert_eq!(serde_json::from_value::<Scope>(name.into()).unwrap(), scope);
        }
        assert_eq!(Scope::from("V1.read".to_owned()), Scope::Unknown("V1.read".into()));
    }

    #[test]
    fn a_set_grants_its_known_scopes_only() {
        let unknown = Scope::Unknown("v2.read".into());
        let set: ScopeSet = [Scope::V1Read, unknown.clone()].into_iter().collect();
        assert!(set.grants(&Scope::V1Read) && !set.grants(&Scope::McpRead) && !set.grants(&unknown));
        assert!(!ScopeSet::default().grants(&Scope::V1Read));
        assert_eq!(set.iter().map(Scope::as_str).collect::<Vec<_>>(), ["v1.read", "v2.read"]);
    }

    #[cfg(feature = "schema")]
    #[test]
    fn the_schema_is_a_string_with_the_known_names_as_examples() {
        let schema = schemars::schema_for!(Scope);
        assert_eq!(schema.get("title").unwrap(), "Scope");
        assert_eq!(schema.get("type").unwrap(), "string");
        assert_eq!(*schema.get("examples").unwrap(), serde_json::json!(NAMES));
    }
}
