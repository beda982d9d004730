//! Creates storages of each kind, and runs a test on all of them.

use std::any::Any;
use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::storage::{BulkLoad, FeedStorage, GrantStorage, Record, Storage};
use family_api_memory::MemoryStorage;
use family_api_sql::postgres::PostgresOptions;
use family_api_sql::sqlite::SqliteStorage;
use family_api_testing::Server;
use serde_json::Value;

/// Connections per storage. Requests of a test are sequential, but a request can begin before the pool has got back the
/// connection of the previous request.
const CONNECTIONS: NonZeroU32 = NonZeroU32::new(2).unwrap();

/// The traits that the tests require of a storage.
pub(crate) trait LoadStorage: Storage + BulkLoad + GrantStorage + FeedStorage {}

impl<S: Storage + BulkLoad + GrantStorage + FeedStorage> LoadStorage for S {}

/// The directory or database of a storage. It is deleted when the last reference is dropped.
pub(crate) type StorageLocation = Arc<dyn Any + Send + Sync>;

/// The kind of storage that a test runs on.
#[derive(Clone, Copy)]
pub(crate) enum StorageKind {
    Memory,
    Sqlite,
    Postgres,
}

impl StorageKind {
    /// Creates an empty storage. Keep the returned location until the end of the test.
    pub(crate) async fn fresh(self) -> (Arc<dyn LoadStorage>, StorageLocation) {
        match self {
            Self::Memory => (Arc::new(MemoryStorage::new()), Arc::new(())),
            Self::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
                (Arc::new(storage), Arc::new(folder))
            }
            Self::Postgres => {
                let database = Server::shared().create_database().await;
                let storage = PostgresOptions::new(database.url()).connections(CONNECTIONS).open().await.unwrap();
                (Arc::new(storage), Arc::new(database))
            }
        }
    }
}

/// Loads lines of the import format.
pub(crate) async fn load(storage: &dyn BulkLoad, lines: impl IntoIterator<Item = Value>) {
    let mut load = storage.begin_load().await.unwrap();
    for line in lines {
        load.insert(Record::from_json(line.to_string().as_bytes()).unwrap()).await.unwrap();
    }
    load.commit().await.unwrap();
}

/// The argument of a test, which is created on a storage of a given kind.
pub(crate) trait OnStorage {
    async fn on(kind: StorageKind) -> Self;
}

/// For tests that create several storages themselves.
impl OnStorage for StorageKind {
    async fn on(kind: StorageKind) -> Self {
        kind
    }
}

/// Runs a test on a storage of this kind.
pub(crate) async fn run_on<T: OnStorage>(test: impl AsyncFnOnce(T), kind: StorageKind) {
    test(T::on(kind).await).await;
}

/// Generates each test for every storage kind. The type of the argument implements [`OnStorage`].
macro_rules! on_every_storage {
    ($(async fn $name:ident($argument:ident: $type:ty) $body:block)+) => {
        $(async fn $name($argument: $type) $body)+

        mod on_memory {
            $(crate::storages::test_on_kind! { $name, Memory })+
        }

        mod on_sqlite {
            $(crate::storages::test_on_kind! { $name, Sqlite })+
        }

        mod on_postgres {
            $(family_api_testing::on_postgres! { crate::storages::test_on_kind, $name, Postgres })+
        }
    };
}
pub(crate) use on_every_storage;

/// Generates a test that runs on one storage kind.
macro_rules! test_on_kind {
    ($(#[$attribute:meta])* $name:ident, $kind:ident) => {
        $(#[$attribute])*
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            crate::storages::run_on(super::$name, crate::storages::StorageKind::$kind).await;
        }
    };
}
pub(crate) use test_on_kind;
