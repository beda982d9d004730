//! One `VEVENT`.

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime};

use super::digits::{BasicDate, BasicDateTime};
use super::line::{Lines, escaped, escaped_bytes, line_bytes};
use super::{FeedDetail, FeedLanguage, FeedView};
use crate::Timestamp;
use crate::calendar::Zone;
use crate::occurrences::{LocalStart, Override};
use crate::resource::{Event, Task};
use crate::validation::Field;

/// An event of the document.
#[derive(Debug)]
pub(super) struct Component<'a> {
    /// What identifies it within the calendar.
    pub(super) id: ComponentId<'a>,
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

/// What identifies an event within the calendar.
#[derive(Debug, Clone, Copy)]
pub(super) struct ComponentId<'a> {
    /// The kind of record.
    pub(super) prefix: &'static str,
    /// The id of the record.
    pub(super) record: &'a str,
    /// The start by the rule of a single occurrence: a date, or a local time. No id of a record has the dot before it.
    pub(super) occurrence: Option<LocalStart>,
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
    emoji: Option<Text<'a>>,
    title: Text<'a>,
    description: Option<Text<'a>>,
    location: Option<Text<'a>>,
}

/// A text of a record. It is measured once, and not for each occurrence that repeats it.
#[derive(Debug, Clone, Copy)]
struct Text<'a> {
    text: &'a str,
    /// An upper bound of its size when it is escaped.
    bytes: usize,
}

impl<'a> Text<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, bytes: escaped_bytes(text) }
    }
}

impl ComponentId<'_> {
    /// Returns the size in bytes.
    fn bytes(self) -> usize {
        let occurrence =
            self.occurrence.map_or(0, |key| if key.is_whole_day() { ".20261201" } else { ".20261201T163000" }.len());
        self.prefix.len() + self.record.len() + occurrence
    }

    fn write(self, calendar_id: &str, lines: &mut Lines) {
        let Self { prefix, record, occurrence } = self;
        match occurrence.map(|key| (key.date(), key.date_time())) {
            None => lines.add_parts(["UID:", prefix, record, "@", calendar_id]),
            Some((_, Some(local))) => {
                let key = BasicDateTime::of(local);
                lines.add_parts(["UID:", prefix, record, ".", key.as_str(), "@", calendar_id]);
            }
            Some((day, None)) => {
                lines.add_parts(["UID:", prefix, record, ".", BasicDate::of(day).as_str(), "@", calendar_id]);
            }
        }
    }
}

impl Moment {
    fn write(self, name: &str, zone: Option<&str>, lines: &mut Lines) {
        match (self, zone) {
            (Self::Day(day), _) => lines.add_parts([name, ";VALUE=DATE:", BasicDate::of(day).as_str()]),
            (Self::Local(local), Some(zone)) => {
                lines.add_parts([name, ";TZID=", zone, ":", BasicDateTime::of(local).as_str()]);
            }
            (Self::Local(local), None) => lines.add(name, BasicDateTime::of(local).as_str()),
            (Self::Utc(at), _) => lines.add_parts([name, ":", utc(at).as_str(), "Z"]),
        }
    }
}

static UTC: LazyLock<Zone> = LazyLock::new(Zone::utc);

/// Returns an instant in UTC, without its fraction of a second.
fn utc(at: Timestamp) -> BasicDateTime {
    BasicDateTime::of(UTC.local(at))
}

impl<'a> Words<'a> {
    pub(super) fn of_event(event: &'a Event) -> Self {
        Self {
            emoji: event.emoji.as_deref().map(Text::new),
            title: Text::new(&event.title),
            description: event.description.as_deref().map(Text::new),
            location: event.location.as_deref().map(Text::new),
        }
    }

    pub(super) fn of_task(task: &'a Task) -> Self {
        let description = task.description.as_deref().map(Text::new);
        Self { emoji: None, title: Text::new(&task.title), description, location: None }
    }

    /// Returns the words of a changed occurrence.
    pub(super) fn changed(self, change: &'a Override) -> Self {
        let changed = |of_event, change: &'a Field<String>| match change {
            Field::Keep => of_event,
            Field::Clear => None,
            Field::Set(text) => Some(Text::new(text)),
        };
        Self {
            emoji: changed(self.emoji, &change.emoji),
            title: change.title.as_deref().map_or(self.title, Text::new),
            description: changed(self.description, &change.description),
            location: changed(self.location, &change.location),
        }
    }

    /// Returns an upper bound of the size of the lines.
    fn bytes(self) -> usize {
        let emoji = self.emoji.map_or(0, |emoji| emoji.bytes + " ".len());
        let others = [("LOCATION:", self.location), ("DESCRIPTION:", self.description)];
        let others = others.into_iter().filter_map(|(name, text)| Some(line_bytes(name.len() + text?.bytes)));
        line_bytes("SUMMARY:".len() + emoji + self.title.bytes) + others.sum::<usize>()
    }

    fn write(self, lines: &mut Lines) {
        match self.emoji {
            Some(emoji) => lines.add_parts(["SUMMARY:", &escaped(emoji.text), " ", &escaped(self.title.text)]),
            None => lines.add_text("SUMMARY", self.title.text),
        }
        for (name, text) in [("LOCATION", self.location), ("DESCRIPTION", self.description)] {
            if let Some(Text { text, .. }) = text.filter(|text| !text.text.is_empty()) {
                lines.add_text(name, text);
            }
        }
    }
}

/// An upper bound of the size of the lines that each component has, except for the identifier, the moments and the
/// words.
const FIXED_BYTES: usize = 128;

impl Component<'_> {
    /// Returns an upper bound of the bytes that are written.
    pub(super) fn bytes(&self, feed: &FeedView<'_>) -> usize {
        let id = line_bytes("UID:@".len() + self.id.bytes() + feed.calendar_id.len());
        let parameter = self.zone.map_or(0, |zone| ";TZID=".len() + zone.len()).max(";VALUE=DATE".len());
        let moment = |name: &str| line_bytes(name.len() + parameter + ":20261201T163000Z".len());
        let rule = self
            .rule
            .as_ref()
            .map_or(0, |rule| line_bytes("RRULE:".len() + rule.text.len()) + rule.excluded.len() * moment("EXDATE"));
        let replaces = self.replaces.map_or(0, |_| moment("RECURRENCE-ID"));
        let words = match feed.detail {
            FeedDetail::Full => self.words.bytes(),
            FeedDetail::Busy => line_bytes("SUMMARY:".len() + busy(feed.language).len()),
        };
        FIXED_BYTES + id + moment("DTSTART") + moment("DTEND") + rule + replaces + words
    }

    pub(super) fn write(&self, feed: &FeedView<'_>, lines: &mut Lines) {
        let add = |lines: &mut Lines, name: &str, moment: Moment| moment.write(name, self.zone, lines);
        let updated_at = utc(self.updated_at);
        lines.add("BEGIN", "VEVENT");
        self.id.write(feed.calendar_id, lines);
        lines.add_parts(["DTSTAMP:", updated_at.as_str(), "Z"]);
        lines.add_parts(["LAST-MODIFIED:", updated_at.as_str(), "Z"]);
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
