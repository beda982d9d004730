//! Opens the storage that a database URL names. Only this module depends on concrete storages.

mod error;

pub(crate) use error::OpenError;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use family_api_core::storage::postgres::{PostgresOptions, PostgresStorage};
use family_api_core::storage::sqlite::{SqliteOptions, SqliteStorage};
use family_api_core::storage::{BulkLoad, CredentialStorage, GrantStorage, Storage, StorageStatistics};

use crate::cli::{Cache, ConnectionsOption};
use crate::database::error::PostgresOpenError;

/// An open database. The first four fields are the same storage, as four traits.
pub(crate) struct Database {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) credentials: Arc<dyn CredentialStorage>,
    pub(crate) grants: Arc<dyn GrantStorage>,
    pub(crate) load: Arc<dyn BulkLoad>,
    pub(crate) backend: Backend,
}

/// The same storage by its concrete type, because the traits have no method that closes it.
#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(SqliteStorage),
    Postgres(PostgresStorage),
}

impl Database {
    /// Opens the database of a URL and migrates its schema. Creates a missing SQLite file.
    pub(crate) async fn open(url: &str, connections: &ConnectionsOption, cache: Cache) -> Result<Self, OpenError> {
        match url.split_once(':') {
            Some(("sqlite", _)) => Self::open_sqlite(Path::new(url), connections, cache).await,
            Some(("postgres" | "postgresql", _)) => Self::open_postgres(url, connections).await,
            // Without `//`, the text before the colon may be a user name, so it is not quoted in the error.
            Some((scheme, rest)) if rest.starts_with("//") => {
                Err(OpenError::UnsupportedScheme { scheme: scheme.to_owned() })
            }
            _ => Err(OpenError::NoScheme),
        }
    }

    /// Opens an SQLite database by its path or its `sqlite:` URL.
    pub(crate) async fn open_sqlite(
        database: &Path,
        connections: &ConnectionsOption,
        cache: Cache,
    ) -> Result<Self, OpenError> {
        let mut options = SqliteOptions::new(database);
        if let Some(max) = connections.max {
            options = options.readers(NonZeroU32::from(max));
        }
        if cache == Cache::Off {
            options = options.without_key_cache();
        }
        let sqlite = options.open().await.map_err(|error| OpenError::of_sqlite(error, database))?;
        Ok(Self::of(sqlite.clone(), Backend::Sqlite(sqlite)))
    }

    async fn open_postgres(url: &str, connections: &ConnectionsOption) -> Result<Self, OpenError> {
        let mut options = PostgresOptions::new(url);
        if let Some(max) = connections.max {
            options = options.connections(NonZeroU32::from(max));
        }
        let postgres = options.open().await.map_err(PostgresOpenError::new)?;
        Ok(Self::of(postgres.clone(), Backend::Postgres(postgres)))
    }

    fn of(
        storage: impl Storage + CredentialStorage + GrantStorage + BulkLoad + Clone + 'static,
        backend: Backend,
    ) -> Self {
        Self {
            storage: Arc::new(storage.clone()),
            credentials: Arc::new(storage.clone()),
            grants: Arc::new(storage.clone()),
            load: Arc::new(storage),
            backend,
        }
    }

    /// Waits for running statements and closes all connections.
    pub(crate) async fn close(&self) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.close().await,
            Backend::Postgres(postgres) => postgres.close().await,
        }
    }
}

impl Backend {
    /// Returns the numbers for the metrics.
    pub(crate) fn statistics(&self) -> StorageStatistics {
        match self {
            Self::Sqlite(sqlite) => sqlite.statistics(),
            Self::Postgres(postgres) => postgres.statistics(),
        }
    }
}
