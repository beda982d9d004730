//! A fresh storage of each kind, and what stamps a test on all of them.

use std::any::Any;
use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::postgres::PostgresOptions;
use family_api_core::storage::sqlite::SqliteStorage;
use family_api_core::storage::{Load, Storage};
use family_api_testing::Server;

/// The requests of a test come one after the other: while a connection is on its way back, another one serves.
const CONNECTIONS: NonZeroU32 = NonZeroU32::new(2).unwrap();

/// All that the tests ask of a storage.
pub(crate) trait LoadStorage: Storage + Load {}

impl<S: Storage + Load> LoadStorage for S {}

/// What a storage lies in; it goes when the last of its holders goes.
pub(crate) type Place = Arc<dyn Any + Send + Sync>;

/// What a test runs on.
#[derive(Clone, Copy)]
pub(crate) enum StorageKind {
    Memory,
    Sqlite,
    Postgres,
}

impl StorageKind {
    /// An empty storage of its own, in a place to be held until the test is over.
    pub(crate) async fn fresh(self) -> (Arc<dyn LoadStorage>, Place) {
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

/// What a test can be given.
pub(crate) trait OnStorage {
    async fn on(kind: StorageKind) -> Self;
}

/// For tests that take several storages.
impl OnStorage for StorageKind {
    async fn on(kind: StorageKind) -> Self {
        kind
    }
}

/// Runs a test on a storage of that kind.
pub(crate) async fn hold<T: OnStorage>(test: impl AsyncFnOnce(T), kind: StorageKind) {
    test(T::on(kind).await).await;
}

/// Stamps each test on every storage: given what the type of its argument makes of one.
macro_rules! on_every_storage {
    ($(async fn $name:ident($given:ident: $type:ty) $body:block)+) => {
        $(async fn $name($given: $type) $body)+

        mod on_memory {
            $(crate::storages::stamp! { $name, Memory })+
        }

        mod on_sqlite {
            $(crate::storages::stamp! { $name, Sqlite })+
        }

        mod on_postgres {
            $(family_api_testing::on_postgres! { crate::storages::stamp, $name, Postgres })+
        }
    };
}
pub(crate) use on_every_storage;

macro_rules! stamp {
    ($(#[$attribute:meta])* $name:ident, $kind:ident) => {
        $(#[$attribute])*
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            crate::storages::hold(super::$name, crate::storages::StorageKind::$kind).await;
        }
    };
}
pub(crate) use stamp;
