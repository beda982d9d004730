//! Occurrences of events in answers.

use std::fmt::Write;

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::resource::Occurrence;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::one_line;
use crate::instant::local_time;
use crate::records::{MAX_LINE, person, title};

/// Maximum length of a description in a list, in characters.
const MAX_DESCRIPTION: usize = 300;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventItem {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) start: String,
    pub(crate) end: String,
    pub(crate) all_day: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    occurrence_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
}

/// Returns the first and the last day of an all-day event, or the start and the end of any other event.
pub(crate) fn days_or_times(all_day: bool, start: Timestamp, end: Timestamp, zone: &Zone) -> (String, String) {
    if all_day {
        (zone.local(start).date().to_string(), zone.last_day(start, end).to_string())
    } else {
        (local_time(start, zone), local_time(end, zone))
    }
}

impl EventItem {
    pub(crate) fn new(occurrence: Occurrence, zone: &Zone) -> Self {
        let event = occurrence;
        let recurring = event.recurrence.is_some();
        let (start, end) = days_or_times(event.all_day, event.start_date, event.end_date, zone);
        Self {
            start,
            end,
            id: event.id.to_string(),
            title: title(&event.title),
            all_day: event.all_day,
            occurrence_of: recurring.then(|| event.occurrence_of.to_string()),
            location: event.location.map(|location| title(&location)),
            recurrence: event.recurrence.map(|recurrence| title(&recurrence)),
            description: event.description.map(|description| one_line(&description, MAX_DESCRIPTION)),
            assignee: person(event.assignee, event.assignee_id),
        }
    }

    /// Returns the occurrence as one line.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("- {}", self.start);
        if self.end != self.start {
            let _ = write!(line, " to {}", self.end);
        }
        if self.all_day {
            line.push_str(" all day");
        }
        let _ = write!(line, ": {} [{}]", one_line(&self.title, MAX_LINE), self.id);
        if let Some(location) = &self.location {
            let _ = write!(line, " at {}", one_line(location, MAX_LINE));
        }
        if let Some(assignee) = &self.assignee {
            let _ = write!(line, " for {}", one_line(assignee, MAX_LINE));
        }
        if let Some((event, rule)) = self.occurrence_of.as_ref().zip(self.recurrence.as_ref()) {
            let _ = write!(line, ", occurrence of [{event}] repeated by {}", one_line(rule, MAX_LINE));
        }
        if let Some(description) = &self.description {
            let _ = write!(line, ": {description}");
        }
        line.push('\n');
        line
    }
}
