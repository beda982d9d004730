//! An import, and what it takes.
//!
//! What a process has used up is told to its parent when it has ended, together with all others that the parent has
//! waited for. So that it stands alone, a process of this program is put in between.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Program;
use crate::data;
use crate::failure::Result;
use crate::machine::{self, Usage};

/// How an import went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Import {
    pub(crate) records: u64,
    pub(crate) elapsed: Duration,
    pub(crate) usage: Option<Usage>,
}

/// Imports the measured family and so many others, which are made on the way.
pub(crate) fn import(server: &Program, database: &str, others: u32) -> Result<Import> {
    let path = server.path.to_str().ok_or("the path of the server is not UTF-8")?;
    let mut command = Program::own(server.cores)?.command(&["measured", path, "import", "-", "--database", database]);
    let began = Instant::now();
    let mut child = server.cores.spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let mut lines = BufWriter::new(child.stdin.take().ok_or("a process has no input")?);
    // An import that fails says why itself, and better than a broken pipe does.
    let written = data::write(&mut lines, others).and_then(|records| lines.flush().map(|()| records));
    drop(lines);
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err("the import failed".into());
    }
    Ok(Import { records: written?, elapsed: began.elapsed(), usage: serde_json::from_slice(&output.stdout)? })
}

/// Runs a program to its end, on this process's input, and prints what it has used up.
pub(crate) fn run_measured(program: PathBuf, arguments: Vec<String>) -> Result<()> {
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).status()?;
    if !status.success() {
        return Err(format!("the program ended with {status}").into());
    }
    serde_json::to_writer(std::io::stdout(), &machine::usage_of_children())?;
    Ok(())
}
