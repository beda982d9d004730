//! Changes of the occurrences of a recurring event: what stays, what moves and what is refused.

use super::at;
use super::occurrence_rules::{change, piano, with, written};
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
