//! How a database is opened.

use std::num::NonZeroU32;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::{OpenError, PostgresStorage};

const CONNECTIONS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Settings of a [`PostgresStorage`].
#[derive(Clone)]
pub struct PostgresOptions {
    url: String,
    connections: NonZeroU32,
}

impl PostgresOptions {
    /// The default settings for a `postgres:` URL.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self { url: url.to_owned(), connections: CONNECTIONS }
    }

    /// How many connections are used at the same time, at most; 10 where nothing is said.
    ///
    /// All nodes together stay below the server's `max_connections`. A connection works for one request at a time, and
    /// each keeps a server process busy: more than a few for each of the server's cores make nothing faster.
    #[must_use]
    pub fn connections(self, connections: NonZeroU32) -> Self {
        Self { connections, ..self }
    }

    /// Opens the database, and migrates it where needed.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the URL or the database.
    pub async fn open(self) -> Result<PostgresStorage, OpenError> {
        let server = PgConnectOptions::from_str(&self.url).map_err(|error| OpenError::Url(error.into()))?;
        Ok(PostgresStorage { connections: Connections::open(server, self.connections).await? })
    }
}

/// The URL may hold a password.
impl std::fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresOptions").field("connections", &self.connections).finish_non_exhaustive()
    }
}
