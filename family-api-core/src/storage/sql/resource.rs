//! Resources that are read from the columns of a row.

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
