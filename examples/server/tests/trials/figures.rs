//! What a long trial has measured, printed as rows of a table.

use std::fmt::Display;

use crate::is_long;

pub(crate) struct Figures {
    title: String,
    rows: Vec<(String, String)>,
}

impl Figures {
    pub(crate) fn of(title: impl Display) -> Self {
        Self { title: title.to_string(), rows: Vec::new() }
    }

    pub(crate) fn add(&mut self, what: impl Display, value: impl Display) {
        self.rows.push((what.to_string(), value.to_string()));
    }

    /// A short trial measures nothing that means anything.
    pub(crate) fn print(self) {
        if is_long() {
            let rows = self.rows.iter().map(|(what, value)| format!("\n| {what} | {value} |"));
            say(&format!("\n| {} | |\n| --- | --- |{}\n", self.title, rows.collect::<String>()));
        }
    }
}

/// Says something to whoever runs the tests; they hear it when a test fails, or with `--nocapture`.
#[expect(clippy::print_stdout, reason = "the harness of the tests takes it")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}
