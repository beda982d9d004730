//! A database for one test.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::Server;

/// An empty database of its own. What is dropped goes when the next one is created, so that the disk does not fill.
pub struct Database {
    name: String,
    url: String,
    all: Arc<Databases>,
}

/// What a server knows of its databases.
#[derive(Default)]
pub(crate) struct Databases {
    created: AtomicU64,
    /// Nothing can be awaited when a value is dropped, so these are left for later.
    discarded: Mutex<Vec<String>>,
}

impl Database {
    pub(crate) async fn create(server: &Server, all: &Arc<Databases>) -> Self {
        let name = format!("test_{}", all.created.fetch_add(1, Ordering::Relaxed));
        let discarded = mem::take(&mut *all.discarded.lock().unwrap());
        let drops = discarded.iter().map(|name| format!("DROP DATABASE {name} WITH (FORCE)"));
        // The other strategy writes every page of the template to the log, which nobody reads here.
        let create = format!("CREATE DATABASE {name} STRATEGY file_copy");
        let mut connection = connect(&server.url("postgres")).await;
        for statement in drops.chain([create]) {
            connection.execute(AssertSqlSafe(statement)).await.expect("databases can be dropped and created");
        }
        connection.close().await.expect("a connection can be closed");
        Self { url: server.url(&name), name, all: Arc::clone(all) }
    }

    /// Its name in its server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its address, by TCP and without a password.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection for the test's own statements, as the host or a database administrator would make them.
    pub async fn connect(&self) -> PgConnection {
        connect(&self.url).await
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.all.discarded.lock().unwrap().push(mem::take(&mut self.name));
    }
}

async fn connect(url: &str) -> PgConnection {
    PgConnection::connect(url).await.expect("the server accepts connections")
}
