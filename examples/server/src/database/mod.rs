//! Opens the storage that a database URL names. Only this module depends on concrete storages.

mod backup;
mod error;
mod inspect;

pub(crate) use backup::{CopyError, Restore, backup};
pub(crate) use error::OpenError;
pub(crate) use inspect::inspect;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use family_api_core::storage::{
    Administration, BulkLoad, BulkUpdate, CredentialStorage, Export, FeedStorage, GrantStorage, RestoredStorage,
    Storage,
};
use family_api_sql::StorageStatistics;
use family_api_sql::postgres::{PostgresOptions, PostgresStorage};
use family_api_sql::sqlite::{BackupError, SqliteOptions, SqliteStorage};

use crate::cli::{Cache, ConnectionsOption};
use crate::database::error::PostgresOpenError;

/// Whether a command creates a missing database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Create,
    Refuse,
}

/// All that a storage can do.
pub(crate) trait AnyStorage:
    Storage
    + CredentialStorage
    + GrantStorage
    + FeedStorage
    + BulkLoad
    + BulkUpdate
    + Export
    + RestoredStorage
    + Administration
{
}

impl AnyStorage for SqliteStorage {}
impl AnyStorage for PostgresStorage {}

/// An open database.
pub(crate) struct Database {
    pub(crate) storage: Arc<dyn AnyStorage>,
    /// The URL of the database, with an absolute path and without a password.
    pub(crate) location: String,
    /// Whether the tables did not exist before.
    pub(crate) is_new: bool,
    pub(crate) backend: Backend,
}

/// The kind of database that a URL names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

impl DatabaseKind {
    fn of(url: &str) -> Result<Self, OpenError> {
        match url.split_once(':') {
            None | Some(("sqlite", _)) => Ok(Self::Sqlite),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres),
            // Without `//`, the text before the colon may be a user name, so it is not quoted in the error.
            Some((scheme, rest)) if rest.starts_with("//") => {
                Err(OpenError::UnsupportedScheme { scheme: scheme.to_owned() })
            }
            _ => Err(OpenError::NoScheme),
        }
    }
}

/// The same storage by its concrete type, because the traits have no method that closes it.
#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(SqliteStorage),
    Postgres(PostgresStorage),
}

impl Database {
    /// Opens the database of a URL or of the path of an SQLite file, and migrates its schema.
    pub(crate) async fn open(
        url: &str,
        connections: &ConnectionsOption,
        cache: Cache,
        missing: Missing,
    ) -> Result<Self, OpenError> {
        match DatabaseKind::of(url)? {
            DatabaseKind::Sqlite => Self::open_sqlite(Path::new(url), connections, cache, missing).await,
            DatabaseKind::Postgres => Self::open_postgres(url, connections, missing).await,
        }
    }

    /// Opens an SQLite database by its path or its `sqlite:` URL.
    pub(crate) async fn open_sqlite(
        database: &Path,
        connections: &ConnectionsOption,
        cache: Cache,
        missing: Missing,
    ) -> Result<Self, OpenError> {
        let mut options = SqliteOptions::new(database);
        if let Some(max) = connections.max {
            options = options.readers(NonZeroU32::from(max));
        }
        if cache == Cache::Off {
            options = options.without_token_cache();
        }
        if missing == Missing::Refuse {
            options = options.must_exist();
        }
        let sqlite = options.open().await.map_err(|error| OpenError::of_sqlite(error, database))?;
        let (storage, location, is_new) = (Arc::new(sqlite.clone()), sqlite.location(), sqlite.is_new());
        Ok(Self { storage, location, is_new, backend: Backend::Sqlite(sqlite) })
    }

    async fn open_postgres(url: &str, connections: &ConnectionsOption, missing: Missing) -> Result<Self, OpenError> {
        let mut options = PostgresOptions::new(url);
        if let Some(max) = connections.max {
            options = options.connections(NonZeroU32::from(max));
        }
        if missing == Missing::Refuse {
            options = options.must_exist();
        }
        let postgres = options.open().await.map_err(PostgresOpenError::new)?;
        let (storage, location, is_new) = (Arc::new(postgres.clone()), postgres.location(), postgres.is_new());
        Ok(Self { storage, location, is_new, backend: Backend::Postgres(postgres) })
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
    /// Refuses a file that belongs to the database, such as its write-ahead log.
    pub(crate) fn check_foreign(&self, file: &Path) -> Result<(), CopyError> {
        match self {
            Self::Sqlite(sqlite) if sqlite.owns(file) => Err(BackupError::SameFile { file: file.to_owned() }.into()),
            Self::Sqlite(_) | Self::Postgres(_) => Ok(()),
        }
    }

    /// Returns the maximum number of connections in the pools.
    pub(crate) fn max_connections(&self) -> usize {
        self.statistics().pools.iter().map(|pool| pool.max as usize).sum()
    }

    /// Returns the numbers for the metrics.
    pub(crate) fn statistics(&self) -> StorageStatistics {
        match self {
            Self::Sqlite(sqlite) => sqlite.statistics(),
            Self::Postgres(postgres) => postgres.statistics(),
        }
    }
}
