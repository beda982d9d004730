//! How a file is opened.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use sqlx::sqlite::SqliteConnectOptions;

use crate::storage::key_lookups::KeyLookups;
use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::{OpenError, SqliteStorage};

const READERS: NonZeroU32 = NonZeroU32::new(4).unwrap();

/// Settings of an [`SqliteStorage`].
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    database: PathBuf,
    readers: NonZeroU32,
}

impl SqliteOptions {
    /// The default settings for a path or a `sqlite:` URL.
    #[must_use]
    pub fn new(database: impl AsRef<Path>) -> Self {
        Self { database: database.as_ref().to_owned(), readers: READERS }
    }

    /// How many connections read at the same time; 4 where nothing is said.
    #[must_use]
    pub fn readers(self, readers: NonZeroU32) -> Self {
        Self { readers, ..self }
    }

    /// Opens the file; it is created and migrated where needed.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the file.
    pub async fn open(self) -> Result<SqliteStorage, OpenError> {
        let file = match self.database.to_str() {
            Some(url) if url.starts_with("sqlite:") => SqliteConnectOptions::from_str(url).map_err(fault)?,
            _ => SqliteConnectOptions::new().filename(&self.database),
        };
        let connections = Connections::open(file, self.readers).await?;
        Ok(SqliteStorage { connections, lookups: Arc::new(KeyLookups::new()) })
    }
}
