//! The results of commands, on standard output.

use std::io::{self, IsTerminal, Write};

use family_api_client::resource::Profile;
use family_api_client::{Call, Condition, RawJson, TimeNotice, TimeNoticeKind, Versioned};
use serde::Serialize;
use serde::de::DeserializeOwned;
use terminal_size::terminal_size_of;

use crate::failure::Failure;
use crate::json;
use crate::messages::print_messages;
use crate::show::Show;
use crate::table::Layout;
use crate::times::Times;

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// A table, for people.
    Table,
    /// JSON, for scripts.
    Json,
}

impl Output {
    /// Sends a call and prints the response.
    ///
    /// JSON is printed as received, with control characters escaped. A table needs a time zone: the call `profile` is
    /// sent too, and the table uses the time zone of the profile. If `profile` is `None`, the table uses the time zone
    /// of this machine.
    pub(crate) fn print_response<T, C>(self, call: Call<T, C>, profile: Option<Call<Profile>>) -> Result<(), Failure>
    where
        T: DeserializeOwned + Serialize + Show + Send + 'static,
        C: Condition<Raw = RawJson>,
    {
        match self {
            Self::Json => {
                let response = call.raw().wait()?;
                warn_if_truncated(response.is_truncated());
                Ok(print_line(&json::response(&response))?)
            }
            Self::Table => {
                let record = call.wait()?;
                warn_if_truncated(record.is_truncated());
                self.print_record(&record, profile)
            }
        }
    }

    /// Sends a call that writes a record, and prints the record with its entity tag.
    ///
    /// The tag is the member `etag` of the JSON, or the last row of the table.
    pub(crate) fn print_versioned<T, C>(
        self,
        call: Call<Versioned<T>, C>,
        profile: Call<Profile>,
    ) -> Result<(), Failure>
    where
        T: DeserializeOwned + Show + Send + 'static,
        C: Condition<Raw = RawJson>,
    {
        let text = match self {
            Self::Json => {
                let response = call.raw().wait()?;
                warn_of_times(response.time_notices());
                json::response_with_etag(&response)?
            }
            Self::Table => {
                let record = call.wait()?;
                warn_of_times(record.time_notices());
                let mut table = record.show(&Times::from_profile(profile));
                table.add_row(["ETag".to_owned(), record.etag().map(ToString::to_string).unwrap_or_default()]);
                table.render(layout())
            }
        };
        Ok(print_line(&text)?)
    }

    /// Prints a record. A table uses the same time zone as in [`print_response`](Self::print_response).
    pub(crate) fn print_record<T: Serialize + Show>(
        self,
        record: &T,
        profile: Option<Call<Profile>>,
    ) -> Result<(), Failure> {
        let text = match self {
            Self::Json => json::document(record)?,
            Self::Table => record.show(&profile.map_or_else(Times::local, Times::from_profile)).render(layout()),
        };
        Ok(print_line(&text)?)
    }
}

/// Prints a line to standard output and flushes it.
pub(crate) fn print_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

fn warn_if_truncated(is_truncated: bool) {
    if is_truncated {
        print_messages(&["the response is incomplete: choose fewer days"]);
    }
}

fn warn_of_times(notices: &[TimeNotice]) {
    let message = |TimeNotice { field, kind, .. }: &TimeNotice| {
        let what = match kind {
            TimeNoticeKind::Skipped => "the clock skips this time, so it moved forward",
            TimeNoticeKind::Repeated => "the clock shows this time twice, and the first one counts",
            TimeNoticeKind::ForeignOffset => "your time zone does not have this offset then",
            _ => kind.as_str(),
        };
        format!("{field}: {what}")
    };
    print_messages(&notices.iter().map(message).collect::<Vec<_>>());
}

fn layout() -> Layout {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        Layout::Terminal { width: terminal_size_of(stdout).map(|(width, _)| width.0) }
    } else {
        Layout::Plain
    }
}
