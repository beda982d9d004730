//! Changes of the occurrences of a recurring event: what stays, what moves and what is refused.

use super::at;
use super::occurrence_rules::{all, camp, change, end, piano, refused, restore, with, written};
use crate::change::EventChange;
use crate::occurrences::{Override, Overrides};
use crate::resource::Event;

/// Returns the event with a change of an occurrence, which takes the first hour after `start`.
fn with_override(event: Event, key: &str, start: &str, title: Option<&str>) -> Event {
    let start = at(start);
    let end = start.saturating_add(jiff::SignedDuration::from_hours(1));
    let title = title.map(str::to_owned);
    let mut overrides = event.overrides.clone().into_vec();
    overrides.push(Override { title, ..Override::new(key.parse().unwrap(), start, end) });
    Event { overrides: Overrides::new(overrides).unwrap(), ..event }
}

#[test]
fn an_excluded_occurrence_stays_shown_without_differences() {
    let excluded = with(piano(), "FREQ=WEEKLY\nEXDATE:20261208T183000");
    let event = with_override(excluded, "2026-12-08T18:30:00", "2026-12-08T16:30:00Z", Some("Recital"));
    let same = written(change("20261208T163000Z", &EventChange::new().title("Piano")), event);
    assert_eq!(same.overrides.as_slice().len(), 1);
    assert_eq!(same.overrides.as_slice()[0].title, None);
}

#[test]
fn a_rule_that_ends_earlier_is_not_extended() {
    for (until, line, start) in [
        ("20261201T163000Z", "20261210T183000", "20261210T163000Z"),
        ("20261201", "20261210T183000", "20261210T163000Z"),
        ("20261201T183000", "20261210T183000", "20261210T163000Z"),
    ] {
        let event = with(piano(), &format!("FREQ=WEEKLY;UNTIL={until}\nRDATE:{line}"));
        let ended = written(end(start), event);
        assert_eq!(ended.recurrence.unwrap(), format!("FREQ=WEEKLY;UNTIL={until}"));
    }
    let days = with(camp(), "FREQ=WEEKLY;UNTIL=20261201\nRDATE;VALUE=DATE:20261210");
    assert_eq!(written(end("20261210"), days).recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20261201"));
    let later = with(piano(), "FREQ=WEEKLY;UNTIL=20261222\nRDATE:20261210T183000");
    let ended = written(end("20261210T163000Z"), later);
    assert_eq!(ended.recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20261210T162959Z"));
}

#[test]
fn an_event_does_not_end_before_its_only_occurrences() {
    let skipped = with(piano(), "FREQ=WEEKLY\nEXDATE:20261124T183000,20261201T183000");
    assert_eq!(refused(end("20261208"), skipped.clone()), ["/scope"]);
    assert!(written(end("20261215"), skipped.clone()).recurrence.is_some());
    // A changed occurrence is shown although it is excluded.
    let changed = with_override(skipped, "2026-12-01T18:30:00", "2026-12-02T16:30:00Z", None);
    assert_eq!(written(end("20261208"), changed).overrides.as_slice().len(), 1);
    let days = with(camp(), "FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261123");
    assert_eq!(refused(end("20261130"), days), ["/scope"]);
}

#[test]
fn a_whole_day_with_another_occurrence_stays_excluded() {
    let added = with(piano(), "FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261208\nRDATE:20261208T100000");
    assert_eq!(refused(restore("20261208T163000Z"), added.clone()), ["/recurrence"]);
    assert_eq!(refused(restore("20261208T080000Z"), added.clone()), ["/recurrence"]);
    // A changed occurrence is shown already.
    let changed = with_override(added, "2026-12-08T10:00:00", "2026-12-08T08:00:00Z", None);
    let restored = written(restore("20261208T163000Z"), changed);
    assert_eq!(restored.recurrence.as_deref(), Some("FREQ=WEEKLY\nRDATE:20261208T100000"));
}

#[test]
fn an_excluded_day_in_another_zone_moves_by_days() {
    let days = with(camp(), "FREQ=WEEKLY\nEXDATE;TZID=America/New_York:20261207T200000");
    let moved = written(all("20261130", &EventChange::new().start_date(jiff::civil::date(2026, 12, 1))), days);
    assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY\nEXDATE;TZID=America/New_York:20261208T200000"));
    let madrid = EventChange::new().time_zone("Europe/Madrid".parse::<crate::calendar::ZoneName>().unwrap());
    let elsewhere = with(camp(), "FREQ=WEEKLY\nEXDATE;TZID=Asia/Tokyo:20261207T000000");
    let recurrence = elsewhere.recurrence.clone();
    assert_eq!(written(madrid.build().unwrap(), elsewhere).recurrence, recurrence);
}
