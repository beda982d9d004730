//! The connections that execute statements.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use family_api_core::storage::StorageError;
use family_api_core::storage::value::{Datum, StoredRow};

/// The database that executes a statement.
#[derive(Clone, Copy)]
pub(crate) enum Engine {
    #[cfg(feature = "sqlite")]
    Sqlite,
    #[cfg(feature = "postgres")]
    Postgres,
}

impl Engine {
    pub(crate) const ALL: &[Self] = &[
        #[cfg(feature = "sqlite")]
        Self::Sqlite,
        #[cfg(feature = "postgres")]
        Self::Postgres,
    ];
}

/// A value that is built once for each [`Engine`], such as a statement whose text differs.
pub(crate) struct PerEngine<T>([OnceLock<T>; Engine::ALL.len()]);

impl<T> PerEngine<T> {
    pub(crate) const fn new() -> Self {
        Self([const { OnceLock::new() }; Engine::ALL.len()])
    }

    pub(crate) fn get(&self, engine: Engine, build: fn(Engine) -> T) -> &T {
        self.0[engine as usize].get_or_init(|| build(engine))
    }
}

/// A connection that executes statements with the arguments `$1`, `$2` and so on.
pub(crate) trait SqlConnection: Send {
    type Row: StoredRow + Send;

    fn engine(&self) -> Engine;

    /// Executes a query that returns at most one row.
    fn find_row(
        &mut self,
        sql: &'static str,
        arguments: Vec<Datum<'_>>,
    ) -> impl Future<Output = Result<Option<Self::Row>, StorageError>> + Send;

    /// Executes a query, and returns all rows.
    fn find_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Datum<'_>>,
    ) -> impl Future<Output = Result<Vec<Self::Row>, StorageError>> + Send;

    /// Executes a statement, and returns the number of changed rows.
    fn execute(
        &mut self,
        sql: &'static str,
        arguments: Vec<Datum<'_>>,
    ) -> impl Future<Output = Result<u64, StorageError>> + Send;
}

/// A connection that reads the rows of a query one after the other.
pub(crate) trait VisitRows: SqlConnection {
    /// Executes a query, and passes its rows to `visit` until it returns `Break`. The other rows are discarded.
    fn visit_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Datum<'_>>,
        visit: impl FnMut(&Self::Row) -> Result<ControlFlow<()>, StorageError> + Send,
    ) -> impl Future<Output = Result<(), StorageError>> + Send;
}
