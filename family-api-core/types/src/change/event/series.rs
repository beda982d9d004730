//! What changes with the dates of a recurring event.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use crate::calendar::{Zone, ZoneName};
use crate::occurrences::locate::{Located, Made, Series, fits, keeps_distances, moves_as_a_whole};
use crate::occurrences::shift::{Moved, Shift};
use crate::occurrences::{LocalStart, MAX_RECURRENCE_LENGTH, Override, Overrides, Recurrence};
use crate::resource::Event;
use crate::timestamp::Timestamp;
use crate::validation::FieldFault;

/// Returns the time zone of an event: its own, or that of the user who writes.
pub(super) fn zone_of(event: &Event, writer: &Zone) -> Zone {
    event.time_zone.as_ref().and_then(ZoneName::zone).unwrap_or_else(|| writer.clone())
}

/// Returns whether the occurrences can keep their instants or days in another time zone.
pub(super) fn keeps_occurrences(before: &Event, after: &Event, writer: &Zone) -> bool {
    let local = |event: &Event| zone_of(event, writer).local(event.start_date);
    let (from, to) = (local(before), local(after));
    moves_as_a_whole(before, from, from, to) && keeps_distances(before, from.date(), to.date())
}

/// Returns the start of the same day in another time zone, for a date of an all-day event. A date that is not the start
/// of a day stays.
pub(super) fn on_same_day(at: Timestamp, from: &Zone, to: &Zone) -> Timestamp {
    if from.is_start_of_day(at) { to.start_of_day(from.day_of(at)) } else { at }
}

/// Returns the changed occurrences, or the fault of those that an event cannot have.
pub(super) fn overrides_of(changes: Vec<Override>) -> Result<Overrides, FieldFault> {
    Overrides::new(changes).map_err(|invalid| FieldFault::of_field("overrides", &invalid.to_string()))
}

/// Returns why the recurrence of an event cannot be stored.
pub(super) fn unreadable(event: &Event) -> Option<&'static str> {
    let text = event.recurrence.as_deref().filter(|text| Recurrence::parse(text).is_err())?;
    let is_too_long = text.len() > MAX_RECURRENCE_LENGTH;
    Some(if is_too_long { "has no room: remove exceptions that are over" } else { "has no moment before the year 1" })
}

/// Moves the exceptions of a recurring event with its start, and drops the changes of occurrences that the rule then
/// does not make. Returns the fault of an exception that cannot be stored.
pub(super) fn follow(before: &Event, after: &mut Event, writer: &Zone, moved: Moved) -> Result<(), FieldFault> {
    if after.recurrence.is_none() || after.all_day != before.all_day {
        after.overrides = Overrides::default();
        return Ok(());
    }
    let is_same = (before.start_date, before.end_date, &before.time_zone, &before.recurrence)
        == (after.start_date, after.end_date, &after.time_zone, &after.recurrence);
    if is_same {
        return Ok(());
    }
    let (from, to) = (zone_of(before, writer), zone_of(after, writer));
    let shift = Shift::of(before, &from, after, &to, moved);
    if moved == Moved::Everything && !shift.is_none() {
        let by_rule = Made::by_rule_among_additions(before, &from);
        replace(&mut after.recurrence, |text| shift.rule_and_additions(text, &by_rule));
    }
    let excluded = after.recurrence.as_deref().map(|text| shift.excluded_days(text)).unwrap_or_default();
    let changed = after.overrides.as_slice().iter().map(|change| change.recurrence_id.date());
    let days: Vec<_> = excluded.into_iter().chain(changed).collect();
    let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { return Ok(()) };
    let days = shift.days(*first, *last);
    let mut made = Made::between(after, &to, days);
    if let (Some(start), true) = (shift.earlier_start(), moved != Moved::Everything) {
        made = made.with_earlier(after, &to, start, days);
    }
    let made_before = Made::between(before, &from, days);
    if moved == Moved::Everything && !shift.is_none() && !after.all_day {
        let split = after.recurrence.as_deref().and_then(|text| shift.one_by_one(text, (&made_before, &made)));
        if let Some(split) = split {
            after.recurrence = Some(split);
            if let Some(detail) = unreadable(after) {
                return Err(FieldFault::of_field("recurrence", detail));
            }
        }
    }
    if moved != Moved::Changes && !shift.is_none() {
        replace(&mut after.recurrence, |text| shift.exclusions(text, &made));
    }
    move_overrides((before, &from, &made_before), (after, &to, &made), &shift)
}

/// Replaces a recurrence, unless there is no other one.
fn replace(recurrence: &mut Option<String>, new: impl Fn(&str) -> Option<String>) {
    *recurrence = recurrence.take().map(|text| new(&text).unwrap_or(text));
}

fn move_overrides(
    (before, from, made_before): (&Event, &Zone, &Made),
    (after, to, made): (&mut Event, &Zone, &Made),
    shift: &Shift<'_>,
) -> Result<(), FieldFault> {
    let changes = std::mem::take(&mut after.overrides).into_vec();
    // Each series is parsed once, because an event can have many changes.
    let (old_series, new_series) = (Series::of(before, from), Series::of(after, to));
    let mut overrides = Vec::new();
    for mut change in changes {
        let key = change.recurrence_id;
        let new = shift.made_key(key, made).or_else(|| {
            // An import can change an occurrence that the rule does not make.
            let is_foreign = !made_before.has(key) && !made_before.is_unknown(key);
            let shifted = shift.key(key).unwrap_or(key);
            (is_foreign || made.is_unknown(shifted)).then_some(shifted)
        });
        let Some(new) = new.filter(|new| !made.is_too_early(*new)) else { continue };
        let old_span = old_series.as_ref().and_then(|series| series.span_of(key));
        change.recurrence_id = new;
        // An occurrence with the dates of the rule keeps them. One that was moved stays at its instants or on its days.
        let new_span = new_series.as_ref().and_then(|series| series.span_of(new)).filter(|(start, end)| start <= end);
        let dates = (change.start_date, change.end_date);
        let days = Some((on_same_day(dates.0, from, to), on_same_day(dates.1, from, to)));
        let days = days.filter(|(start, end)| after.all_day && start <= end);
        let span = new_span.filter(|_| old_span == Some(dates));
        (change.start_date, change.end_date) = span.or(days).unwrap_or(dates);
        overrides.push((new != key, change));
    }
    // A change that stays comes before one that moves to the same occurrence.
    overrides.sort_by_key(|(is_moved, change)| (change.recurrence_id, *is_moved));
    overrides.dedup_by_key(|(_, change)| change.recurrence_id);
    after.overrides = overrides_of(overrides.into_iter().map(|(_, change)| change).collect())?;
    Ok(())
}

/// Moves a series as one of its occurrences has moved. The occurrence was shown at the dates `shown`. `after` has its
/// new dates, and gets those of the event. Returns whether the rule still makes the occurrence.
pub(super) fn follow_occurrence(
    before: &Event,
    (occurrence, shown): (&Located, (Timestamp, Timestamp)),
    after: &mut Event,
    zone: &Zone,
    moved: Moved,
) -> Result<bool, FieldFault> {
    let new = (after.start_date, after.end_date);
    let by = if new.0 == shown.0 {
        SignedDuration::ZERO
    } else {
        local_start(after, zone, new.0).duration_since(local_start(after, zone, shown.0))
    };
    let Some(dates) = dates_after(before, zone, shown, new, by) else {
        return Ok(false);
    };
    (after.start_date, after.end_date) = dates;
    follow(before, after, zone, moved)?;
    let key = occurrence.key.date_time().unwrap_or_else(|| midnight(occurrence.key.date()));
    let Ok(local) = key.checked_add(by) else {
        return Ok(false);
    };
    if moved == Moved::Everything && shown != (occurrence.start, occurrence.end) {
        let new_key = if after.all_day { local.date().into() } else { local.into() };
        place_override(after, new_key, new)?;
    }
    let own = zone.local(before.start_date);
    let is_at_same_distance = || keeps_distances(before, own.date(), zone.local(dates.0).date());
    Ok(moved != Moved::Everything
        || local == key
        || (moves_as_a_whole(before, own, key, local) && is_at_same_distance() && fits(after, zone, local)))
}

/// Moves a changed occurrence to other dates.
fn place_override(event: &mut Event, key: LocalStart, (start, end): (Timestamp, Timestamp)) -> Result<(), FieldFault> {
    let mut overrides = std::mem::take(&mut event.overrides).into_vec();
    for change in overrides.iter_mut().filter(|change| change.recurrence_id == key) {
        (change.start_date, change.end_date) = (start, end);
    }
    event.overrides = overrides_of(overrides)?;
    Ok(())
}

/// Returns the dates of an event that moves as one of its occurrences, which was shown at the dates `shown`, and then
/// has the dates `new`. The event keeps its length if the occurrence does.
fn dates_after(
    event: &Event,
    zone: &Zone,
    shown: (Timestamp, Timestamp),
    new: (Timestamp, Timestamp),
    by: SignedDuration,
) -> Option<(Timestamp, Timestamp)> {
    let own = (event.start_date, event.end_date);
    if shown == own || shown == new {
        return Some(if shown == own { new } else { own });
    }
    let local = local_start(event, zone, event.start_date).checked_add(by).ok()?;
    if !event.all_day {
        let start = if by.is_zero() { event.start_date } else { zone.resolve(local)? };
        let length =
            |(first, last): (Timestamp, Timestamp)| SignedDuration::from_millis(last.as_millis() - first.as_millis());
        let is_kept = length(shown) == length(new);
        return Some((start, start.saturating_add(length(if is_kept { own } else { new }))));
    }
    let further_days = |(first, last): (Timestamp, Timestamp)| {
        zone.last_day(first, last).duration_since(zone.day_of(first)).max(SignedDuration::ZERO)
    };
    let is_kept = further_days(shown) == further_days(new);
    let end = local.date().saturating_add(further_days(if is_kept { own } else { new })).tomorrow().ok()?;
    Some((zone.start_of_day(local.date()), zone.start_of_day(end)))
}

/// Returns a local start. An all-day event starts at midnight, also if the clock skips it.
fn local_start(event: &Event, zone: &Zone, at: Timestamp) -> DateTime {
    if event.all_day { midnight(zone.day_of(at)) } else { zone.local(at) }
}

fn midnight(day: Date) -> DateTime {
    day.to_datetime(Time::midnight())
}
