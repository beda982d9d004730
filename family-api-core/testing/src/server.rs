//! A cluster of its own: started, stopped, restarted.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock};

use crate::database::{Database, Databases};
use crate::guard::Guard;
use crate::programs;

static SHARED: OnceLock<Server> = OnceLock::new();

/// Between asking the system for a free port and using it, another process may take it.
const PORTS_TRIED: u32 = 4;

/// A PostgreSQL server that belongs to this test process.
pub struct Server {
    folder: PathBuf,
    port: u16,
    guard: Mutex<Guard>,
    databases: Arc<Databases>,
}

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Connections end, open transactions are rolled back, all data is written.
    Fast,
    /// As in a crash: the next start recovers.
    Immediate,
}

impl Server {
    /// The one server that all tests of a process use, started by the first that asks. It is never stopped by a test.
    pub fn shared() -> &'static Self {
        SHARED.get_or_init(Self::start)
    }

    /// Whether the programs are there that a server needs.
    #[must_use]
    pub fn can_start() -> bool {
        programs::find().is_some()
    }

    /// A server of its own, which is stopped and removed when it is dropped. What the programs say when they fail is in
    /// the panic's message.
    #[must_use]
    pub fn start() -> Self {
        let Some(programs) = programs::find() else { panic!("{} were found", programs::NONE) };
        let mut guard = Guard::new(&programs);
        let folder = guard.folder().to_owned();
        configure(&folder).expect("the settings can be written");
        let port = (0..PORTS_TRIED).map(|_| free_port()).find(|port| guard.order(&start_order(*port)));
        let port = port.unwrap_or_else(|| panic!("PostgreSQL does not start: {}", guard.log()));
        Self { folder, port, guard: Mutex::new(guard), databases: Arc::default() }
    }

    /// A new, empty database with a name of its own.
    pub async fn create_database(&self) -> Database {
        Database::create(self, &self.databases).await
    }

    /// The address of a database by its name.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        url(self.port, database)
    }

    /// The port at 127.0.0.1; a restart keeps it.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The folder that is removed with the server; its Unix socket is there, its data, and its `log`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stops the server, and returns when it has stopped. The [shared](Self::shared) one, which other tests are using,
    /// refuses.
    pub fn stop(&self, shutdown: Shutdown) {
        let shared = SHARED.get().is_some_and(|shared| ptr::eq(shared, self));
        assert!(!shared, "a test that stops a server needs one of its own");
        self.order(match shutdown {
            Shutdown::Fast => "--mode=fast stop",
            Shutdown::Immediate => "--mode=immediate stop",
        });
    }

    /// Starts the stopped server at the same port with the same data, and returns when it accepts connections.
    pub fn start_again(&self) {
        self.order(&start_order(self.port));
    }

    /// [`stop`](Self::stop) and [`start_again`](Self::start_again).
    pub fn restart(&self, shutdown: Shutdown) {
        self.stop(shutdown);
        self.start_again();
    }

    fn order(&self, order: &str) {
        let mut guard = self.guard.lock().unwrap();
        assert!(guard.order(order), "PostgreSQL does not {order}: {}", guard.log());
    }
}

pub(crate) fn url(port: u16, database: &str) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/{database}")
}

fn start_order(port: u16) -> String {
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
