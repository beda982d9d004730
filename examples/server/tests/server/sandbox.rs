//! A folder with a database of its own, and the binary run in it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use tempfile::TempDir;

/// What the binary reads from its environment; the tests' own must not leak in.
const VARIABLES: [&str; 5] =
    ["DATABASE_URL", "FAMILY_API_LISTEN", "FAMILY_API_PUBLIC_URL", "FAMILY_API_LOG", "SERVICE_MCP_READ_TOKENS"];

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A sandbox whose database holds the families of the tests.
    pub(crate) fn with_families() -> Self {
        let sandbox = Self::new();
        let output = sandbox.import(&crate::family::lines().join("\n"));
        assert!(output.status.success(), "{output:?}");
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_family-api-server"));
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.current_dir(self.folder.path()).args(arguments);
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

    pub(crate) fn import(&self, lines: &str) -> Output {
        self.run(&["import", "-"], lines)
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
        Server { child, stdout, printed, url }
    }

    /// What the last server has logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("server.log")).unwrap()
    }

    /// Every byte of every file in the folder.
    pub(crate) fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
    }
}

/// A running server; dropped, it is killed.
pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) printed: String,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
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
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
