//! Measurements of a long trial, printed as a Markdown table.

use std::fmt::Display;

use crate::is_long;

pub(crate) struct Figures {
    title: String,
    rows: Vec<(String, String)>,
}

impl Figures {
    pub(crate) fn new(title: impl Display) -> Self {
        Self { title: title.to_string(), rows: Vec::new() }
    }

    pub(crate) fn add(&mut self, name: impl Display, value: impl Display) {
        self.rows.push((name.to_string(), value.to_string()));
    }

    /// Prints the table in the long form only: the figures of a short trial are not meaningful.
    pub(crate) fn print(self) {
        if is_long() {
            self.print_always();
        }
    }

    /// Prints the table.
    pub(crate) fn print_always(self) {
        let rows = self.rows.iter().map(|(name, value)| format!("\n| {name} | {value} |"));
        print_line(&format!("\n| {} | |\n| --- | --- |{}\n", self.title, rows.collect::<String>()));
    }
}

/// Prints a line to the output of the test, which is shown if the test fails, or with `--nocapture`.
#[expect(clippy::print_stdout, reason = "the test harness captures it")]
pub(crate) fn print_line(text: &str) {
    println!("{text}");
}
