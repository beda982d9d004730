//! Finds an occurrence of a recurring event by its identifier.

use std::ops::ControlFlow;

use jiff::civil::{Date, DateTime};

use super::calendar_rule::CalendarRule;
use super::exclusions::{Exclusions, seconds};
use super::spans;
use super::steps::Steps;
use super::{LocalStart, OccurrenceStart, Recurrence};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// An occurrence as the rule of its event makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) key: LocalStart,
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
    /// Whether an `EXDATE` excludes it.
    pub(crate) is_excluded: bool,
}

/// Returns the occurrences with a start in the zone of the event, also those that are excluded or changed. Returns
/// several if they start on the same day, or if the clock skips the times between them. Returns none if the event does
/// not recur.
pub(crate) fn locate(event: &Event, zone: &Zone, at: OccurrenceStart) -> Vec<Located> {
    let Some(recurrence) = event.recurrence.as_deref().and_then(|text| Recurrence::parse(text).ok()) else {
        return Vec::new();
    };
    let own = zone.local(event.start_date);
    let mut found: Vec<Located> = Vec::new();
    for local in local_starts(event, &recurrence, zone, own, at) {
        let key: LocalStart = if event.all_day { local.date().into() } else { local.into() };
        let span = if local == own {
            Some((event.start_date, event.end_date))
        } else {
            spans::of_local_start(event, zone, local)
        };
        let Some((start, end)) = span else { continue };
        let is_meant = match at {
            OccurrenceStart::Day(day) => key.date() == day,
            OccurrenceStart::At(at) => !event.all_day && seconds(start) == seconds(at),
        };
        if is_meant && found.iter().all(|other| other.key != key) {
            let is_excluded = is_excluded(&recurrence, event, zone, local, start);
            found.push(Located { key, start, end, is_excluded });
        }
    }
    found
}

/// Returns the local starts near an occurrence in the order in which the expansion finds them.
fn local_starts(
    event: &Event,
    recurrence: &Recurrence,
    zone: &Zone,
    own: DateTime,
    at: OccurrenceStart,
) -> Vec<DateTime> {
    let mut starts = vec![own];
    let (from, to) = match at {
        OccurrenceStart::Day(day) => (day, day),
        // A gap can move a time to the next day.
        OccurrenceStart::At(at) => (day_before(zone.local(at).date()), zone.local(at).date()),
    };
    let rule = CalendarRule::new(recurrence.rule(), own, event.all_day);
    let _ = rule.visit(from, to, &mut Steps::new(), |local| {
        if recurrence.permits(zone, local, event.all_day) {
            starts.push(local);
        }
        ControlFlow::Continue(())
    });
    if event.all_day {
        starts.extend(recurrence.additional_days(zone).map(|day| day.to_datetime(own.time())).filter(|day| *day > own));
    } else {
        starts.extend(recurrence.additional_starts(zone, own).filter(|local| *local > own));
    }
    let changed = event.overrides.as_slice().iter().map(|change| change.recurrence_id);
    starts.extend(changed.map(|key| key.date_time().unwrap_or_else(|| key.date().to_datetime(own.time()))));
    starts
}

fn is_excluded(recurrence: &Recurrence, event: &Event, zone: &Zone, local: DateTime, at: Timestamp) -> bool {
    if event.all_day {
        Exclusions::of_all_day(recurrence.excluded(), zone).has_day(local.date())
    } else {
        Exclusions::of_timed(recurrence.excluded(), zone).has_start(local, at)
    }
}

fn day_before(day: Date) -> Date {
    day.yesterday().unwrap_or(day)
}
