//! A database with families in it, and the servers over it that are compared.

mod prepare;

pub(crate) use prepare::fill;

use std::path::Path;

use tempfile::TempDir;

use crate::dataset::{self, MEASURED};
use crate::failure::Result;
use crate::http::{Connection, Request};
use crate::process::{self, Program, Server};

pub(crate) const TASKS: &str = "/api/v1/read/tasks";

/// Beside the measured one.
pub(crate) const OTHERS: u32 = 1_000;

/// Nothing is kept between requests.
pub(crate) const COLD: [&str; 2] = ["--cache", "off"];

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The server as it is.
    Warm,
    /// The server without what it keeps between requests.
    Cold,
    /// Bytes that are ready.
    Ready,
    /// Rows, structs, serde.
    Plain,
}

pub(crate) struct Setup {
    warm: Server,
    cold: Server,
    ready: Server,
    plain: Server,
    /// A session of the measured family's first member.
    pub(crate) cookie: String,
    /// Open tasks of the measured family.
    pub(crate) tasks: Vec<String>,
    /// An open task of another family.
    pub(crate) task_elsewhere: String,
    /// Of the server, before it is asked for much, in bytes.
    pub(crate) idle_memory: Option<u64>,
    _folder: TempDir,
}

impl Setup {
    /// Fills a database and starts all that serve it. `database` is made of a folder for this stage alone.
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
            task_elsewhere: prepared.task_elsewhere,
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

/// Starts the server as a benchmark needs it: nobody is asked to come again later.
pub(crate) fn serve(server: &Program, database: &str, switches: &[&str]) -> Result<Server> {
    let common = ["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off", "--database", database];
    Server::start(server, &[&common, switches].concat())
}

/// The open tasks of a family, as one of its members reads them.
pub(crate) async fn read_tasks(server: &Server, family: u32, member: u16) -> Result<Vec<u8>> {
    let mut connection = Connection::open(server.address()).await?;
    let request = Request::get(TASKS).token(&dataset::token(family, member));
    Ok(connection.ask(&request).await?.expect(200)?.body.to_vec())
}

/// The measured family's document.
pub(crate) async fn read_measured(server: &Server) -> Result<Vec<u8>> {
    read_tasks(server, MEASURED, 0).await
}
