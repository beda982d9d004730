//! The statements of writes. SQLite and PostgreSQL execute the same text.

mod note;
mod task;

use crate::storage::sql::SqlConnection;
use crate::storage::write_sequence::RecordChange;
use crate::storage::{Member, StorageError};

/// The statements of a change. A connection in the transaction of the write executes them.
pub(in crate::storage) trait SqlChange: RecordChange {
    /// Finds the facts. Returns `None` if the member does not see the record.
    fn select_facts<S: SqlConnection>(
        &self,
        connection: &mut S,
        member: &Member,
    ) -> impl Future<Output = Result<Option<Self::Facts>, StorageError>> + Send;

    /// Stores the record if the member still sees it, and returns whether it was stored.
    fn store<S: SqlConnection>(
        connection: &mut S,
        member: &Member,
        write: &Self::Write,
    ) -> impl Future<Output = Result<bool, StorageError>> + Send;
}

/// Returns every statement, for the tests of the query plans.
#[cfg(test)]
pub(in crate::storage) fn statements() -> [&'static str; 6] {
    [note::DELETE, &note::FIND_FACTS, &note::UPDATE, &task::FIND_FACTS, task::SHIFT_TASKS, &task::UPDATE]
}
