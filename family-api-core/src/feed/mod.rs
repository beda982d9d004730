//! Calendar feeds, and the iCalendar documents (RFC 5545, RFC 7986) that they serve.
//!
//! [`write()`] is pure: the same records and the same [`FeedView`] give the same bytes. It reads no clock.
//!
//! - **The window** begins at [`FeedView::since`]. What ended before is left out. A rule has no end of its own, so it goes
//!   on. Single occurrences of a recurring event are written for [`YEARS_AHEAD`] years from the start of the window.
//! - **One-off timed events** are in UTC. **All-day events** are dates, and their `DTEND` is the day after the last one.
//! - **Recurring timed events** are in the local time of the event, with a `VTIMEZONE` of two yearly rules, or of one
//!   offset. If the clock of a zone changes by no such rule, as in Egypt, or changes differently in the window, all
//!   occurrences are single, and in UTC.
//! - **Rules** have the form that all programs read alike: see [`Unrolled`](crate::occurrences::Unrolled). All
//!   occurrences are single if the clock skips or repeats the start of one, and if programs differ on the rule: with
//!   `BYWEEKNO` or `BYYEARDAY`; with `BYSETPOS`, except in a monthly rule with weekdays without numbers; in a daily
//!   rule with `BYMONTHDAY`, or with `BYDAY` and an interval; in a monthly rule with `BYMONTH`; in a monthly or yearly rule
//!   with several times of day, or with both `BYMONTHDAY` and `BYDAY`; in a yearly rule with one of them and no
//!   `BYMONTH`, with a day that one of its months can lack, or with a day from the end of the month.
//! - **Single occurrences** are events of their own, with the start by the rule in their `UID`. An event has at most
//!   [`MAX_SINGLE_OCCURRENCES`](crate::occurrences::MAX_SINGLE_OCCURRENCES): the earliest. An event whose recurrence
//!   needs too much work is left out whole.
//! - **Seconds** have no fractions: they are cut off.
//! - **An empty calendar** has the zone UTC, because a calendar has at least one component (section 3.6).
//! - **`TRANSP`** follows the search for free time: an all-day event without an assignee and participants only marks its
//!   days, and takes no time. A due task takes none either. All other events are `OPAQUE`.
//! - **No `ATTENDEE` and no `ORGANIZER`**, because calendar programs would treat the event as an invitation.
//! - **[`FeedDetail::Busy`]** shows only when time is taken, so what is transparent is left out.
//! - **At most [`MAX_COMPONENTS`]** events, with at most [`MAX_BYTES`]. If not everything fits, rules with their
//!   changed occurrences have at most half of each: the largest are left out. Then single events, single occurrences
//!   and tasks are left out: first what is past, in the order of the ends, then what starts last. What ends within 90
//!   days from the start of the window is past, so that the bytes depend on no clock.

mod component;
mod digits;
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
use time_zone::YearlyRules;
use zones::Zones;

/// For how many years from the start of the window single occurrences of a recurring event are written.
pub const YEARS_AHEAD: i16 = 2;

/// What is reserved for the head of the calendar and its time zones, in bytes.
const HEAD_BYTES: usize = 4_096;

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
    /// The number of events, tasks, and changed and single occurrences that were left out, because there were too many.
    /// An event whose occurrences take too much work to find is one.
    pub left_out: u32,
}

/// Writes the events and the due tasks of a user. They are already those that the user sees, and that the feed selects.
#[must_use]
pub fn write(feed: &FeedView<'_>, events: &[Event], tasks: &[Task]) -> WrittenFeed {
    let window = feed.since..feed.since.saturating_add_years(YEARS_AHEAD);
    let zones = Zones::of(events, feed.zone, &window);
    let (mut units, skipped) = event_units(feed, events, &zones, &window);
    units.extend(tasks.iter().filter_map(|task| task::unit(feed, task)));
    let left_out = skipped + room::make_room(&mut units, feed.since);
    let components = || units.iter().flat_map(|unit| &unit.components);
    let mut lines = Lines::with_capacity(HEAD_BYTES + room::bytes(&units));
    begin_calendar(feed, &mut lines);
    if units.is_empty() {
        YearlyRules::UTC.write("UTC", &mut lines);
    }
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
    order.sort_by_cached_key(|(_, event)| {
        let recurrence = event.recurrence.as_deref().unwrap_or_default();
        (recurrence.to_ascii_uppercase().contains("COUNT="), recurrence.len())
    });
    let mut units = Vec::new();
    let (mut components, mut left_out) = (0, 0);
    for (position, event) in order {
        match event::units(feed, event, zones.of_event(event), window, &mut unroller) {
            Ok((of_event, dropped)) => {
                left_out += dropped;
                components += room::count(&of_event);
                units.extend(of_event.into_iter().map(|unit| unit.at(position)));
            }
            Err(_) => left_out += 1,
        }
        // What is collected is bounded too.
        if components > 2 * MAX_COMPONENTS {
            left_out += room::make_room(&mut units, feed.since);
            components = room::count(&units);
        }
    }
    units.sort_by_key(|unit| unit.position);
    (units, left_out)
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
