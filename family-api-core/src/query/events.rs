//! The query for occurrences of events.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::query::{Page, Position, QueryContext, SearchText};
use crate::resource::{Event, InvalidQuery, Occurrence};

/// Number of days from the first to the last day, if the query names no last day.
const DEFAULT_SPAN: i64 = 7;

/// Maximum number of days in a range, both ends included.
const MAX_DAYS: i32 = 366;

/// Selects occurrences of events that overlap a range of days in the user's time zone. Both days are inclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// The first day. Default: today.
    pub from: Option<Date>,
    /// The last day, at most 365 days after the first. Default: 7 days after the first day.
    pub to: Option<Date>,
    /// A text in the title, the description or the location.
    pub text: Option<SearchText>,
}

/// A page of occurrences, ordered by start and id.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundOccurrences {
    /// The first day of the range.
    pub from: Date,
    /// The last day of the range.
    pub to: Date,
    /// The occurrences.
    pub page: Page<Occurrence>,
    /// Whether occurrences were left out on all pages, because the range has more than 1,000. A shorter range returns
    /// them.
    pub is_cut: bool,
}

/// A range of days, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DayRange {
    pub(crate) from: Date,
    pub(crate) to: Date,
}

impl DayRange {
    /// Creates a range.
    ///
    /// # Errors
    /// [`InvalidQuery`] if `from` is after `to`, or the range has more than 366 days.
    pub(crate) fn new(from: Date, to: Date) -> Result<Self, InvalidQuery> {
        if from > to {
            return Err(InvalidQuery { parameter: "from", expected: "a day that is not after `to`" });
        }
        if to.since(from).is_ok_and(|span| span.get_days() < MAX_DAYS) {
            Ok(Self { from, to })
        } else {
            Err(InvalidQuery { parameter: "to", expected: "a day at most 365 days after `from`" })
        }
    }
}

impl EventQuery {
    /// Returns the days of the query.
    ///
    /// # Errors
    /// [`InvalidQuery`] as [`DayRange::new`].
    pub(crate) fn days(&self, context: QueryContext<'_>) -> Result<DayRange, InvalidQuery> {
        let from = self.from.unwrap_or_else(|| context.zone.day_of(context.now));
        let to = self.to.unwrap_or_else(|| from.saturating_add(DEFAULT_SPAN.days()));
        DayRange::new(from, to)
    }

    /// Selects the events that contain the text.
    pub(crate) fn select(&self, events: Vec<Event>) -> Vec<Event> {
        let mut events = events;
        if let Some(text) = &self.text {
            events.retain(|event| {
                let optional = [&event.description, &event.location].into_iter().flatten();
                text.is_in(&event.title) || optional.into_iter().any(|field| text.is_in(field))
            });
        }
        events
    }
}
