//! Which storage serves: the only place that knows one by its name.

use std::path::Path;
use std::sync::Arc;

use family_api_core::storage::sqlite::{self, SqliteStorage};
use family_api_core::storage::{Credentials, Load, Storage};

/// A database could not be opened; the message holds no part of the URL that may be secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("databases of the kind `{scheme}` are not supported, expected sqlite:PATH")]
    UnsupportedScheme { scheme: String },
    #[error("the database URL has no scheme, expected sqlite:PATH")]
    NoScheme,
    #[error(transparent)]
    Sqlite(#[from] sqlite::OpenError),
}

/// An open database, as what it can do.
pub(crate) struct Database {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) credentials: Arc<dyn Credentials>,
    pub(crate) load: Arc<dyn Load>,
    connections: Connections,
}

enum Connections {
    Sqlite(SqliteStorage),
}

impl Database {
    /// Opens the database of a URL, creates it where it is missing, and brings its schema up to date.
    pub(crate) async fn open(url: &str) -> Result<Self, OpenError> {
        match url.split_once(':') {
            Some(("sqlite", _)) => Self::open_sqlite(Path::new(url)).await,
            Some((scheme, _)) => Err(OpenError::UnsupportedScheme { scheme: scheme.to_owned() }),
            None => Err(OpenError::NoScheme),
        }
    }

    /// Opens an SQLite database by its path or `sqlite:` URL.
    pub(crate) async fn open_sqlite(database: &Path) -> Result<Self, OpenError> {
        let sqlite = SqliteStorage::open(database).await?;
        Ok(Self {
            storage: Arc::new(sqlite.clone()),
            credentials: Arc::new(sqlite.clone()),
            load: Arc::new(sqlite.clone()),
            connections: Connections::Sqlite(sqlite),
        })
    }

    /// Waits for what is under way, and closes the database.
    pub(crate) async fn close(&self) {
        match &self.connections {
            Connections::Sqlite(sqlite) => sqlite.close().await,
        }
    }
}
