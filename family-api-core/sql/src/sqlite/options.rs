//! Settings for opening a file.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use family_api_core::storage::StorageError;
use sqlx::sqlite::SqliteConnectOptions;

use crate::migration_state::NoTables;
use crate::sqlite::database::Database;
use crate::sqlite::document_readers::DocumentReaders;
use crate::sqlite::error::fault;
use crate::sqlite::file_version::FileVersion;
use crate::sqlite::token_cache::TokenCache;
use crate::sqlite::{OpenError, SqliteStorage};

const DEFAULT_READERS: NonZeroU32 = NonZeroU32::new(4).unwrap();

/// Default capacity of the cache of keys, access tokens and feeds. Each takes about half a kilobyte.
const DEFAULT_MAX_CACHED_TOKENS: usize = 16_384;

/// Parses a URL. Rejects `mode=memory`, which has no file, and `mode=ro`, which cannot be written.
fn parse(url: &str) -> Result<SqliteConnectOptions, OpenError> {
    let file = SqliteConnectOptions::from_str(url).map_err(fault)?;
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let mut parameters = form_urlencoded::parse(query.as_bytes());
    if parameters.any(|(name, value)| name == "mode" && matches!(&*value, "memory" | "ro")) {
        return Err(OpenError::NoFile);
    }
    Ok(file)
}

/// Settings of an [`SqliteStorage`].
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    database: PathBuf,
    readers: NonZeroU32,
    max_cached_tokens: usize,
    no_tables: NoTables,
}

impl SqliteOptions {
    /// Creates the default settings for a path or a `sqlite:` URL.
    #[must_use]
    pub fn new(database: impl AsRef<Path>) -> Self {
        Self {
            database: database.as_ref().to_owned(),
            readers: DEFAULT_READERS,
            max_cached_tokens: DEFAULT_MAX_CACHED_TOKENS,
            no_tables: NoTables::Create,
        }
    }

    /// Sets the number of connections in each of the two read-only pools: one for documents, and one for all other reads.
    /// The cache of keys, access tokens and feeds uses two more. Default: 4.
    #[must_use]
    pub fn readers(self, readers: NonZeroU32) -> Self {
        Self { readers, ..self }
    }

    /// Turns the cache of keys, access tokens and feeds off: every lookup reads the file. Default: up to 16,384 are
    /// cached, which takes about 8 MiB.
    #[must_use]
    pub fn without_token_cache(self) -> Self {
        Self { max_cached_tokens: 0, ..self }
    }

    /// Refuses a missing file, and a file without the tables of this crate. Default: they are created.
    #[must_use]
    pub fn must_exist(self) -> Self {
        Self { no_tables: NoTables::Refuse, ..self }
    }

    /// Opens the file, and migrates it. Creates a missing file, which only its owner can read.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be opened, created or migrated.
    pub async fn open(self) -> Result<SqliteStorage, OpenError> {
        let database = Database::open(self.file()?, self.readers, self.no_tables).await?;
        let file = self.file()?;
        let version = FileVersion::open(file.get_filename()).map_err(StorageError::unavailable)?;
        let documents = DocumentReaders::new(file.get_filename().to_owned(), self.readers);
        // Opens the first connection, so that a fault shows now and not at the first read.
        documents.check().await?;
        let reader = database.reader().await?;
        let token_cache = TokenCache::new(database.clone(), version, reader, self.max_cached_tokens);
        Ok(SqliteStorage { database, documents, token_cache: Arc::new(token_cache) })
    }

    /// Returns the driver's settings of the file.
    pub(super) fn file(&self) -> Result<SqliteConnectOptions, OpenError> {
        match self.database.to_str() {
            Some(url) if url.starts_with("sqlite:") => parse(url),
            _ => Ok(SqliteConnectOptions::new().filename(&self.database)),
        }
    }
}
