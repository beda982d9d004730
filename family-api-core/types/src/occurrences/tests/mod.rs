//! Tests of the expansion. The script `.ci/occurrences.py` compares many more rules with another expander.

mod all_day;
mod edit;
mod limits;
mod overrides;
mod parse;
pub(crate) mod random_series;
mod timed;
mod zones;

use super::{DayRange, MAX_OCCURRENCES, Occurrences, Overrides, expand};
use crate::calendar::parse_date;
use crate::resource::Event;

/// Returns an event from `start` to `end`. A text is an instant, and a recurrence of "" is none.
fn event(start: &str, end: &str, recurrence: &str) -> Event {
    Event {
        id: "e".parse().unwrap(),
        title: "Piano".to_owned(),
        description: None,
        emoji: None,
        color: None,
        start_date: start.parse().unwrap(),
        end_date: end.parse().unwrap(),
        all_day: false,
        time_zone: None,
        location: None,
        recurrence: Some(recurrence.to_owned()).filter(|text| !text.is_empty()),
        overrides: Overrides::default(),
        assignee_id: None,
        assignee: None,
        participant_ids: Vec::new(),
        created_at: start.parse().unwrap(),
        updated_at: start.parse().unwrap(),
        sequence: 7,
    }
}

fn all_day(start: &str, end: &str, recurrence: &str) -> Event {
    Event { all_day: true, ..event(start, end, recurrence) }
}

fn with_zone(zone: &str, event: Event) -> Event {
    Event { time_zone: Some(zone.parse().unwrap()), ..event }
}

fn find(events: &[Event], zone: &str, first: &str, last: &str) -> Occurrences {
    let days = DayRange::new(parse_date(first).unwrap(), parse_date(last).unwrap()).unwrap();
    expand(events, &zone.parse().unwrap(), days, MAX_OCCURRENCES)
}

/// Returns the local starts, to the minute.
fn starts(event: &Event, zone: &str, first: &str, last: &str) -> Vec<String> {
    let found = find(std::slice::from_ref(event), zone, first, last);
    assert!(!found.is_cut && found.unexpanded.is_empty());
    let zone: crate::calendar::Zone = zone.parse().unwrap();
    found.items.iter().map(|item| zone.local(item.start_date).strftime("%Y-%m-%d %H:%M").to_string()).collect()
}
