//! What is told at the end: Markdown.

mod machine;
mod results;
mod table;

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

pub(crate) use machine::head;
pub(crate) use results::{Results, Row};
pub(crate) use table::{figure, table};

use crate::failure::Result;

/// Prints the report, and writes it to a file where one is named.
pub(crate) fn tell(report: &str, file: Option<&Path>) -> Result<()> {
    stdout().write_all(report.as_bytes())?;
    if let Some(file) = file {
        fs::write(file, report).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// Says how it goes, to people who wait.
pub(crate) fn progress(line: &str) {
    // Where standard error is closed, nobody waits.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Bytes as people read them.
pub(crate) fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "n/a".to_owned(), |bytes| format!("{:.1} MiB", bytes as f64 / 1_048_576.0))
}
