//! Resources that are read from the columns of a row. For each resource with joined records: its columns for a
//! `SELECT`, and a function that reads them in the same order.

use crate::resource::{Document, Note, NoteCategory, Person, Revision, Task, TaskStats};
use crate::storage::StorageError;
use crate::storage::record::table::Column;
use crate::storage::sql::{Argument, SqlRow, Values, columns};

/// A resource with a column for each field, except for the fields that follow from other fields or from joined records.
/// `resource_columns!` implements it.
pub(in crate::storage) trait StoredResource: Sized {
    const COLUMNS: &'static [Column];

    /// Reads the columns.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if a value is invalid.
    fn read<R: SqlRow>(values: &mut Values<'_, R>) -> Result<Self, StorageError>;

    /// Returns the values of the columns.
    fn arguments(&self) -> Vec<Argument<'_>>;
}

/// Returns the columns of a task, from `tasks t` joined with `users assignee` and `users creator`.
#[cfg(feature = "postgres")]
pub(in crate::storage) fn task_columns() -> String {
    [columns::<Task>("t"), columns::<Person>("assignee"), columns::<Person>("creator")].join(", ")
}

#[cfg(feature = "postgres")]
pub(in crate::storage) fn task(values: &mut Values<'_, impl SqlRow>) -> Result<Task, StorageError> {
    let task = Task::read(values)?;
    Ok(Task { assignee: values.joined()?, creator: values.joined()?, ..task })
}

/// Returns the columns of a note, from `notes n` joined with `users author` and `note_categories category`.
#[cfg(feature = "postgres")]
pub(in crate::storage) fn note_columns() -> String {
    [columns::<Note>("n"), columns::<Person>("author"), columns::<NoteCategory>("category")].join(", ")
}

#[cfg(feature = "postgres")]
pub(in crate::storage) fn note(values: &mut Values<'_, impl SqlRow>) -> Result<Note, StorageError> {
    let note = Note::read(values)?;
    Ok(Note { author: values.joined()?, category: values.joined()?, ..note })
}

/// Returns the counts of tasks, and the revision of the family.
pub(in crate::storage) fn task_stats(
    values: &mut Values<'_, impl SqlRow>,
) -> Result<Document<TaskStats>, StorageError> {
    let mut count = || values.take::<i64>()?.try_into().map_err(StorageError::corrupt);
    let stats = TaskStats { my_open: count()?, done_today: count()?, done_week: count()?, done_total: count()? };
    Ok(Document::of(&stats)?.with_revision(values.take::<Option<_>>()?.map(Revision::new)))
}
