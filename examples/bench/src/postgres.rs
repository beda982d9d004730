//! The PostgreSQL server for the measurement.

use family_api_testing::{Database, Server};

use crate::cli::CommonOptions;

/// Source of empty databases: the one from the options, or any number from a temporary server.
pub(crate) struct Postgres {
    given: Option<String>,
    databases: Vec<Database>,
    /// Dropped after its databases.
    started: Option<Server>,
}

impl Postgres {
    /// Starts the server here, before CPUs are pinned, so that it may use all cores.
    pub(crate) fn find(options: &CommonOptions) -> Self {
        let given = options.postgres.clone();
        let wanted = given.is_none() && !options.without_postgres;
        let started = (wanted && Server::can_start()).then(Server::start);
        Self { given, databases: vec![], started }
    }

    /// Returns the URL of the next empty database, if one is left.
    pub(crate) async fn database(&mut self) -> Option<String> {
        if let Some(server) = &self.started {
            let database = server.create_database().await;
            let url = database.url().to_owned();
            self.databases.push(database);
            return Some(url);
        }
        self.given.take()
    }
}
