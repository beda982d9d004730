//! The PostgreSQL server for the measurement.

use family_api_testing::{Database, Server};

use crate::cli::CommonOptions;

/// Provides empty databases. If the options name a database, provides that one, and only for the first call. Otherwise
/// creates each database on a temporary server.
pub(crate) struct Postgres {
    database_from_options: Option<String>,
    databases: Vec<Database>,
    /// Dropped after `databases`, because fields are dropped in this order.
    server: Option<Server>,
}

impl Postgres {
    /// Starts a temporary server if it is needed and PostgreSQL is installed. Call this function before CPUs are
    /// pinned, so that the server can use all cores.
    pub(crate) fn start(options: &CommonOptions) -> Self {
        let database_from_options = options.postgres.clone();
        let needs_server = database_from_options.is_none() && !options.without_postgres;
        let server = (needs_server && Server::can_start()).then(Server::start);
        Self { database_from_options, databases: vec![], server }
    }

    /// Returns the URL of the next empty database. Returns `None` without a server, or if the database from the options
    /// was already returned.
    pub(crate) async fn next_database_url(&mut self) -> Option<String> {
        if let Some(server) = &self.server {
            let database = server.create_database().await;
            let url = database.url().to_owned();
            self.databases.push(database);
            return Some(url);
        }
        self.database_from_options.take()
    }
}
