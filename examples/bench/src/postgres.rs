//! The PostgreSQL that is measured on.

use family_api_testing::{Database, Server};

use crate::cli::CommonOptions;

/// Where empty databases come from: one that the options name, or any number of a server that is started now.
pub(crate) struct Postgres {
    given: Option<String>,
    databases: Vec<Database>,
    /// Ends after its databases.
    started: Option<Server>,
}

impl Postgres {
    /// A server is started here, so that it may use all cores.
    pub(crate) fn find(options: &CommonOptions) -> Self {
        let given = options.postgres.clone();
        let wanted = given.is_none() && !options.without_postgres;
        let started = (wanted && Server::can_start()).then(Server::start);
        Self { given, databases: vec![], started }
    }

    /// The address of the next empty database, while there is one.
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
