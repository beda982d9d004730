//! Occurrences of events in answers.

use std::fmt::Write;

use family_api_core::Timestamp;
use family_api_core::calendar::{Zone, ZoneName};
use family_api_core::id::UserId;
use family_api_core::resource::{Event, Occurrence, Person};
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    participants: Vec<String>,
}

/// When an event or an occurrence takes place.
pub(crate) struct When<'e> {
    pub(crate) all_day: bool,
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
    pub(crate) zone: Option<&'e ZoneName>,
}

impl When<'_> {
    /// Returns the first and the last day of an all-day event in its own zone, or the start and the end of any other
    /// event in the zone of the reader.
    pub(crate) fn days_or_times(&self, reader: &Zone) -> (String, String) {
        let Self { all_day, start, end, zone } = *self;
        if !all_day {
            return (local_time(start, reader), local_time(end, reader));
        }
        let own = zone.and_then(ZoneName::zone);
        let zone = own.as_ref().unwrap_or(reader);
        (zone.local(start).date().to_string(), zone.last_day(start, end).to_string())
    }

    /// Returns the first day in words: `Tue 8 Dec 2026`.
    pub(crate) fn day_in_words(&self, reader: &Zone) -> String {
        let own = self.zone.filter(|_| self.all_day).and_then(ZoneName::zone);
        own.as_ref().unwrap_or(reader).local(self.start).strftime("%a %-d %b %Y").to_string()
    }
}

impl<'e> From<&'e Event> for When<'e> {
    fn from(event: &'e Event) -> Self {
        let Event { all_day, start_date: start, end_date: end, time_zone, .. } = event;
        Self { all_day: *all_day, start: *start, end: *end, zone: time_zone.as_ref() }
    }
}

impl<'e> From<&'e Occurrence> for When<'e> {
    fn from(occurrence: &'e Occurrence) -> Self {
        let Occurrence { all_day, start_date: start, end_date: end, time_zone, .. } = occurrence;
        Self { all_day: *all_day, start: *start, end: *end, zone: time_zone.as_ref() }
    }
}

impl EventItem {
    /// Describes an occurrence. A participant who is not one of the members is shown by the id.
    pub(crate) fn new(occurrence: Occurrence, members: &[Person], zone: &Zone) -> Self {
        let event = occurrence;
        let member = |id: &UserId| members.iter().find(|member| member.id == *id).cloned();
        let recurring = event.recurrence.is_some();
        let (start, end) = When::from(&event).days_or_times(zone);
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
            participants: event.participant_ids.into_iter().filter_map(|id| person(member(&id), Some(id))).collect(),
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
        if !self.participants.is_empty() {
            let _ = write!(line, " with {}", one_line(&self.participants.join(", "), MAX_LINE));
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
