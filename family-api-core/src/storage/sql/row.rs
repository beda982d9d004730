//! Rows of results. An invalid value is [`StorageError::Corrupt`].

use sqlx::error::UnexpectedNullError;

use crate::storage::StorageError;
use crate::storage::record::value::ColumnValue;
use crate::storage::sql::StoredResource;
use crate::timestamp::Timestamp;

/// A row, whose columns are read by their position. Every method returns `None` for `NULL`.
pub(in crate::storage) trait SqlRow {
    fn text(&self, position: usize) -> Result<Option<&str>, StorageError>;

    fn integer(&self, position: usize) -> Result<Option<i64>, StorageError>;

    fn boolean(&self, position: usize) -> Result<Option<bool>, StorageError>;

    fn instant(&self, position: usize) -> Result<Option<Timestamp>, StorageError>;

    fn texts(&self, position: usize) -> Result<Option<Vec<String>>, StorageError>;

    fn bytes(&self, position: usize) -> Result<Option<&[u8]>, StorageError>;
}

/// Reads the values of a row, in the order of the statement's columns.
pub(in crate::storage) struct Values<'r, R> {
    row: &'r R,
    next: usize,
}

impl<'r, R: SqlRow> Values<'r, R> {
    pub(in crate::storage) fn of(row: &'r R) -> Self {
        Self { row, next: 0 }
    }

    /// Returns the next value, a text, without advancing.
    pub(in crate::storage) fn peek(&self) -> Result<Option<&'r str>, StorageError> {
        self.row.text(self.next)
    }

    /// Returns the next value. `NULL` is [`StorageError::Corrupt`] unless the type is an `Option`.
    pub(in crate::storage) fn take<V: ColumnValue>(&mut self) -> Result<V, StorageError> {
        let value = V::read(self.row, self.next)?;
        self.next += 1;
        value.ok_or_else(|| StorageError::corrupt(UnexpectedNullError))
    }

    pub(in crate::storage) fn skip(&mut self, count: usize) {
        self.next += count;
    }

    /// Reads a resource from its columns. Returns `None` if its id is `NULL`, because no row was joined.
    pub(in crate::storage) fn joined<T: StoredResource>(&mut self) -> Result<Option<T>, StorageError> {
        if self.peek()?.is_some() {
            return T::read(self).map(Some);
        }
        self.skip(T::COLUMNS.len());
        Ok(None)
    }
}
