//! A process that listens.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use super::Program;
use crate::failure::Result;
use crate::machine;

/// How the line begins that says where a server listens.
pub(crate) const LISTENING: &str = "listening on http://";

/// A running server; dropped, it is killed.
pub(crate) struct Server {
    child: Child,
    address: String,
    began: Instant,
    /// What it goes on to print must have somewhere to go.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a program and waits until it says where it listens.
    pub(crate) fn start(program: &Program, arguments: &[&str]) -> Result<Self> {
        let mut command = program.command(arguments);
        let began = Instant::now();
        let mut child =
            program.cores.spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let mut stdout = BufReader::new(child.stdout.take().ok_or("a process has no output")?);
        let mut line = String::new();
        while !line.starts_with(LISTENING) {
            line.clear();
            if stdout.read_line(&mut line)? == 0 {
                child.wait()?;
                return Err(format!("{} does not start with {arguments:?}", program.path.display()).into());
            }
        }
        let address = line[LISTENING.len()..].trim().to_owned();
        Ok(Self { child, address, began, _stdout: stdout })
    }

    /// As `127.0.0.1:8080`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// How long ago it was started.
    pub(crate) fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// What it holds of the machine's memory, in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        machine::memory(self.process())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It cannot be helped here if it has gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
