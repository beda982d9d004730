//! How far an import is.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};

/// Without a terminal, a line is printed for every so many records.
const STRIDE: u64 = 100_000;

/// Shows how far an import is: a bar on a terminal, a line now and then elsewhere.
pub(crate) enum Progress {
    /// Nothing is shown.
    Silent,
    /// A bar, or a spinner where the size of the input is not known.
    Bar(ProgressBar),
    /// Lines; the next is due at that many records.
    Lines { due: u64 },
}

impl Progress {
    /// Shows it on standard error.
    pub(crate) fn on_stderr(size: Option<u64>) -> Self {
        if !io::stderr().is_terminal() {
            return Self::Lines { due: STRIDE };
        }
        let (bar, template) = match size {
            Some(size) => (ProgressBar::new(size), "{bar:40} {percent:>3} %  {msg} records  {elapsed}"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg} records  {elapsed}"),
        };
        let style = ProgressStyle::with_template(template);
        Self::Bar(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// So many bytes more were taken, and so many records in all.
    pub(super) fn advance(&mut self, bytes: u64, records: u64) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(records.to_string());
                bar.inc(bytes);
            }
            Self::Lines { due } if records >= *due => {
                *due = records - records % STRIDE + STRIDE;
                // Progress that nobody can see is no reason to stop.
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
