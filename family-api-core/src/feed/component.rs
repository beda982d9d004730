//! One `VEVENT`.

use jiff::civil::{Date, DateTime};

use super::line::Lines;
use super::{FeedDetail, FeedLanguage, FeedView};
use crate::Timestamp;
use crate::calendar::Zone;
use crate::occurrences::Override;
use crate::resource::{Event, Task};
use crate::validation::Field;

/// An event of the document.
#[derive(Debug)]
pub(super) struct Component<'a> {
    /// What identifies it within the calendar.
    pub(super) id: String,
    /// When the record was last changed.
    pub(super) updated_at: Timestamp,
    pub(super) sequence: u32,
    pub(super) time: Time,
    /// The zone of local times, if there are any.
    pub(super) zone: Option<&'a str>,
    pub(super) rule: Option<RuleLines>,
    /// Which occurrence of a rule it replaces.
    pub(super) replaces: Option<Moment>,
    pub(super) is_transparent: bool,
    pub(super) words: Words<'a>,
}

/// When an event is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Time {
    /// Whole days, both inclusive.
    Days(Date, Date),
    /// A start and an end.
    Times(Moment, Moment),
}

/// A moment in a form of iCalendar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Moment {
    Day(Date),
    /// In the zone of the component.
    Local(DateTime),
    Utc(Timestamp),
}

/// The rule of an event.
#[derive(Debug)]
pub(super) struct RuleLines {
    pub(super) text: String,
    pub(super) excluded: Vec<Moment>,
}

/// What a person reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    emoji: Option<&'a str>,
    title: &'a str,
    description: Option<&'a str>,
    location: Option<&'a str>,
}

impl Moment {
    /// Returns the parameter of the property, and the value.
    fn form(self, zone: Option<&str>) -> (String, String) {
        match (self, zone) {
            (Self::Day(day), _) => (";VALUE=DATE".to_owned(), day.strftime("%Y%m%d").to_string()),
            (Self::Local(local), Some(zone)) => (format!(";TZID={zone}"), local.strftime("%Y%m%dT%H%M%S").to_string()),
            (Self::Local(local), None) => (String::new(), local.strftime("%Y%m%dT%H%M%SZ").to_string()),
            (Self::Utc(at), _) => (String::new(), utc(at)),
        }
    }
}

/// Writes an instant in UTC, without its fraction of a second.
fn utc(at: Timestamp) -> String {
    Zone::utc().local(at).strftime("%Y%m%dT%H%M%SZ").to_string()
}

impl<'a> Words<'a> {
    pub(super) fn of_event(event: &'a Event, change: Option<&'a Override>) -> Self {
        let changed = |of_event: &'a Option<String>, field: fn(&Override) -> &Field<String>| match change.map(field) {
            None | Some(Field::Keep) => of_event.as_deref(),
            Some(Field::Clear) => None,
            Some(Field::Set(text)) => Some(text.as_str()),
        };
        Self {
            emoji: changed(&event.emoji, |change| &change.emoji),
            title: change.and_then(|change| change.title.as_deref()).unwrap_or(&event.title),
            description: changed(&event.description, |change| &change.description),
            location: changed(&event.location, |change| &change.location),
        }
    }

    pub(super) fn of_task(task: &'a Task) -> Self {
        Self { emoji: None, title: &task.title, description: task.description.as_deref(), location: None }
    }

    fn write(self, lines: &mut Lines) {
        match self.emoji {
            Some(emoji) => lines.add_text("SUMMARY", &format!("{emoji} {}", self.title)),
            None => lines.add_text("SUMMARY", self.title),
        }
        for (name, text) in [("LOCATION", self.location), ("DESCRIPTION", self.description)] {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                lines.add_text(name, text);
            }
        }
    }
}

impl Component<'_> {
    /// Returns the size of the texts.
    pub(super) fn text_bytes(&self) -> usize {
        let Words { emoji, title, description, location } = self.words;
        let optional = [emoji, description, location].into_iter().flatten().map(str::len).sum::<usize>();
        let excluded = self.rule.as_ref().map_or(0, |rule| rule.excluded.len() * 16);
        title.len() + optional + excluded
    }

    pub(super) fn write(&self, feed: &FeedView<'_>, lines: &mut Lines) {
        let add = |lines: &mut Lines, name: &str, moment: Moment| {
            let (parameter, value) = moment.form(self.zone);
            lines.add(&format!("{name}{parameter}"), &value);
        };
        let updated_at = utc(self.updated_at);
        lines.add("BEGIN", "VEVENT");
        lines.add("UID", &format!("{}@{}", self.id, feed.calendar_id));
        lines.add("DTSTAMP", &updated_at);
        lines.add("LAST-MODIFIED", &updated_at);
        lines.add("SEQUENCE", &self.sequence.saturating_add(feed.sequence).min(MAX_INTEGER).to_string());
        if let Some(replaced) = self.replaces {
            add(lines, "RECURRENCE-ID", replaced);
        }
        let (start, end) = match self.time {
            Time::Days(first, last) => (Moment::Day(first), last.tomorrow().ok().map(Moment::Day)),
            // An event without length has no end (section 3.6.1).
            Time::Times(start, end) => (start, Some(end).filter(|end| *end != start)),
        };
        add(lines, "DTSTART", start);
        if let Some(end) = end {
            add(lines, "DTEND", end);
        }
        if let Some(rule) = &self.rule {
            lines.add("RRULE", &rule.text);
            for excluded in &rule.excluded {
                add(lines, "EXDATE", *excluded);
            }
        }
        match feed.detail {
            FeedDetail::Full => self.words.write(lines),
            FeedDetail::Busy => lines.add_text("SUMMARY", busy(feed.language)),
        }
        lines.add("TRANSP", if self.is_transparent { "TRANSPARENT" } else { "OPAQUE" });
        lines.add("END", "VEVENT");
    }
}

/// The maximum of an integer of iCalendar (section 3.3.8).
const MAX_INTEGER: u32 = i32::MAX.unsigned_abs();

fn busy(language: FeedLanguage) -> &'static str {
    match language {
        FeedLanguage::En => "Busy",
        FeedLanguage::Uk => "Зайнято",
        FeedLanguage::Es => "Ocupado",
        FeedLanguage::De => "Beschäftigt",
    }
}
