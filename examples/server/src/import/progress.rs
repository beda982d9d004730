//! Progress of an import.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};

/// Number of records between two progress lines, if standard error is not a terminal.
const LINE_INTERVAL: u64 = 100_000;

/// Shows the progress: as a bar in a terminal, otherwise as lines.
pub(crate) enum Progress {
    /// Shows nothing.
    Silent,
    /// A bar, or a spinner if the size of the input is unknown.
    Bar(ProgressBar),
    /// Lines. The next line is printed when `next_at` records are imported.
    Lines { next_at: u64 },
}

impl Progress {
    /// Creates the progress display on standard error.
    pub(crate) fn on_stderr(size: Option<u64>) -> Self {
        if !io::stderr().is_terminal() {
            return Self::Lines { next_at: LINE_INTERVAL };
        }
        let (bar, template) = match size {
            Some(size) => (ProgressBar::new(size), "{bar:40} {percent:>3} %  {msg} records  {elapsed}"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg} records  {elapsed}"),
        };
        let style = ProgressStyle::with_template(template);
        Self::Bar(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// Adds `bytes` to the bytes read, and sets the total number of records.
    pub(super) fn advance(&mut self, bytes: u64, records: u64) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(records.to_string());
                bar.inc(bytes);
            }
            Self::Lines { next_at } if records >= *next_at => {
                *next_at = records - records % LINE_INTERVAL + LINE_INTERVAL;
                // A failed write to standard error does not stop the import.
                let _ = writeln!(io::stderr(), "{records} records");
            }
            Self::Silent | Self::Lines { .. } => {}
        }
    }

    pub(super) fn finish(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
