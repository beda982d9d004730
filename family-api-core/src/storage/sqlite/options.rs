//! How a file is opened.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use sqlx::sqlite::SqliteConnectOptions;

use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::key_cache::KeyCache;
use crate::storage::sqlite::{OpenError, SqliteStorage};

const READERS: NonZeroU32 = NonZeroU32::new(4).unwrap();

/// How many keys are known; each takes about half a kilobyte.
const KNOWN_KEYS: usize = 16_384;

/// Reads a URL, unless it asks for what no storage can be kept in.
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
    known_keys: usize,
}

impl SqliteOptions {
    /// The default settings for a path or a `sqlite:` URL.
    #[must_use]
    pub fn new(database: impl AsRef<Path>) -> Self {
        Self { database: database.as_ref().to_owned(), readers: READERS, known_keys: KNOWN_KEYS }
    }

    /// How many connections read at the same time, beside one that looks for keys; 4 where nothing is said.
    #[must_use]
    pub fn readers(self, readers: NonZeroU32) -> Self {
        Self { readers, ..self }
    }

    /// Has every key read from the file, even where nothing was committed since it was read last. Otherwise up to
    /// 16,384 keys are known, in about 8 MiB.
    #[must_use]
    pub fn without_key_cache(self) -> Self {
        Self { known_keys: 0, ..self }
    }

    /// Opens the file; where needed it is created, for its owner alone, and migrated.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the file.
    pub async fn open(self) -> Result<SqliteStorage, OpenError> {
        let file = match self.database.to_str() {
            Some(url) if url.starts_with("sqlite:") => parse(url)?,
            _ => SqliteConnectOptions::new().filename(&self.database),
        };
        let connections = Connections::open(file, self.readers).await?;
        let key_cache = KeyCache::new(connections.clone(), connections.reader().await?, self.known_keys);
        Ok(SqliteStorage { connections, key_cache: Arc::new(key_cache) })
    }
}
