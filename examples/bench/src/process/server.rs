//! A server process.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use super::Program;
use crate::failure::Result;
use crate::machine;

/// Start of the line with which a server prints its address.
pub(crate) const LISTENING: &str = "listening on http://";

/// A running server. It is killed when dropped.
pub(crate) struct Server {
    child: Child,
    address: String,
    began: Instant,
    /// Kept open, so that the server can continue to print.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a program and waits for the line with its listening address.
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
                return Err(format!(
                    "{} exited before it was listening, arguments {arguments:?}",
                    program.path.display()
                )
                .into());
            }
        }
        let address = line[LISTENING.len()..].trim().to_owned();
        Ok(Self { child, address, began, _stdout: stdout })
    }

    /// Returns the address, such as `127.0.0.1:8080`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the time since the server was started.
    pub(crate) fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the resident memory of the server, in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        machine::memory(self.process_id())
    }

    /// Returns the largest resident memory that the server has had, in bytes.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        machine::peak_memory(self.process_id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
