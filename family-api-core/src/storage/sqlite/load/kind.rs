//! How each kind of record becomes rows of its table.

use sqlx::error::ErrorKind;

use crate::storage::LoadFault;

/// A kind of record; `?1` of its statements is a JSON array of rows, each an array of values: the field that leads to the
/// parent, then the columns in the order of the statement.
///
/// The statements take the rows from a `MATERIALIZED` table: else SQLite writes the text of a row anew for each of its
/// columns.
pub(super) struct Kind {
    /// As the import format names it.
    pub(super) name: &'static str,
    /// What stores the rows. A row whose parent is not there has no family, which no table takes.
    pub(super) sql: &'static [&'static str],
    /// The field that names the parent.
    parent: &'static str,
    /// The field that names what else must be there.
    reference: &'static str,
    /// How many rows are stored at once.
    pub(super) most: usize,
}

impl Kind {
    pub(super) const fn new(name: &'static str, sql: &'static [&'static str], parent: &'static str) -> Self {
        Self { name, sql, parent, reference: parent, most: usize::MAX }
    }

    pub(super) const fn with_reference(self, reference: &'static str) -> Self {
        Self { reference, ..self }
    }

    pub(super) const fn one_by_one(self) -> Self {
        Self { most: 1, ..self }
    }

    /// What a violated constraint says of a record; SQLite names the constraint in its message only.
    pub(super) fn fault(&self, error: &sqlx::Error) -> Option<LoadFault> {
        let error = error.as_database_error()?;
        let violates = |constraint| error.message().ends_with(constraint);
        match error.kind() {
            ErrorKind::UniqueViolation if violates("users.email") => Some(LoadFault::exists("email")),
            ErrorKind::UniqueViolation if violates("integration_keys.digest") => Some(LoadFault::exists("tokenHash")),
            ErrorKind::UniqueViolation => Some(LoadFault::exists("id")),
            ErrorKind::NotNullViolation if violates(".family_id") => Some(LoadFault::no_parent(self.parent)),
            ErrorKind::ForeignKeyViolation => Some(LoadFault::no_parent(self.reference)),
            ErrorKind::CheckViolation if violates("parent_id <> id") => Some(LoadFault::no_parent(self.reference)),
            _ if violates("unknown owner_user_id") => Some(LoadFault::no_parent("ownerUserId")),
            _ => None,
        }
    }
}
