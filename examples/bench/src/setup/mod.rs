//! A database with families, and the servers that are compared. All servers read this database.

mod grant;
mod prepare;

pub(crate) use prepare::{one_task_of_each, use_all_keys};

use std::path::Path;

use tempfile::TempDir;

use crate::dataset::{self, MEASURED_FAMILY, Others};
use crate::failure::Result;
use crate::http::{Connection, Request};
use crate::process::{self, Program, Server};

pub(crate) const TASKS: &str = "/api/v1/read/tasks";

/// Number of families besides the measured one.
pub(crate) const OTHER_FAMILIES: u32 = 1_000;

/// Number of further families, which only the scenarios that compare creations with changes write.
const WRITTEN_FAMILIES: u32 = 1_000;

/// Returns the families that only the scenarios that compare creations with changes write.
pub(crate) fn written_families() -> impl Iterator<Item = u32> {
    OTHER_FAMILIES + 1..=OTHER_FAMILIES + WRITTEN_FAMILIES
}

/// Option of the server that disables its caches.
pub(crate) const CACHE_OFF: [&str; 2] = ["--cache", "off"];

/// Option of the server that counts its requests and storage calls. Nothing reads the metrics during a measurement.
const METRICS: [&str; 2] = ["--metrics", "127.0.0.1:0"];

/// The server that a scenario measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The server with its defaults.
    Cached,
    /// The server with its defaults and metrics.
    Metered,
    /// The server without caches.
    Uncached,
    /// The static baseline.
    Static,
    /// The plain baseline.
    Plain,
}

pub(crate) struct Setup {
    cached: Server,
    metered: Server,
    uncached: Server,
    static_bytes: Server,
    plain: Server,
    /// Ids of open tasks of the measured family.
    pub(crate) tasks: Vec<String>,
    /// The id of an open task of each of the [`written_families`].
    pub(crate) written_tasks: Vec<String>,
    /// The access token of a connection of a member of the measured family.
    pub(crate) access_token: String,
    /// Memory of the server before the load, in bytes.
    pub(crate) idle_memory: Option<u64>,
    _folder: TempDir,
}

impl Setup {
    /// Fills a database and starts all servers on it. `database` gets a temporary folder and returns the database URL.
    pub(crate) async fn open(server: &Program, database: impl FnOnce(&Path) -> String) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = database(folder.path());
        process::import(server, &database, Others::Medium(OTHER_FAMILIES + WRITTEN_FAMILIES))?;
        let cached = serve(server, &database, &[])?;
        let idle_memory = cached.memory();
        let metered = serve(server, &database, &METRICS)?;
        let uncached = serve(server, &database, &CACHE_OFF)?;
        let own = Program::own(server.cores)?;
        let plain = Server::start(&own, &["plain", &database])?;
        let (tasks, files) = prepare::prepare(&cached, &plain, folder.path()).await?;
        let written_tasks = one_task_of_each(&cached, written_families()).await?;
        let access_token = grant::access_token(&database, &cached).await?;
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let static_bytes = Server::start(&own, &[&["static"], files.as_slice()].concat())?;
        Ok(Self {
            cached,
            metered,
            uncached,
            static_bytes,
            plain,
            tasks,
            written_tasks,
            access_token,
            idle_memory,
            _folder: folder,
        })
    }

    pub(crate) fn server(&self, subject: Subject) -> &Server {
        match subject {
            Subject::Cached => &self.cached,
            Subject::Metered => &self.metered,
            Subject::Uncached => &self.uncached,
            Subject::Static => &self.static_bytes,
            Subject::Plain => &self.plain,
        }
    }
}

/// Starts the server without rate limits, so that no request is refused.
pub(crate) fn serve(server: &Program, database: &str, options: &[&str]) -> Result<Server> {
    let common = ["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off", "--database", database];
    Server::start(server, &[&common, options].concat())
}

/// Reads the open tasks of a family as one of its members.
pub(crate) async fn read_tasks(server: &Server, family: u32, member: u16) -> Result<Vec<u8>> {
    answer(server, &Request::get(TASKS).token(&dataset::token(family, member))).await
}

/// Sends a request and returns the body of the response, which must be a success.
pub(crate) async fn answer(server: &Server, request: &Request) -> Result<Vec<u8>> {
    let mut connection = Connection::open(server.address()).await?;
    Ok(connection.send(request).await?.expect(200)?.body.to_vec())
}

/// Reads the measured family's document.
pub(crate) async fn read_measured(server: &Server) -> Result<Vec<u8>> {
    read_tasks(server, MEASURED_FAMILY, 0).await
}
