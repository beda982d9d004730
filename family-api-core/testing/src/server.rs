//! Starting, stopping and restarting a server.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock};

use crate::database::{Database, DatabaseRegistry};
use crate::guard::Guard;
use crate::programs;

static SHARED: OnceLock<Server> = OnceLock::new();

/// Maximum attempts to start on a free port. Another process can take the port before the server does.
const MAX_PORT_ATTEMPTS: u32 = 4;

/// A PostgreSQL server of this test process.
pub struct Server {
    folder: PathBuf,
    port: u16,
    guard: Mutex<Guard>,
    databases: Arc<DatabaseRegistry>,
}

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Closes connections, rolls back open transactions and writes all data.
    Fast,
    /// Simulates a crash: the next start recovers the data from the write-ahead log.
    Immediate,
}

impl Server {
    /// Returns the server that all tests of the process share. The first call starts it. Tests cannot stop it.
    pub fn shared() -> &'static Self {
        SHARED.get_or_init(Self::start)
    }

    /// Returns whether the server programs are installed.
    #[must_use]
    pub fn can_start() -> bool {
        programs::find().is_some()
    }

    /// Starts a separate server. Dropping it stops the server and removes its folder.
    ///
    /// If a program fails, the panic message contains its output.
    #[must_use]
    pub fn start() -> Self {
        let Some(programs) = programs::find() else { panic!("{} were found", programs::NO_PROGRAMS) };
        let mut guard = Guard::new(&programs);
        let folder = guard.folder().to_owned();
        configure(&folder).expect("the settings can be written");
        let port = (0..MAX_PORT_ATTEMPTS).map(|_| free_port()).find(|port| guard.pg_ctl(&start_command(*port)));
        let port = port.unwrap_or_else(|| panic!("PostgreSQL does not start: {}", guard.log()));
        Self { folder, port, guard: Mutex::new(guard), databases: Arc::default() }
    }

    /// Creates an empty database with a unique name.
    pub async fn create_database(&self) -> Database {
        Database::create(self, &self.databases).await
    }

    /// Returns the URL of a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        url(self.port, database)
    }

    /// Returns the server's port at 127.0.0.1. It stays the same after a restart.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the folder of the server. It contains the Unix socket, the data and the `log`. It is removed when the
    /// server is dropped.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stops the server and waits until it has stopped.
    ///
    /// Panics for the [shared](Self::shared) server, because other tests use it.
    pub fn stop(&self, shutdown: Shutdown) {
        let shared = SHARED.get().is_some_and(|shared| ptr::eq(shared, self));
        assert!(!shared, "a test that stops a server must start its own");
        self.pg_ctl(match shutdown {
            Shutdown::Fast => "--mode=fast stop",
            Shutdown::Immediate => "--mode=immediate stop",
        });
    }

    /// Starts the stopped server with the same port and data. Waits until it accepts connections.
    pub fn start_again(&self) {
        self.pg_ctl(&start_command(self.port));
    }

    /// Calls [`stop`](Self::stop), then [`start_again`](Self::start_again).
    pub fn restart(&self, shutdown: Shutdown) {
        self.stop(shutdown);
        self.start_again();
    }

    fn pg_ctl(&self, command: &str) {
        let mut guard = self.guard.lock().unwrap();
        assert!(guard.pg_ctl(command), "pg_ctl {command} failed: {}", guard.log());
    }
}

pub(crate) fn url(port: u16, database: &str) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/{database}")
}

fn start_command(port: u16) -> String {
    format!("--log=log --options=-p{port} start")
}

fn configure(folder: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(folder.join("data/postgresql.conf"))?;
    file.write_all(include_bytes!("postgresql.conf"))?;
    writeln!(file, "unix_socket_directories = '{}'", folder.display())
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    listener.local_addr().expect("a listener has an address").port()
}
