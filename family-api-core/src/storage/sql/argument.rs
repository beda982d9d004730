//! The arguments of statements, and the connections that execute them.

use std::ops::ControlFlow;

use crate::storage::StorageError;
use crate::storage::record::value::ColumnValue;
use crate::storage::sql::SqlRow;
use crate::timestamp::Timestamp;

/// An argument of a statement. `None` is `NULL`.
pub(in crate::storage) enum Argument<'a> {
    Text(Option<&'a str>),
    Integer(Option<i64>),
    Boolean(Option<bool>),
    Instant(Option<Timestamp>),
    Texts(Option<Vec<&'a str>>),
    Bytes(Option<&'a [u8; 32]>),
}

impl<'a> Argument<'a> {
    pub(in crate::storage) fn of<V: ColumnValue>(value: &'a V) -> Self {
        V::argument(Some(value))
    }
}

/// A connection that executes statements with the arguments `$1`, `$2` and so on.
pub(in crate::storage) trait SqlConnection: Send {
    type Row: SqlRow + Send;

    /// Executes a query that returns at most one row.
    fn find_row(
        &mut self,
        sql: &'static str,
        arguments: Vec<Argument<'_>>,
    ) -> impl Future<Output = Result<Option<Self::Row>, StorageError>> + Send;

    /// Executes a query, and returns all rows.
    fn find_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Argument<'_>>,
    ) -> impl Future<Output = Result<Vec<Self::Row>, StorageError>> + Send;

    /// Executes a query, and passes its rows to `visit` until it returns `Break`. The other rows are discarded.
    fn visit_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Argument<'_>>,
        visit: impl FnMut(&Self::Row) -> Result<ControlFlow<()>, StorageError> + Send,
    ) -> impl Future<Output = Result<(), StorageError>> + Send;

    /// Executes a statement, and returns the number of changed rows.
    fn count_changes(
        &mut self,
        sql: &'static str,
        arguments: Vec<Argument<'_>>,
    ) -> impl Future<Output = Result<u64, StorageError>> + Send;

    /// Executes a statement, and returns whether it changed a row.
    fn change_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Argument<'_>>,
    ) -> impl Future<Output = Result<bool, StorageError>> + Send {
        async move { Ok(self.count_changes(sql, arguments).await? > 0) }
    }
}
