//! How a database is opened.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;

use crate::storage::postgres::connections::{Connections, settings};
use crate::storage::postgres::key_connection::KeyConnection;
use crate::storage::postgres::{OpenError, PostgresStorage};

const CONNECTIONS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// What the query of a URL may set.
const PARAMETERS: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

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

    /// How many connections are used at the same time, at most; 10 where nothing is said. Where they are more than one,
    /// keys are looked for on another beside them.
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
        refuse_unknown_parameters(&self.url)?;
        let server = PgConnectOptions::from_str(&self.url).map_err(|error| OpenError::Url(error.into()))?;
        let server = settings(server);
        let key_connection = (self.connections.get() > 1).then(|| Arc::new(KeyConnection::new(server.clone())));
        let storage = PostgresStorage::over(Connections::open(server, self.connections).await?);
        Ok(PostgresStorage { key_connection, ..storage })
    }
}

/// The driver passes over a parameter that it does not know: `sslmod=verify-full` would not verify anything.
fn refuse_unknown_parameters(url: &str) -> Result<(), OpenError> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let is_known = |name: &str| PARAMETERS.contains(&name) || name.starts_with("options[");
    match form_urlencoded::parse(query.as_bytes()).find(|(name, _)| !is_known(name)) {
        // What a `?` in a password makes of its rest and of the host is no name to be repeated.
        Some(_) if query.contains('@') => Err(OpenError::Url("a parameter is not known".into())),
        Some((name, _)) => Err(OpenError::UnknownParameter { name: name.into_owned() }),
        None => Ok(()),
    }
}

/// The URL may hold a password.
impl std::fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresOptions").field("connections", &self.connections).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_that_is_not_known_is_named_without_its_value() {
        for known in ["postgres://h/d", "postgres://h/d?sslmode=require&host=%2Ftmp", "postgres://h/d?options[a]=b"] {
            assert!(refuse_unknown_parameters(known).is_ok(), "{known}");
        }
        let error = refuse_unknown_parameters("postgres://h/d?sslmode=require&sslmod=canary").unwrap_err();
        assert_eq!(error.to_string(), "the database URL has a parameter `sslmod`, which is not known");
    }
}
