//! The guard process. It outlives the test process, stops the server and removes the server's folder.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::user;

pub(crate) struct Guard {
    process: Child,
    commands: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Guard {
    /// Starts the guard. The guard creates a folder with an empty database cluster in `data`, and removes the folder at
    /// the end.
    pub(crate) fn new(programs: &Path) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", include_str!("guard.sh"), "sh"]).arg(programs);
        command.env("LC_ALL", "C").current_dir("/");
        // If the guard held the test process's output pipes open, their reader would wait until the guard ends.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        user::isolate(&mut command);
        let mut process = command.spawn().expect("sh can be started");
        let commands = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("stdout is piped"));
        let mut guard = Self { process, commands, output, folder: PathBuf::new() };
        guard.folder = guard.read_line().into();
        assert!(guard.folder.is_dir(), "cannot create a folder for the server (set TMPDIR to choose its parent)");
        assert!(guard.read_line() == "0", "initdb failed: {}", guard.log());
        guard
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a `pg_ctl` command and waits for it. Returns whether it succeeded.
    #[must_use]
    pub(crate) fn pg_ctl(&mut self, command: &str) -> bool {
        let sent = self.commands.as_mut().is_some_and(|commands| writeln!(commands, "{command}").is_ok());
        sent && self.read_line() == "0"
    }

    /// Returns the log of the server, `initdb` and `pg_ctl`.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_else(|error| format!("cannot read its log: {error}"))
    }

    /// Reads the next line of the guard. Returns an empty string if the guard has ended.
    fn read_line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.output.read_line(&mut line);
        line.trim_end().to_owned()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.commands.take());
        // If this fails, the guard still stops the server and removes the folder.
        let _ = self.process.wait();
    }
}
