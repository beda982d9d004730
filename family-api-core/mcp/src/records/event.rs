//! Occurrences of events in answers.

use std::fmt::Write;
use std::ops::Not;

use family_api_core::Timestamp;
use family_api_core::calendar::{Zone, ZoneName};
use family_api_core::id::UserId;
use family_api_core::jiff::civil::Date;
use family_api_core::resource::{Event, Occurrence, Person};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::one_line;
use crate::instant::{local_time, weekday};
use crate::records::{MAX_LINE, person, title};

/// Maximum length of a description in a list, in characters.
const MAX_DESCRIPTION: usize = 300;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventItem {
    pub(crate) id: String,
    pub(crate) title: String,
    #[serde(flatten)]
    pub(crate) span: Span,
    #[serde(skip_serializing_if = "Option::is_none")]
    occurrence_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    // Omitted if the description is whole.
    #[serde(skip_serializing_if = "Not::not")]
    description_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    participants: Vec<String>,
}

// When an event or an occurrence takes place, in an answer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Span {
    // The weekday of the start.
    weekday: String,
    start: String,
    // Absent if the end is on the day of the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_weekday: Option<String>,
    end: String,
    all_day: bool,
}

impl Span {
    /// Returns the start and the end in words: `Tue 2026-11-24T10:00+01:00 to 2026-11-24T11:00+01:00`.
    pub(crate) fn words(&self) -> String {
        let Self { weekday, start, end_weekday, end, all_day } = self;
        let mut words = format!("{weekday} {start}");
        if end != start {
            let weekday = end_weekday.as_ref().map(|weekday| format!("{weekday} ")).unwrap_or_default();
            let _ = write!(words, " to {weekday}{end}");
        }
        if *all_day {
            words.push_str(" all day");
        }
        words
    }
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
        if self.all_day {
            let (first, last) = self.days(reader);
            return (first.to_string(), last.to_string());
        }
        (local_time(self.start, reader), local_time(self.end, reader))
    }

    /// Returns the start and the end for an answer.
    pub(crate) fn span(&self, reader: &Zone) -> Span {
        let (first, last) = self.days(reader);
        let (start, end) = self.days_or_times(reader);
        let end_weekday = (last != first).then(|| weekday(last));
        Span { weekday: weekday(first), start, end_weekday, end, all_day: self.all_day }
    }

    /// Returns the days of the start and the end: those of an all-day event in its own zone.
    fn days(&self, reader: &Zone) -> (Date, Date) {
        let Self { all_day, start, end, zone } = *self;
        if !all_day {
            return (reader.local(start).date(), reader.local(end).date());
        }
        let own = zone.and_then(ZoneName::zone);
        let zone = own.as_ref().unwrap_or(reader);
        (zone.local(start).date(), zone.last_day(start, end))
    }

    /// Returns the first day in words: `Tue 8 Dec 2026`.
    pub(crate) fn day_in_words(&self, reader: &Zone) -> String {
        self.days(reader).0.strftime("%a %-d %b %Y").to_string()
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
        let cut = |description: &String| description.chars().nth(MAX_DESCRIPTION).is_some();
        Self {
            span: When::from(&event).span(zone),
            id: event.id.to_string(),
            title: title(&event.title),
            occurrence_of: event.recurrence_id.is_some().then(|| event.occurrence_of.to_string()),
            location: event.location.map(|location| title(&location)),
            recurrence: event.recurrence.map(|recurrence| title(&recurrence)),
            description_cut: event.description.as_ref().is_some_and(cut),
            description: event.description.map(|description| one_line(&description, MAX_DESCRIPTION)),
            assignee: person(event.assignee, event.assignee_id),
            participants: event.participant_ids.into_iter().filter_map(|id| person(member(&id), Some(id))).collect(),
        }
    }

    /// Returns the occurrence as one line.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("- {}: {} [{}]", self.span.words(), one_line(&self.title, MAX_LINE), self.id);
        if let Some(location) = &self.location {
            let _ = write!(line, " at {}", one_line(location, MAX_LINE));
        }
        if let Some(assignee) = &self.assignee {
            let _ = write!(line, " for {}", one_line(assignee, MAX_LINE));
        }
        if !self.participants.is_empty() {
            let _ = write!(line, " with {}", one_line(&self.participants.join(", "), MAX_LINE));
        }
        if let Some(event) = &self.occurrence_of {
            let _ = write!(line, ", occurrence of [{event}]");
        }
        if let Some(rule) = &self.recurrence {
            let _ = write!(line, " repeated by {}", one_line(rule, MAX_LINE));
        }
        if let Some(description) = &self.description {
            let _ = write!(line, ": {description}");
        }
        if self.description_cut {
            line.push_str(" (cut)");
        }
        line.push('\n');
        line
    }
}
