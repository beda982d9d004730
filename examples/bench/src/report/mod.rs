//! What is told: Markdown.

mod machine;
mod results;
mod table;

use std::fs::File;
use std::io::{Write, stdout};
use std::path::Path;

pub(crate) use machine::head;
pub(crate) use results::{Results, Row};
pub(crate) use table::{figure, table};

use crate::failure::Result;

/// A report that is printed, and written to a file where one is named, as far as it has come: the rest may fail.
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

/// Says how it goes, to people who wait.
pub(crate) fn progress(line: &str) {
    // Where standard error is closed, nobody waits.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Bytes as people read them.
pub(crate) fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "n/a".to_owned(), |bytes| format!("{:.1} MiB", bytes as f64 / 1_048_576.0))
}
