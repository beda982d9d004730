//! A database for one test.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::Server;

/// An empty database for one test. The databases of finished tests are dropped when the next one is created, so the
/// disk does not fill up.
pub struct Database {
    name: String,
    url: String,
    registry: Arc<DatabaseRegistry>,
}

/// The state that all databases of a server share.
#[derive(Default)]
pub(crate) struct DatabaseRegistry {
    created: AtomicU64,
    /// Names of databases to drop. `Drop` cannot await, so the next `create` drops them.
    discarded: Mutex<Vec<String>>,
}

impl Database {
    pub(crate) async fn create(server: &Server, registry: &Arc<DatabaseRegistry>) -> Self {
        let name = format!("test_{}", registry.created.fetch_add(1, Ordering::Relaxed));
        let discarded = mem::take(&mut *registry.discarded.lock().unwrap());
        let drops = discarded.iter().map(|name| format!("DROP DATABASE {name} WITH (FORCE)"));
        // The default strategy writes every page of the template to the write-ahead log, which tests do not need.
        let create = format!("CREATE DATABASE {name} STRATEGY file_copy");
        let mut connection = connect(&server.url("postgres")).await;
        for statement in drops.chain([create]) {
            connection.execute(AssertSqlSafe(statement)).await.expect("databases can be dropped and created");
        }
        connection.close().await.expect("a connection can be closed");
        Self { url: server.url(&name), name, registry: Arc::clone(registry) }
    }

    /// Returns the name of the database.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the URL of the database, for TCP and without a password.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens a connection with which a test acts as a host app or an administrator.
    pub async fn connect(&self) -> PgConnection {
        connect(&self.url).await
    }

    /// Applies SQL that distributes the tables with Citus. The server has no Citus, so the functions of Citus only
    /// record their calls in the table `recorded.calls`: each with its number, table, column and colocated table.
    pub async fn distribute(&self, sql: &'static str) -> PgConnection {
        let mut connection = self.connect().await;
        for sql in [include_str!("citus.sql"), sql] {
            connection.execute(sql).await.expect("the tables can be distributed");
        }
        connection
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.registry.discarded.lock().unwrap().push(mem::take(&mut self.name));
    }
}

async fn connect(url: &str) -> PgConnection {
    PgConnection::connect(url).await.expect("the server accepts connections")
}
