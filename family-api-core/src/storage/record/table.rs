//! How records are stored: the table of a kind, its columns, and the records that it refers to.

#[cfg(any(feature = "postgres", feature = "sqlite"))]
use crate::storage::record::value::{Type, Value};

/// The kinds whose ids are unique among all families. Other ids are unique within their family.
const GLOBAL_KINDS: [&str; 3] = ["family", "user", "key"];

/// The table of a kind of record.
pub(in crate::storage) struct Table {
    /// The value of `type` in the import format.
    pub(in crate::storage) kind: &'static str,
    /// The name of the table in a database.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(in crate::storage) name: &'static str,
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(in crate::storage) columns: &'static [Column],
    /// The references to records that must exist before. The family comes before other parents.
    pub(in crate::storage) references: &'static [Reference],
}

/// A column of a table.
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub(in crate::storage) struct Column {
    pub(in crate::storage) name: &'static str,
    pub(in crate::storage) value: Type,
}

/// A column that refers to another record, which must exist before.
pub(in crate::storage) struct Reference {
    pub(in crate::storage) column: &'static str,
    /// The kind of the other record.
    pub(in crate::storage) kind: &'static str,
    /// Whether every database has a foreign key for the reference.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(in crate::storage) is_keyed: bool,
}

/// Identifies a record among all records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::storage) struct RecordId<'r> {
    pub(in crate::storage) kind: &'static str,
    /// `None` if the id is unique among all families.
    pub(in crate::storage) family: Option<&'r str>,
    pub(in crate::storage) id: &'r str,
}

/// A record that can be stored in its [`Table`].
pub(in crate::storage) trait StoredRecord: Sync {
    fn table(&self) -> &'static Table;

    fn id(&self) -> &str;

    /// Returns the id of each reference of the table, or `None` if the record refers to none.
    fn referenced_ids(&self) -> Vec<Option<&str>>;

    /// Returns the row: a JSON array of the values of the columns.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    fn row(&self) -> serde_json::Result<String>;
}

impl dyn StoredRecord + '_ {
    pub(in crate::storage) fn record_id(&self) -> RecordId<'_> {
        self.scoped(self.table().kind, self.id())
    }

    /// Returns the references of the record, each with the record that must exist.
    pub(in crate::storage) fn references(&self) -> impl Iterator<Item = (&'static Reference, RecordId<'_>)> {
        let ids = self.table().references.iter().zip(self.referenced_ids());
        ids.filter_map(|(reference, id)| Some((reference, self.scoped(reference.kind, id?))))
    }

    /// Returns the family to which the record belongs.
    pub(in crate::storage) fn family(&self) -> Option<&str> {
        let mut ids = self.table().references.iter().zip(self.referenced_ids());
        ids.find(|(reference, _)| reference.kind == "family").and_then(|(_, id)| id)
    }

    fn scoped<'r>(&'r self, kind: &'static str, id: &'r str) -> RecordId<'r> {
        RecordId { kind, family: if is_global(kind) { None } else { self.family() }, id }
    }
}

impl Reference {
    /// Returns the name of the field in the import format.
    pub(in crate::storage) fn field(&self) -> String {
        field_name(self.column)
    }
}

/// Returns the name in JSON of the field that a column stores: `column_id` → `columnId`.
pub(in crate::storage) fn field_name(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |field, word| field + &word[..1].to_ascii_uppercase() + &word[1..])
}

/// Returns whether the ids of a kind are unique among all families.
pub(in crate::storage) fn is_global(kind: &str) -> bool {
    GLOBAL_KINDS.contains(&kind)
}

#[cfg(any(feature = "postgres", feature = "sqlite"))]
impl Table {
    /// Returns the position of a column in the rows of [`StoredRecord::row`].
    pub(in crate::storage) fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|other| other.name == column)
    }
}

#[cfg(any(feature = "postgres", feature = "sqlite"))]
impl Column {
    pub(super) const fn new<V: Value>(name: &'static str) -> Self {
        Self { name, value: V::TYPE }
    }
}
