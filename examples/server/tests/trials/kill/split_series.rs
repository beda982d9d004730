//! A recurring event that is split in two and joined again. A split writes two events: both must be stored, or neither.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::credential::Credential;
use crate::kill::documents::Documents;
use crate::kill::writer::Expected;
use crate::sandbox::Server;

/// The event at the beginning, and after it was joined again.
pub(crate) const SERIES: &str = "piano";

const WHOLE: &str = "FREQ=DAILY;COUNT=10";
const HALF: &str = "FREQ=DAILY;COUNT=5";

/// The occurrence at which the event is split: the sixth one.
const SPLIT_AT: &str = "20261125T090000Z";

/// The title and the recurrence of each event.
type Series = BTreeSet<(String, String)>;

pub(crate) struct SplitSeries {
    series: Expected<Series>,
    /// The event with the later occurrences, if the series is split.
    later: Option<String>,
    number: u64,
    writer: Credential,
}

fn series<const N: usize>(events: [(&str, &str); N]) -> Series {
    events.map(|(title, recurrence)| (title.to_owned(), recurrence.to_owned())).into()
}

impl SplitSeries {
    pub(crate) fn new(writer: Credential) -> Self {
        Self { series: Expected::new(series([(SERIES, WHOLE)])), later: None, number: 0, writer }
    }

    /// Returns the line of the event for an import.
    pub(crate) fn line(mut event: Value) -> Value {
        event["title"] = json!(SERIES);
        event["recurrence"] = json!(WHOLE);
        event["timeZone"] = json!("UTC");
        event
    }

    /// Splits the series, deletes the later event, or extends the earlier one to the whole series.
    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let whole = format!("/api/v1/events/{SERIES}");
        let (next, method, path, body) = match &self.later {
            Some(later) => (series([(SERIES, HALF)]), "DELETE", format!("/api/v1/events/{later}"), None),
            None if self.series.state == series([(SERIES, WHOLE)]) => {
                self.number += 1;
                let title = self.number.to_string();
                let path = format!("{whole}/occurrences/{SPLIT_AT}?scope=following");
                (series([(SERIES, HALF), (&title, HALF)]), "PATCH", path, Some(json!({ "title": title })))
            }
            None => (series([(SERIES, WHOLE)]), "PATCH", whole, Some(json!({ "recurrence": WHOLE }))),
        };
        let is_split = next.len() == 2;
        let request = self.writer.request(server, method, &path, body);
        let status = if is_split { 201 } else { 200 };
        let Some(answer) = self.series.write(next, request, status).await else {
            return false;
        };
        self.later = is_split.then(|| answer.json()["id"].as_str().unwrap().to_owned());
        true
    }

    pub(crate) fn check_after_restart(&mut self, documents: &Documents) -> Option<bool> {
        let text = |event: &Value, field: &str| event[field].as_str().unwrap().to_owned();
        let stored = documents.events.values().map(|event| (text(event, "title"), text(event, "recurrence")));
        let is_applied = self.series.check(stored.collect());
        self.later = documents.events.keys().find(|id| *id != SERIES).cloned();
        is_applied
    }
}
