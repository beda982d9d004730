//! How records are stored: the table of a kind, its columns, and the records that it refers to.

use crate::storage::Record;
use crate::storage::value::{Type, Value};

/// The kinds whose ids are unique among all families. Other ids are unique within their family.
const GLOBAL_KINDS: [&str; 4] = ["family", "user", "key", "calendarFeed"];

/// The table of a kind of record.
#[derive(Debug)]
pub struct Table {
    /// The value of `type` in the import format.
    pub kind: &'static str,
    /// The name of the table in a database.
    pub name: &'static str,
    /// The columns, in the order of [`Record::values`].
    pub columns: &'static [TableColumn],
    /// The references to records that must exist before. The family comes before other parents.
    pub references: &'static [Reference],
}

/// A column of a table.
#[derive(Debug)]
pub struct TableColumn {
    /// The name. The field of the same name in JSON is its [`field_name`].
    pub name: &'static str,
    /// How the values are stored.
    pub value: Type,
}

/// A column that refers to another record, which must exist before.
#[derive(Debug)]
pub struct Reference {
    /// The name of the column.
    pub column: &'static str,
    /// The kind of the other record.
    pub kind: &'static str,
    /// Whether every database has a foreign key for the reference.
    pub is_keyed: bool,
}

/// Identifies a record among all records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopedId<'r> {
    /// The kind of the record.
    pub kind: &'static str,
    /// The family of the record. `None` if the id is unique among all families.
    pub family: Option<&'r str>,
    /// The identifier.
    pub id: &'r str,
}

impl Record {
    /// Returns what identifies the record among all records.
    #[must_use]
    pub fn record_id(&self) -> ScopedId<'_> {
        self.scoped(self.kind(), self.id())
    }

    /// Returns the references of the record, each with the record that must exist.
    pub fn references(&self) -> impl Iterator<Item = (&'static Reference, ScopedId<'_>)> {
        let ids = self.table().references.iter().zip(self.referenced_ids());
        ids.filter_map(|(reference, id)| Some((reference, self.scoped(reference.kind, id?))))
    }

    /// Returns the family to which the record belongs.
    #[must_use]
    pub fn family(&self) -> Option<&str> {
        let mut ids = self.table().references.iter().zip(self.referenced_ids());
        ids.find(|(reference, _)| reference.kind == "family").and_then(|(_, id)| id)
    }

    fn scoped<'r>(&'r self, kind: &'static str, id: &'r str) -> ScopedId<'r> {
        ScopedId { kind, family: if is_global(kind) { None } else { self.family() }, id }
    }
}

impl Reference {
    /// Returns the name of the field in the import format.
    #[must_use]
    pub fn field(&self) -> String {
        field_name(self.column)
    }
}

impl Table {
    /// Returns the position of a column.
    #[must_use]
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|other| other.name == column)
    }
}

impl TableColumn {
    /// Creates the column of a field.
    #[must_use]
    pub const fn of<V: Value>(name: &'static str) -> Self {
        Self { name, value: V::TYPE }
    }
}

/// Returns the name in JSON of the field that a column stores: `column_id` → `columnId`.
#[must_use]
pub fn field_name(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |field, word| field + &word[..1].to_ascii_uppercase() + &word[1..])
}

/// Returns whether the ids of a kind are unique among all families.
#[must_use]
pub fn is_global(kind: &str) -> bool {
    GLOBAL_KINDS.contains(&kind)
}
