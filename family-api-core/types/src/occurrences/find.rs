//! Returns one occurrence of an event by its start.

use super::OccurrenceStart;
use super::locate::{Located, locate};
use crate::calendar::{Zone, ZoneName};
use crate::resource::{Event, Occurrence, Person};

/// Returns the occurrence of a recurring event with a start, or `None` if the event does not recur, or its rule makes no
/// such occurrence, or the occurrence is skipped. A changed occurrence has the dates and fields of its change.
///
/// An event without a zone recurs in the zone of the reader, as in [`expand`](super::expand). A changed assignee is one of
/// the members, or null.
///
/// ```
/// use family_api_types::occurrences::find_occurrence;
/// use family_api_types::resource::Event;
///
/// let start = "2026-12-01T16:30:00Z".parse()?;
/// let piano = Event::new("piano".parse()?, "Piano", start, start, start);
/// let piano = Event { recurrence: Some("FREQ=WEEKLY".to_owned()), ..piano };
/// let find = |start: &str| find_occurrence(&piano, &"UTC".parse().unwrap(), start.parse().unwrap(), &[]);
/// assert_eq!(find("20261208T163000Z").map(|found| found.id.to_string()).as_deref(), Some("piano@20261208T163000Z"));
/// assert_eq!(find("20261209T163000Z"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find_occurrence(event: &Event, reader: &Zone, start: OccurrenceStart, members: &[Person]) -> Option<Occurrence> {
    let own = event.time_zone.as_ref().and_then(ZoneName::zone);
    let is_shown = |located: &Located| !located.is_excluded || event.overrides.find(located.key).is_some();
    let located = locate(event, own.as_ref().unwrap_or(reader), start).into_iter().find(is_shown)?;
    let Some(change) = event.overrides.find(located.key) else {
        let dates = (located.start, located.end);
        return Some(Occurrence::of_recurring(event, located.key, located.start, dates));
    };
    let dates = (change.start_date, change.end_date);
    Some(Occurrence::of_recurring(event, located.key, located.start, dates).changed(change, members))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occurrences::{DayRange, LocalStart};
    use crate::occurrences::{Expansion, MAX_OCCURRENCES, Override, Overrides};
    use crate::timestamp::Timestamp;
    use crate::validation::Field;
    use jiff::civil::date;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn each_occurrence_is_found_by_its_id_as_it_is_shown() {
        let key: LocalStart = "2026-10-27T18:30:00".parse().unwrap();
        let moved = Override {
            title: Some("Recital".to_owned()),
            location: Field::Set("Hall".to_owned()),
            ..Override::new(key, at("2026-10-28T10:00:00Z"), at("2026-10-28T12:00:00Z"))
        };
        let start = at("2026-10-13T16:30:00Z");
        let event = Event {
            recurrence: Some("FREQ=WEEKLY\nEXDATE:20261020T183000".to_owned()),
            time_zone: Some("Europe/Madrid".parse().unwrap()),
            overrides: Overrides::new(vec![moved]).unwrap(),
            ..Event::new("piano".parse().unwrap(), "Piano", start, at("2026-10-13T17:30:00Z"), start)
        };
        let day = date(2026, 10, 1);
        let all_day = Event {
            all_day: true,
            recurrence: Some("FREQ=MONTHLY".to_owned()),
            ..Event::new("rent".parse().unwrap(), "Rent", at("2026-10-01T00:00:00Z"), at("2026-10-02T00:00:00Z"), start)
        };
        let days = DayRange::new(day, date(2026, 12, 31)).unwrap();
        for event in [event, all_day] {
            let found = Expansion::of([&event].into_iter(), &Zone::utc(), days, MAX_OCCURRENCES).items;
            assert!(found.len() > 2, "{found:?}");
            for occurrence in found.iter().map(|found| found.to_occurrence(&[])) {
                let start = occurrence.id.as_str().split_once('@').unwrap().1.parse().unwrap();
                assert_eq!(find_occurrence(&event, &Zone::utc(), start, &[]), Some(occurrence));
            }
        }
    }

    #[test]
    fn what_is_skipped_or_never_made_is_not_found() {
        let start = at("2026-10-13T16:30:00Z");
        let single = Event::new("dentist".parse().unwrap(), "Dentist", start, start, start);
        let weekly = Event { recurrence: Some("FREQ=WEEKLY\nEXDATE:20261020T163000".to_owned()), ..single.clone() };
        for (event, start) in
            [(&single, "20261013T163000Z"), (&weekly, "20261020T163000Z"), (&weekly, "20261021T163000Z")]
        {
            assert_eq!(find_occurrence(event, &Zone::utc(), start.parse().unwrap(), &[]), None, "{start}");
        }
        assert!(find_occurrence(&weekly, &Zone::utc(), "20261013T163000Z".parse().unwrap(), &[]).is_some());
    }
}
