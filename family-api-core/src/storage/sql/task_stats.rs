//! The counts of tasks, from a row.

use crate::resource::{Document, Revision, TaskStats};
use crate::storage::StorageError;
use crate::storage::value::{StoredRow, Values};

/// Returns the counts of tasks, and the revision of the family.
pub(in crate::storage) fn task_stats(
    values: &mut Values<'_, impl StoredRow>,
) -> Result<Document<TaskStats>, StorageError> {
    let mut count = || values.take::<i64>()?.try_into().map_err(StorageError::corrupt);
    let stats = TaskStats { my_open: count()?, done_today: count()?, done_week: count()?, done_total: count()? };
    Ok(Document::of(&stats)?.with_revision(values.take::<Option<_>>()?.map(Revision::new)))
}
