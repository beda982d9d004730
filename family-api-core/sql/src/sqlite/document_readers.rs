//! Read-only connections that build documents, on the runtime's threads for blocking work.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use family_api_core::resource::Document;
use family_api_core::storage::{Member, StorageError};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::sqlite::database::BUSY_TIMEOUT;
use crate::sqlite::document_builder::{BuiltDocument, DocumentRequest, MAX_DOCUMENT, NotBuilt, build_document};
use crate::sqlite::error::read_fault;
use crate::sqlite::health::CHECK;
use crate::statistics::PoolStatistics;

/// The number of prepared statements that each connection keeps. All documents together have fewer.
const CACHED_STATEMENTS: usize = 32;

/// A pool of connections of rusqlite. A driver that runs each connection on its own thread would copy every row to the
/// thread of the caller, and a large document would take several times its size.
#[derive(Clone)]
pub(super) struct DocumentReaders {
    file: Arc<Path>,
    max: NonZeroU32,
    /// A permit for each connection that can be used.
    connections: Arc<Semaphore>,
    /// The open connections that are not in use. The others are opened when they are needed.
    idle: Arc<Mutex<Vec<Connection>>>,
    /// The permit for the only large document that is built at a time.
    large: Arc<Semaphore>,
    /// The maximum size of a document in bytes.
    max_bytes: usize,
}

impl DocumentReaders {
    /// Creates a pool of up to `max` connections to a file.
    pub(super) fn new(file: PathBuf, max: NonZeroU32) -> Self {
        let permits = usize::try_from(max.get()).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self {
            file: file.into(),
            max,
            connections: Arc::new(Semaphore::new(permits)),
            idle: Arc::default(),
            large: Arc::new(Semaphore::new(1)),
            max_bytes: MAX_DOCUMENT,
        }
    }

    /// Builds a document. A large one begins again if another large one is being built when it becomes large.
    ///
    /// If the caller is cancelled, the connection and the permit of a large document are in use until the thread has
    /// ended.
    pub(super) async fn read<T>(
        &self,
        member: &Member,
        arrays: &'static [String],
        arguments: [Value; 2],
    ) -> Result<Document<T>, StorageError> {
        let max_bytes = self.max_bytes;
        let request = Arc::new(DocumentRequest { member: member.clone(), max_bytes, arrays, arguments });
        let mut built = self.build(Arc::clone(&request), None).await;
        if matches!(built, Err(NotBuilt::IsLarge)) {
            let permit = acquire(&self.large).await?;
            built = self.build(request, Some(permit)).await;
        }
        match built {
            Ok(BuiltDocument { json, revision }) => Ok(Document::from_json(json).with_revision(revision)),
            Err(NotBuilt::Fault(fault)) => Err(fault),
            // Not reached, because the second call has the permit.
            Err(NotBuilt::IsLarge) => Err(StorageError::unavailable("another large document is being built")),
        }
    }

    async fn build(
        &self,
        request: Arc<DocumentRequest>,
        large: Option<OwnedSemaphorePermit>,
    ) -> Result<BuiltDocument, NotBuilt> {
        let permits = Arc::clone(&self.large);
        self.run(move |connection| build_document(connection, &request, &permits, large)).await
    }

    /// Checks that the file can be read. Opens a connection if none is idle.
    pub(super) async fn check(&self) -> Result<(), StorageError> {
        self.run(|connection| connection.query_row(CHECK, [], |_| Ok(())).map_err(read_fault)).await
    }

    /// Runs work with a connection on a thread for blocking work.
    async fn run<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let permit = acquire(&self.connections).await?;
        let readers = self.clone();
        let run = move || {
            let connection = readers.connection()?;
            let result = work(&connection);
            readers.put_back(connection);
            drop(permit);
            result
        };
        spawn_blocking(run).await.map_err(StorageError::backend)?
    }

    /// Keeps a connection for the next call. Closes it if its transaction was not rolled back, because later calls would
    /// read the old snapshot or fail to begin.
    fn put_back(&self, connection: Connection) {
        if connection.is_autocommit() {
            self.idle().push(connection);
        }
    }

    /// Returns an idle connection or opens one.
    fn connection(&self) -> Result<Connection, StorageError> {
        let idle = self.idle().pop();
        idle.map_or_else(|| self.open().map_err(read_fault), Ok)
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.file, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        Ok(connection)
    }

    /// Returns the numbers of the pool.
    pub(super) fn statistics(&self) -> PoolStatistics {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let idle = number(self.idle().len());
        let max = self.max.get();
        let in_use = max.saturating_sub(number(self.connections.available_permits()));
        // A connection that was just put back is idle while its permit is still in use.
        let open = idle.saturating_add(in_use).min(max);
        PoolStatistics { name: "documents", max, open, idle }
    }

    /// Waits for the documents that are being built, and closes the connections. Later reads fail.
    pub(super) async fn close(&self) {
        let all = self.connections.acquire_many(self.max.get()).await;
        self.connections.close();
        self.large.close();
        self.idle().clear();
        drop(all);
    }

    /// Ignores a poisoned lock: a panic cannot leave the list half changed.
    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a permit.
async fn acquire(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, StorageError> {
    let acquired = timeout(BUSY_TIMEOUT, Arc::clone(permits).acquire_owned()).await;
    acquired.map_err(StorageError::unavailable)?.map_err(StorageError::unavailable)
}

#[cfg(test)]
mod tests;
