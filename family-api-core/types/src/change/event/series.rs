//! What changes with the dates of a recurring event.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use crate::calendar::{Zone, ZoneName};
use crate::occurrences::Overrides;
use crate::occurrences::locate::{Located, fits, made, span_of};
use crate::occurrences::shift::{Moved, Shift};
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// Returns the time zone of an event: its own, or that of the user who writes.
pub(super) fn zone_of(event: &Event, writer: &Zone) -> Zone {
    event.time_zone.as_ref().and_then(ZoneName::zone).unwrap_or_else(|| writer.clone())
}

/// Moves the exceptions of a recurring event with its start, and drops the changes of occurrences that the rule no
/// longer makes. `moved` is what moves in the recurrence. It is `None` for a recurrence that the change has set.
pub(super) fn follow(before: &Event, after: &mut Event, writer: &Zone, moved: Option<Moved>) {
    if after.recurrence.is_none() || after.all_day != before.all_day {
        after.overrides = Overrides::default();
        return;
    }
    let is_same = (before.start_date, before.end_date, &before.time_zone, &before.recurrence)
        == (after.start_date, after.end_date, &after.time_zone, &after.recurrence);
    if is_same {
        return;
    }
    let (from, to) = (zone_of(before, writer), zone_of(after, writer));
    let shift = Shift::of(before, &from, after, &to);
    if let Some(moved) = moved.filter(|_| !shift.is_none()) {
        let recurrence = after.recurrence.as_deref().and_then(|text| shift.recurrence(text, moved));
        after.recurrence = recurrence.or_else(|| after.recurrence.take());
    }
    if !after.overrides.is_empty() {
        move_overrides(before, &from, after, &to, &shift);
    }
}

fn move_overrides(before: &Event, from: &Zone, after: &mut Event, to: &Zone, shift: &Shift<'_>) {
    let mut overrides = std::mem::take(&mut after.overrides).into_vec();
    for change in &mut overrides {
        let old = span_of(before, from, change.recurrence_id);
        let Some(key) = shift.key(change.recurrence_id) else { continue };
        change.recurrence_id = key;
        // An occurrence with the dates of the rule keeps them. One that was moved stays where it is.
        let new = span_of(after, to, key).filter(|_| old == Some((change.start_date, change.end_date)));
        (change.start_date, change.end_date) = new.unwrap_or((change.start_date, change.end_date));
    }
    let keys: Vec<_> = overrides.iter().map(|change| change.recurrence_id).collect();
    let made = made(after, to, &keys);
    overrides.retain(|change| made.contains(&change.recurrence_id));
    after.overrides = Overrides::new(overrides).unwrap_or_default();
}

/// Moves a series as one of its occurrences has moved. `after` has the new dates of the occurrence, and gets those of
/// the event. Returns whether the rule still makes the occurrence. `moved` is as for [`follow`].
pub(super) fn follow_occurrence(
    before: &Event,
    occurrence: &Located,
    after: &mut Event,
    zone: &Zone,
    moved: Option<Moved>,
) -> bool {
    let (first, last) = (after.start_date, after.end_date);
    let key = occurrence.key.date_time().unwrap_or_else(|| midnight(occurrence.key.date()));
    let local = if first == occurrence.start { key } else { local_start(after, zone, first) };
    if (first, last) == (occurrence.start, occurrence.end) {
        (after.start_date, after.end_date) = (before.start_date, before.end_date);
    } else if occurrence.start != before.start_date {
        let Some(dates) = dates_after(before, zone, (first, last), local.duration_since(key)) else {
            return false;
        };
        (after.start_date, after.end_date) = dates;
    }
    follow(before, after, zone, moved);
    moved.is_none() || local == key || fits(after, zone, local)
}

/// Returns the dates of an event that moves as one of its occurrences, which has the dates `first` and `last` then.
fn dates_after(
    event: &Event,
    zone: &Zone,
    (first, last): (Timestamp, Timestamp),
    by: SignedDuration,
) -> Option<(Timestamp, Timestamp)> {
    let local = local_start(event, zone, event.start_date).checked_add(by).ok()?;
    if !event.all_day {
        let start = zone.resolve(local)?;
        let length = SignedDuration::from_millis(last.as_millis() - first.as_millis());
        return Some((start, start.saturating_add(length)));
    }
    let further_days = zone.last_day(first, last).duration_since(zone.day_of(first)).max(SignedDuration::ZERO);
    let end = local.date().saturating_add(further_days).tomorrow().ok()?;
    Some((zone.start_of_day(local.date()), zone.start_of_day(end)))
}

/// Returns a local start. An all-day event starts at midnight, also if the clock skips it.
fn local_start(event: &Event, zone: &Zone, at: Timestamp) -> DateTime {
    if event.all_day { midnight(zone.day_of(at)) } else { zone.local(at) }
}

fn midnight(day: Date) -> DateTime {
    day.to_datetime(Time::midnight())
}
