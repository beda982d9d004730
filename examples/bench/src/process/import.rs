//! Measures the cost of an import.
//!
//! The operating system reports the resources of all ended child processes as one sum. To measure only the import, a
//! second process of this program runs the import as its only child.

use std::io::{BufWriter, IntoInnerError};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::Program;
use crate::dataset::{self, Others};
use crate::failure::Result;
use crate::machine::{self, Usage};

/// Measurements of an import.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Import {
    pub(crate) records: u64,
    pub(crate) elapsed: Duration,
    pub(crate) usage: Option<Usage>,
}

/// Writes the measured family and the other families to a file, and imports the file. Only the import is
/// measured.
///
/// The import runs on both CPUs, because no load runs at the same time.
pub(crate) fn import(server: &Program, database: &str, others: Others) -> Result<Import> {
    let mut file = BufWriter::new(NamedTempFile::new()?);
    let records = dataset::write(&mut file, others)?;
    let file = file.into_inner().map_err(IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    let [path, file_path] = [&server.path, file.path()].map(|path| path.to_str().ok_or("a path is not UTF-8"));
    let mut command =
        Program::own(server.cores)?.command(&["measured", path?, "import", file_path?, "--database", database]);
    let began = Instant::now();
    let child = server.cores.spawn_on_both(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let output = child.wait_with_output()?;
    let elapsed = began.elapsed();
    if !output.status.success() {
        return Err("the import failed".into());
    }
    Ok(Import { records, elapsed, usage: serde_json::from_slice(&output.stdout)? })
}

/// Runs a program until it exits, and prints its CPU time and memory as JSON.
pub(crate) fn run_measured(program: PathBuf, arguments: Vec<String>) -> Result<()> {
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).status()?;
    if !status.success() {
        return Err(format!("the program ended with {status}").into());
    }
    serde_json::to_writer(std::io::stdout(), &machine::usage_of_children())?;
    Ok(())
}
