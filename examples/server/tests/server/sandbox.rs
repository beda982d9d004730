//! Runs the binary in a temporary folder, on a temporary database.

use std::env;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::Deref;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use family_api_testing::{Database, Server as PostgresServer};
use tempfile::TempDir;

use crate::backend::{self, Backend};
use crate::client::{Destination, client};
use crate::family;

/// A temporary folder with a database. Commands of the binary run in it.
pub(crate) struct Sandbox {
    folder: TempDir,
    /// The PostgreSQL database. If `None`, the binary uses its default: a file in the folder.
    database: Option<Database>,
}

impl Sandbox {
    pub(crate) async fn new(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::on_sqlite(),
            Backend::Postgres => Self::on_database(PostgresServer::shared().create_database().await),
        }
    }

    /// Creates a sandbox for tests that do not depend on the database.
    pub(crate) fn on_sqlite() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), database: None }
    }

    pub(crate) fn on_database(database: Database) -> Self {
        Self { database: Some(database), ..Self::on_sqlite() }
    }

    /// Creates a sandbox whose database contains the families of the tests.
    pub(crate) async fn with_families(backend: Backend) -> Self {
        Self::new(backend).await.import_families()
    }

    /// Imports the families of the tests.
    pub(crate) fn import_families(self) -> Self {
        self.import_lines(family::records())
    }

    /// Imports lines that must be valid.
    pub(crate) fn import_lines<L: Display>(self, lines: impl IntoIterator<Item = L>) -> Self {
        self.succeed(&["import", "-"], &family::text(lines));
        self
    }

    /// Returns the PostgreSQL database, or `None` with SQLite.
    pub(crate) fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// Returns the database URL for `--database`.
    pub(crate) fn database_url(&self) -> &str {
        self.database().map_or("sqlite:family.db", Database::url)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        // This variable can name another build, such as a release build.
        let binary = env::var_os("FAMILY_API_SERVER_BIN");
        let mut command = Command::new(binary.unwrap_or_else(|| env!("CARGO_BIN_EXE_family-api-server").into()));
        // The environment of the tests must not affect the binary.
        command.env_clear().current_dir(self.folder.path()).args(arguments);
        command.envs(self.database().map(|database| ("DATABASE_URL", database.url())));
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that fails early does not read its input to the end.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Runs a command that must succeed, and returns its output.
    #[track_caller]
    pub(crate) fn succeed(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that must fail without output, and returns its message.
    #[track_caller]
    pub(crate) fn fail(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{stderr}");
        stderr.strip_prefix("family-api-server: ").unwrap().trim_end().to_owned()
    }

    pub(crate) fn import(&self, lines: &str) -> Output {
        self.run(&["import", "-"], lines)
    }

    /// Returns this sandbox and a running server.
    pub(crate) fn served(self) -> (Self, Server) {
        let server = self.serve();
        (self, server)
    }

    pub(crate) fn serve(&self) -> Server {
        self.serve_with(&[], &[])
    }

    pub(crate) fn serve_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        self.start(&arguments, variables, "listening on ")
    }

    /// Starts a command and waits for the line that begins with `ready`.
    pub(crate) fn start(&self, arguments: &[&str], variables: &[(&str, &str)], ready: &str) -> Server {
        let log = File::create(self.path("server.log")).unwrap();
        let mut command = self.command(arguments);
        let mut child = command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        while !printed.lines().last().is_some_and(|line| line.starts_with(ready)) {
            assert!(stdout.read_line(&mut printed).unwrap() > 0, "{printed}\n{}", self.log());
        }
        let url = printed.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Server { child, stdout, printed, destination: Destination { client: client(), url } }
    }

    /// Returns the log of the last server.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("server.log")).unwrap()
    }

    /// Returns everything that was written, with its location: files in the folder, or PostgreSQL's tables and log.
    pub(crate) async fn written_data(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![];
        let mut rows = vec![];
        if let Some(database) = self.database() {
            files.push(PostgresServer::shared().folder().join("log"));
            rows = backend::rows(database).await;
        }
        files.extend(fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path()));
        let files = files.into_iter().map(|file| (file.display().to_string(), fs::read(file).unwrap()));
        files.chain(rows.into_iter().map(|(table, rows)| (table, rows.into_bytes()))).collect()
    }
}

/// A running server. It is killed when dropped.
pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) printed: String,
    pub(crate) destination: Destination,
}

impl Deref for Server {
    type Target = Destination;

    fn deref(&self) -> &Destination {
        &self.destination
    }
}

impl Server {
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Stops the server as a service manager does.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.signal("TERM");
        let status = self.wait();
        self.stdout.read_to_string(&mut self.printed).unwrap();
        status
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may already have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
