//! Settings for opening a database.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;

use crate::migration_state::NoTables;
use crate::postgres::database::{Database, settings};
use crate::postgres::token_lookup::TokenLookup;
use crate::postgres::{OpenError, PostgresStorage};

const DEFAULT_CONNECTIONS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// The parameters that the query of a URL may contain.
const KNOWN_PARAMETERS: [&str; 18] = [
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
    no_tables: NoTables,
}

impl PostgresOptions {
    /// Creates the default settings for a `postgres:` URL.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self { url: url.to_owned(), connections: DEFAULT_CONNECTIONS, no_tables: NoTables::Create }
    }

    /// Sets the maximum number of connections. If the number is more than 1, the storage also opens one connection that
    /// is reserved for key lookups. Default: 10.
    ///
    /// All nodes together must open fewer connections than the server's `max_connections`. A connection works on one
    /// request at a time and uses one server process, so more than a few connections per core of the server do not
    /// increase throughput.
    #[must_use]
    pub fn connections(self, connections: NonZeroU32) -> Self {
        Self { connections, ..self }
    }

    /// Refuses a database without the tables of this crate. Default: they are created.
    #[must_use]
    pub fn must_exist(self) -> Self {
        Self { no_tables: NoTables::Refuse, ..self }
    }

    /// Opens the database, and migrates it.
    ///
    /// # Errors
    /// [`OpenError`] if the URL is invalid, or if the database cannot be opened or migrated.
    pub async fn open(self) -> Result<PostgresStorage, OpenError> {
        let server = self.server()?;
        let token_lookup = TokenLookup::new((self.connections.get() > 1).then(|| server.clone()));
        let database = Database::open(server, self.connections, self.no_tables).await?;
        Ok(PostgresStorage { database, token_lookup: Arc::new(token_lookup) })
    }

    /// Returns the driver's settings of the server.
    pub(super) fn server(&self) -> Result<PgConnectOptions, OpenError> {
        refuse_unknown_parameters(&self.url)?;
        let server = PgConnectOptions::from_str(&self.url).map_err(|error| OpenError::Url(error.into()))?;
        Ok(settings(server))
    }
}

/// Rejects unknown parameters. The driver would ignore them: with the typing error `sslmod=verify-full`, it would not
/// verify the server.
fn refuse_unknown_parameters(url: &str) -> Result<(), OpenError> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let is_known = |name: &str| KNOWN_PARAMETERS.contains(&name) || name.starts_with("options[");
    match form_urlencoded::parse(query.as_bytes()).find(|(name, _)| !is_known(name)) {
        // If a password contains `?`, this name contains the rest of the password, so the error must not contain the
        // name.
        Some(_) if query.contains('@') => Err(OpenError::Url("a parameter is unknown".into())),
        Some((name, _)) => Err(OpenError::UnknownParameter { name: name.into_owned() }),
        None => Ok(()),
    }
}

/// Omits the URL, which may contain a password.
impl std::fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresOptions").field("connections", &self.connections).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_parameter_is_reported_without_its_value() {
        for valid in ["postgres://h/d", "postgres://h/d?sslmode=require&host=%2Ftmp", "postgres://h/d?options[a]=b"] {
            assert!(refuse_unknown_parameters(valid).is_ok(), "{valid}");
        }
        let error = refuse_unknown_parameters("postgres://h/d?sslmode=require&sslmod=canary").unwrap_err();
        assert_eq!(error.to_string(), "the database URL has a parameter `sslmod`, which is not known");
    }
}
