//! What is written: results on standard output, complaints on standard error.

use std::io::{self, IsTerminal, Write};

use family_api_client::resource::Profile;
use family_api_client::{Call, Versioned};
use serde::Serialize;
use serde::de::DeserializeOwned;
use terminal_size::terminal_size_of;

use crate::failure::Failure;
use crate::json;
use crate::show::Show;
use crate::table::Layout;
use crate::text::harmless;
use crate::times::Times;

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// For people.
    Table,
    /// For scripts.
    Json,
}

impl Output {
    /// Makes a call, and writes what the API answers: to scripts as it came, to people with the times of a profile, which
    /// is asked for where there are times to write; where none is given, they are those of this machine.
    pub(crate) fn answer<T>(self, call: Call<T>, profile: Option<Call<Profile>>) -> Result<(), Failure>
    where
        T: DeserializeOwned + Serialize + Show + Send + 'static,
    {
        match self {
            Self::Json => {
                let answer = call.raw().wait()?;
                serde_json::from_str::<T>(answer.as_str()).map_err(|_| Failure::NotUnderstood)?;
                Ok(line(&json::answer(&answer))?)
            }
            Self::Table => self.record(&call.wait()?, profile),
        }
    }

    /// Makes a call that updates a record, and writes the record with its entity tag: as the member `etag` of the JSON, or
    /// as the last row of the table.
    pub(crate) fn versioned<T>(self, call: Call<Versioned<T>>, profile: Call<Profile>) -> Result<(), Failure>
    where
        T: DeserializeOwned + Show + Send + 'static,
    {
        let text = match self {
            Self::Json => {
                let answer = call.raw().wait()?;
                serde_json::from_str::<T>(answer.as_str()).map_err(|_| Failure::NotUnderstood)?;
                json::versioned(&answer).ok_or(Failure::NotUnderstood)?
            }
            Self::Table => {
                let record = call.wait()?;
                let mut table = record.show(&Times::of(profile));
                table.row(["ETag".to_owned(), record.etag().map(ToString::to_string).unwrap_or_default()]);
                table.render(layout())
            }
        };
        Ok(line(&text)?)
    }

    /// Writes what was made of an answer.
    pub(crate) fn record<T: Serialize + Show>(self, record: &T, profile: Option<Call<Profile>>) -> Result<(), Failure> {
        let text = match self {
            Self::Json => json::document(record)?,
            Self::Table => record.show(&profile.map_or_else(Times::local, Times::of)).render(layout()),
        };
        Ok(line(&text)?)
    }
}

/// Writes a line on standard output, and hands it over at once.
pub(crate) fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Tells people what went wrong, or what they should know.
pub(crate) fn complain<T: AsRef<str>>(lines: &[T]) {
    let mut out = io::stderr().lock();
    for text in lines {
        // Where standard error is closed, nobody is left to be told.
        let _ = writeln!(out, "family: {}", harmless(text.as_ref()));
    }
}

fn layout() -> Layout {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        Layout::Terminal { width: terminal_size_of(stdout).map(|(width, _)| width.0) }
    } else {
        Layout::Plain
    }
}
