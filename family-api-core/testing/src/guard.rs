//! The process that outlives the tests, to stop their server and to remove its folder.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::user;

pub(crate) struct Guard {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Guard {
    /// Makes a folder with an empty cluster in `data`, and is in charge of both from the beginning.
    pub(crate) fn new(programs: &Path) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", include_str!("guard.sh"), "sh"]).arg(programs);
        command.env("LC_ALL", "C").current_dir("/");
        // Nothing of the guard may hold a pipe open that somebody reads the tests' output from.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        user::set_apart(&mut command);
        let mut process = command.spawn().expect("there is a shell");
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut guard = Self { process, orders, answers, folder: PathBuf::new() };
        guard.folder = guard.answer().into();
        assert!(guard.folder.is_dir(), "no folder can be made for a server (TMPDIR says where)");
        assert!(guard.answer() == "0", "initdb failed: {}", guard.log());
        guard
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Gives `pg_ctl` an order, waits until it is carried out, and says whether it was.
    #[must_use]
    pub(crate) fn order(&mut self, order: &str) -> bool {
        let sent = self.orders.as_mut().is_some_and(|orders| writeln!(orders, "{order}").is_ok());
        sent && self.answer() == "0"
    }

    /// What the server and the programs around it have said.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_else(|error| format!("its log cannot be read: {error}"))
    }

    /// The next line, or nothing if the guard is gone.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        let _ = self.answers.read_line(&mut line);
        line.trim_end().to_owned()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.orders.take());
        // It cannot be helped here if this fails, and the guard goes on without being waited for.
        let _ = self.process.wait();
    }
}
