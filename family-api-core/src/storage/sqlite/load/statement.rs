//! A record as the statement that stores it.

use sqlx::error::ErrorKind;
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments};

use crate::storage::sqlite::load::{events, notes, people, shopping, tasks};
use crate::storage::{LoadFault, Record, StorageError};

/// A statement that stores nothing where the record's parent is not there.
pub(super) struct Statement {
    pub(super) query: Query<'static, Sqlite, SqliteArguments>,
    pub(super) refused: Refusals,
}

/// Which field is to blame when a record is refused.
#[derive(Clone, Copy)]
pub(super) struct Refusals {
    /// Nothing was stored.
    pub(super) parent: &'static str,
    /// A foreign key was not met.
    pub(super) reference: &'static str,
}

impl Refusals {
    pub(super) const fn parent(parent: &'static str) -> Self {
        Self { parent, reference: parent }
    }

    /// What a violated constraint says of the record; SQLite names the constraint in its message only.
    pub(super) fn fault(self, error: &sqlx::Error) -> Option<LoadFault> {
        let error = error.as_database_error()?;
        match error.kind() {
            ErrorKind::UniqueViolation if error.message().ends_with("users.email") => Some(LoadFault::exists("email")),
            ErrorKind::UniqueViolation if error.message().ends_with("integration_keys.digest") => {
                Some(LoadFault::exists("tokenHash"))
            }
            ErrorKind::UniqueViolation => Some(LoadFault::exists("id")),
            ErrorKind::ForeignKeyViolation => Some(LoadFault::no_parent(self.reference)),
            ErrorKind::CheckViolation if error.message().ends_with("parent_id <> id") => {
                Some(LoadFault::no_parent(self.reference))
            }
            _ => None,
        }
    }
}

/// The statements that store a record, in their order: one, and one more for a password.
pub(super) fn statements(record: Record) -> Result<Vec<Statement>, StorageError> {
    Ok(vec![match record {
        Record::Family(family) => people::family(family),
        Record::User(user) => return Ok(people::user(user)),
        Record::Key(key) => people::key(key)?,
        Record::NoteCategory(category) => notes::category(category),
        Record::Board(board) => tasks::board(board),
        Record::Column(column) => tasks::column(column),
        Record::Task(task) => tasks::task(task)?,
        Record::Event(event) => events::event(event),
        Record::ShoppingList(list) => shopping::list(list),
        Record::ShoppingItem(item) => shopping::item(item),
        Record::Note(note) => notes::note(note)?,
    }])
}
