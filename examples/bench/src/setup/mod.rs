//! A database with families, and the servers that are compared on it.

mod prepare;

pub(crate) use prepare::fill;

use std::path::Path;

use tempfile::TempDir;

use crate::dataset::{self, MEASURED};
use crate::failure::Result;
use crate::http::{Connection, Request};
use crate::process::{self, Program, Server};

pub(crate) const TASKS: &str = "/api/v1/read/tasks";

/// Number of families besides the measured one.
pub(crate) const OTHERS: u32 = 1_000;

/// Option that disables the caches.
pub(crate) const COLD: [&str; 2] = ["--cache", "off"];

/// The servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The server with its defaults.
    Warm,
    /// The server without caches.
    Cold,
    /// The static baseline.
    Ready,
    /// The plain baseline.
    Plain,
}

pub(crate) struct Setup {
    warm: Server,
    cold: Server,
    ready: Server,
    plain: Server,
    /// Cookie of a session of the measured family's first member.
    pub(crate) cookie: String,
    /// Open tasks of the measured family.
    pub(crate) tasks: Vec<String>,
    /// An open task of another family.
    pub(crate) other_family_task: String,
    /// Memory of the server before the load, in bytes.
    pub(crate) idle_memory: Option<u64>,
    _folder: TempDir,
}

impl Setup {
    /// Fills a database and starts all servers on it. `database` returns its URL for a folder used only by this setup.
    pub(crate) async fn open(server: &Program, database: impl FnOnce(&Path) -> String) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = database(folder.path());
        process::import(server, &database, OTHERS)?;
        let warm = serve(server, &database, &[])?;
        let idle_memory = warm.memory();
        let cold = serve(server, &database, &COLD)?;
        let own = Program::own(server.cores)?;
        let plain = Server::start(&own, &["plain", &database])?;
        let prepared = prepare::prepare(&warm, &plain, folder.path()).await?;
        let ready = Server::start(&own, &["ready", &prepared.files[0], &prepared.files[1]])?;
        Ok(Self {
            warm,
            cold,
            ready,
            plain,
            cookie: prepared.cookie,
            tasks: prepared.tasks,
            other_family_task: prepared.other_family_task,
            idle_memory,
            _folder: folder,
        })
    }

    pub(crate) fn server(&self, subject: Subject) -> &Server {
        match subject {
            Subject::Warm => &self.warm,
            Subject::Cold => &self.cold,
            Subject::Ready => &self.ready,
            Subject::Plain => &self.plain,
        }
    }
}

/// Starts the server without rate limits, so that no request is refused.
pub(crate) fn serve(server: &Program, database: &str, switches: &[&str]) -> Result<Server> {
    let common = ["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off", "--database", database];
    Server::start(server, &[&common, switches].concat())
}

/// Reads the open tasks of a family as one of its members.
pub(crate) async fn read_tasks(server: &Server, family: u32, member: u16) -> Result<Vec<u8>> {
    let mut connection = Connection::open(server.address()).await?;
    let request = Request::get(TASKS).token(&dataset::token(family, member));
    Ok(connection.ask(&request).await?.expect(200)?.body.to_vec())
}

/// Reads the measured family's document.
pub(crate) async fn read_measured(server: &Server) -> Result<Vec<u8>> {
    read_tasks(server, MEASURED, 0).await
}
