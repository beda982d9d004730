//! Resources that are read from the columns of a row.

use crate::resource::{Document, Revision, TaskStats};
use crate::storage::StorageError;
use crate::storage::record::table::Column;
use crate::storage::sql::{Argument, SqlRow, Values};

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

/// Returns the counts of tasks, and the revision of the family.
pub(in crate::storage) fn task_stats(
    values: &mut Values<'_, impl SqlRow>,
) -> Result<Document<TaskStats>, StorageError> {
    let mut count = || values.take::<i64>()?.try_into().map_err(StorageError::corrupt);
    let stats = TaskStats { my_open: count()?, done_today: count()?, done_week: count()?, done_total: count()? };
    Ok(Document::of(&stats)?.with_revision(values.take::<Option<_>>()?.map(Revision::new)))
}
