//! The report, in Markdown.

mod machine;
mod results;
mod table;

use std::fs::File;
use std::io::{Write, stdout};
use std::path::Path;

pub(crate) use machine::head;
pub(crate) use results::{Results, Row, median};
pub(crate) use table::{figure, table};

use crate::failure::Result;

/// A report. Each part is printed, and optionally written to a file, as soon as it is complete.
pub(crate) struct Report(Option<File>);

impl Report {
    pub(crate) fn open(file: Option<&Path>) -> Result<Self> {
        let create = |path: &Path| File::create(path).map_err(|error| format!("{}: {error}", path.display()));
        Ok(Self(file.map(create).transpose()?))
    }

    pub(crate) fn add(&mut self, text: &str) -> Result<()> {
        stdout().write_all(text.as_bytes())?;
        stdout().flush()?;
        Ok(self.0.as_mut().map_or(Ok(()), |file| file.write_all(text.as_bytes()))?)
    }
}

/// Prints a progress message to standard error.
pub(crate) fn progress(line: &str) {
    // If standard error is closed, the message is lost.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Formats bytes as MiB.
pub(crate) fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "n/a".to_owned(), |bytes| format!("{:.1} MiB", bytes as f64 / 1_048_576.0))
}
