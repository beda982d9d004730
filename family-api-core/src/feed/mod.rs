//! Calendar feeds, and the iCalendar documents (RFC 5545, RFC 7986) that they serve.
//!
//! [`write`] is pure: the same records and the same [`FeedView`] give the same bytes. It reads no clock.
//!
//! - **The window** begins at [`FeedView::since`]. What ended before is left out. A rule has no end of its own, so it goes
//!   on. Single occurrences of a recurring event are written for [`YEARS_AHEAD`] years from the start of the window.
//! - **One-off timed events** are in UTC. **All-day events** are dates, and their `DTEND` is the day after the last one.
//! - **Recurring timed events** are in the local time of the event, with a `VTIMEZONE` of two yearly rules. If the clock
//!   of a zone changes by no such rule, as in Morocco, or changes differently in the window, all occurrences are single,
//!   and in UTC.
//! - **Rules** have the form that all programs read alike: see [`Unrolled`](crate::occurrences::Unrolled). A rule with
//!   `BYSETPOS`, `BYWEEKNO` or `BYYEARDAY`, on which programs differ, becomes single occurrences.
//! - **Single occurrences** are events of their own, with the start by the rule in their `UID`.
//! - **Seconds** have no fractions: they are cut off.
//! - **`TRANSP`** follows the search for free time: an all-day event without an assignee and participants only marks its
//!   days, and takes no time. A due task takes none either. All other events are `OPAQUE`.
//! - **No `ATTENDEE` and no `ORGANIZER`**, because calendar programs would treat the event as an invitation.
//! - **At most [`MAX_COMPONENTS`]** events, with about [`MAX_BYTES`] of text: those that end first are left out, and a
//!   rule only if there are too many of them.

mod component;
mod event;
mod line;
mod room;
mod task;
#[cfg(test)]
mod tests;
mod time_zone;
mod zones;

pub use family_api_types::feed::*;
pub use room::{MAX_BYTES, MAX_COMPONENTS};

use std::ops::Range;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::occurrences::Unroller;
use crate::resource::{Event, Task};
use line::Lines;
use room::Unit;
use zones::Zones;

/// For how many years from the start of the window single occurrences of a recurring event are written.
pub const YEARS_AHEAD: i16 = 2;

/// How a feed shows the records of its user.
#[derive(Debug, Clone, Copy)]
pub struct FeedView<'a> {
    /// The name of the calendar.
    pub name: &'a str,
    /// How much of each record the feed shows.
    pub detail: FeedDetail,
    /// The language of the words that the feed adds.
    pub language: FeedLanguage,
    /// How often the choice of the feed or the time zone of its user changed. It is added to the sequence of each record.
    pub sequence: u32,
    /// The identifier of the database, which is part of each `UID`.
    pub calendar_id: &'a str,
    /// The time zone of the user: for the days of due tasks, and for events without a zone.
    pub zone: &'a Zone,
    /// The start of the window.
    pub since: Timestamp,
}

/// An iCalendar document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFeed {
    /// The bytes, with lines that end in CRLF.
    pub ics: Vec<u8>,
    /// The number of events, tasks and single occurrences that were left out, because there were too many.
    pub left_out: u32,
}

/// Writes the events and the due tasks of a user. They are already those that the user sees, and that the feed selects.
#[must_use]
pub fn write(feed: &FeedView<'_>, events: &[Event], tasks: &[Task]) -> WrittenFeed {
    let window = feed.since..feed.since.saturating_add_years(YEARS_AHEAD);
    let zones = Zones::of(events, feed.zone, &window);
    let (mut units, skipped) = event_units(feed, events, &zones, &window);
    units.extend(tasks.iter().filter_map(|task| task::unit(feed, task)));
    let left_out = skipped + room::make_room(&mut units);
    let components = || units.iter().flat_map(|unit| &unit.components);
    let mut lines = Lines::new();
    begin_calendar(feed, &mut lines);
    zones.write(components().filter_map(|component| component.zone), &mut lines);
    for component in components() {
        component.write(feed, &mut lines);
    }
    lines.add("END", "VCALENDAR");
    WrittenFeed { ics: lines.into_bytes(), left_out: u32::try_from(left_out).unwrap_or(u32::MAX) }
}

/// Returns the events in their order, and the number of those that were left out.
fn event_units<'a>(
    feed: &FeedView<'a>,
    events: &'a [Event],
    zones: &'a Zones<'a>,
    window: &Range<Timestamp>,
) -> (Vec<Unit<'a>>, usize) {
    let mut unroller = Unroller::new();
    let mut order: Vec<_> = events.iter().enumerate().collect();
    // A long recurrence, or one whose occurrences are counted, must not use up the work for the others.
    order.sort_by_key(|(_, event)| {
        let recurrence = event.recurrence.as_deref().unwrap_or_default();
        (recurrence.to_ascii_uppercase().contains("COUNT="), recurrence.len())
    });
    let mut units = Vec::new();
    let mut left_out = 0;
    for (index, event) in order {
        match event::units(feed, event, zones.of_event(event), window, &mut unroller) {
            Ok((of_event, dropped)) => {
                left_out += dropped;
                units.extend(of_event.into_iter().map(|unit| (index, unit)));
            }
            Err(_) => left_out += 1,
        }
    }
    units.sort_by_key(|(index, _)| *index);
    (units.into_iter().map(|(_, unit)| unit).collect(), left_out)
}

fn begin_calendar(feed: &FeedView<'_>, lines: &mut Lines) {
    lines.add("BEGIN", "VCALENDAR");
    lines.add("VERSION", "2.0");
    lines.add("PRODID", "-//family-api//Calendar feed//EN");
    lines.add("CALSCALE", "GREGORIAN");
    lines.add_text("NAME", feed.name);
    lines.add_text("X-WR-CALNAME", feed.name);
    lines.add("REFRESH-INTERVAL;VALUE=DURATION", "PT1H");
    lines.add("X-PUBLISHED-TTL", "PT1H");
}
