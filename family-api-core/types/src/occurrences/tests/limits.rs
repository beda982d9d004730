use jiff::ToSpan;
use jiff::civil::date;

use super::super::event_span::QueryRange;
use super::super::steps::Steps;
use super::super::{DayRange, InvalidDayRange, MAX_OCCURRENCES, Recurrence, expand, spans};
use super::{event, find, starts};
use crate::calendar::Zone;

#[test]
fn a_range_has_1_to_366_days() {
    assert!(DayRange::new(date(2024, 1, 1), date(2024, 1, 1)).is_ok());
    assert!(DayRange::new(date(2024, 1, 1), date(2024, 12, 31)).is_ok());
    assert_eq!(DayRange::new(date(2024, 1, 1), date(2025, 1, 1)), Err(InvalidDayRange));
    assert_eq!(DayRange::new(date(2024, 1, 2), date(2024, 1, 1)), Err(InvalidDayRange));
}

#[test]
fn the_earliest_occurrences_of_all_events_are_kept() {
    let mut often = event("2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "FREQ=DAILY;BYHOUR=6,12,18");
    let mut rarely = event("2026-01-01T01:00:00Z", "2026-01-01T01:01:00Z", "FREQ=DAILY");
    often.id = "often".parse().unwrap();
    rarely.id = "rarely".parse().unwrap();
    let found = find(&[often.clone(), rarely.clone()], "UTC", "2026-01-01", "2026-12-31");
    assert!(found.is_cut);
    assert_eq!(found.items.len(), MAX_OCCURRENCES);
    assert!(found.items.is_sorted_by_key(|item| item.start_date));
    assert_eq!(found.items.iter().filter(|item| item.occurrence_of == rarely.id).count(), 250);
    // One occurrence at each of the events' own starts, and 4 a day.
    let found = find(&[often, rarely], "UTC", "2026-01-01", "2026-09-06");
    assert_eq!((found.items.len(), found.is_cut), (997, false));
}

#[test]
fn a_lower_maximum_cuts_exactly() {
    let daily = [event("2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "FREQ=DAILY")];
    let days = DayRange::new(date(2026, 1, 5), date(2026, 1, 8)).unwrap();
    for (max, expected, is_cut) in [(0, 0, true), (3, 3, true), (4, 4, false), (5, 4, false)] {
        let found = expand(&daily, &Zone::utc(), days, max);
        assert_eq!((found.items.len(), found.is_cut), (expected, is_cut), "{max}");
    }
}

#[test]
fn a_late_addition_does_not_displace_an_earlier_occurrence() {
    let rule = "FREQ=DAILY\nRDATE:20260108T120000Z,20260107T120000Z";
    let daily = [event("2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", rule)];
    let days = DayRange::new(date(2026, 1, 5), date(2026, 1, 8)).unwrap();
    let found = expand(&daily, &Zone::utc(), days, 2);
    let ids: Vec<_> = found.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!((ids, found.is_cut), (vec!["e@20260105T000000Z", "e@20260106T000000Z"], true));
}

#[test]
fn an_event_with_an_invalid_recurrence_is_shown_once() {
    let broken = event("2026-11-23T10:00:00Z", "2026-11-23T11:00:00Z", "every Monday");
    let found = find(&[broken], "UTC", "2026-11-01", "2026-12-31");
    assert_eq!((found.items.len(), found.items[0].id.as_str()), (1, "e"));
    assert_eq!(found.unexpanded, ["e".parse().unwrap()]);
}

#[test]
fn an_event_whose_rule_never_matches_is_shown_once() {
    let never = event("2026-11-23T10:00:00Z", "2026-11-23T11:00:00Z", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30");
    assert_eq!(starts(&never, "UTC", "2026-11-01", "2027-03-31"), ["2026-11-23 10:00"]);
}

#[test]
fn an_old_event_and_a_long_event_are_found() {
    let old = event("0001-01-01T10:00:00Z", "0001-01-01T11:00:00Z", "FREQ=DAILY;INTERVAL=3");
    assert_eq!(starts(&old, "UTC", "9999-12-29", "9999-12-31").len(), 1);
    let long = event("2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "FREQ=YEARLY;COUNT=3");
    assert_eq!(starts(&long, "UTC", "2027-06-01", "2027-06-01"), ["2022-01-01 00:00"]);
}

#[test]
fn a_count_over_too_many_days_is_cut() {
    let sparse = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=10000";
    assert!(Recurrence::parse(sparse).is_ok());
    let sparse = event("0001-01-01T10:00:00Z", "0001-01-01T11:00:00Z", sparse);
    let found = find(&[sparse], "UTC", "9996-01-01", "9996-12-31");
    assert_eq!((found.items.len(), found.is_cut), (0, true));
}

#[test]
fn a_long_count_does_not_displace_other_events() {
    let sparse = event("0001-01-01T10:00:00Z", "0001-01-01T11:00:00Z", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=9");
    let weekly = event("2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", "FREQ=WEEKLY");
    let single = event("2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z", "");
    let counted = event("2026-01-06T10:00:00Z", "2026-01-06T11:00:00Z", "FREQ=DAILY;BYMONTH=1,2,3;BYDAY=TU,WE;COUNT=2");
    let mut events = vec![sparse; 60];
    events.extend([weekly.clone(), single.clone(), counted]);
    let found = find(&events, "UTC", "2026-01-01", "2026-01-08");
    // The steps are used up before the last event with COUNT: it has only the occurrence at its own dates.
    assert!(found.is_cut);
    let starts: Vec<_> = found.items.iter().map(|item| item.start_date).collect();
    let expected = ["2026-01-01", "2026-01-05", "2026-01-06", "2026-01-08"];
    assert_eq!(starts, expected.map(|day| format!("{day}T10:00:00Z").parse().unwrap()));
    let found = find(&[weekly, single], "UTC", "2026-01-01", "2026-01-08");
    assert_eq!((found.items.len(), found.is_cut), (3, false));
}

#[test]
fn a_position_is_exact_in_a_year_of_35040_times() {
    let hours: Vec<String> = (0..24).map(|hour| hour.to_string()).collect();
    let rule = |position: i32| {
        let times = format!("BYHOUR={};BYMINUTE=0,15,30,45", hours.join(","));
        format!("FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;{times};BYSETPOS={position}")
    };
    let starts = |position| {
        let event = event("2026-06-01T10:00:00Z", "2026-06-01T10:05:00Z", &rule(position));
        starts(&event, "Europe/Kyiv", "2027-01-01", "2027-12-31")
    };
    assert_eq!(starts(1), ["2027-01-01 00:00"]);
    assert_eq!(starts(-1), ["2027-12-31 23:45"]);
    assert_eq!(starts(-366), ["2027-12-28 04:30"]);
}

/// Returns an event with 96 occurrences a day. Those of its first days are excluded.
fn excluded_event(excluded_days: i64) -> crate::resource::Event {
    let hours: Vec<String> = (0..24).map(|hour| hour.to_string()).collect();
    let first = date(2026, 1, 1);
    let days: Vec<String> =
        (0..excluded_days).map(|day| first.saturating_add(day.days()).strftime("%Y%m%d").to_string()).collect();
    let rule = format!("FREQ=DAILY;BYHOUR={};BYMINUTE=0,15,30,45\nEXDATE:{}", hours.join(","), days.join(","));
    event("2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z", &rule)
}

#[test]
fn excluded_occurrences_count_as_work() {
    let found = find(&[excluded_event(80)], "Europe/Kyiv", "2026-01-01", "2026-03-21");
    assert_eq!((found.items.len(), found.is_cut), (0, false));
    let found = find(&[excluded_event(365)], "Europe/Kyiv", "2026-01-01", "2026-12-31");
    assert_eq!((found.items.len(), found.is_cut), (0, true));
}

#[test]
fn the_last_occurrence_of_a_long_count_is_found_without_counting() {
    for (rule, last) in [
        ("FREQ=DAILY;COUNT=10000", "1927-05-19"),
        ("FREQ=DAILY;INTERVAL=3;BYHOUR=10,20;COUNT=9999", "1941-01-23"),
        ("FREQ=WEEKLY;COUNT=6600", "2026-06-22"),
        ("FREQ=WEEKLY;BYDAY=TU,FR;COUNT=10000", "1995-10-24"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,28;COUNT=3000", "2024-12-28"),
        ("FREQ=YEARLY;COUNT=5000", "6899-01-01"),
        ("FREQ=YEARLY;BYMONTHDAY=1;COUNT=1500", "2024-12-01"),
    ] {
        let counted = event("1900-01-01T10:00:00Z", "1900-01-01T11:00:00Z", rule);
        assert_eq!(starts(&counted, "UTC", last, last).len(), 1, "{rule}");
        let after: jiff::civil::Date = last.parse().unwrap();
        let (next, end) = (after.tomorrow().unwrap().to_string(), after.saturating_add(300.days()).to_string());
        assert!(starts(&counted, "UTC", &next, &end).is_empty(), "{rule}");
    }
}

/// Returns an event that recurs weekly, with a line of `number` moments on the first days of the year 1970.
fn with_moments(line: &str, number: i64) -> crate::resource::Event {
    let days = (0..number).map(|day| date(1970, 1, 1).saturating_add(day.days()));
    let moments: Vec<_> = days.map(|day| day.strftime("%Y%m%dT100000").to_string()).collect();
    event("2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", &format!("FREQ=WEEKLY\n{line}:{}", moments.join(",")))
}

#[test]
fn each_moment_takes_the_steps_of_a_visit() {
    for line in ["EXDATE", "RDATE", "EXDATE;TZID=Europe/Kyiv", "RDATE;TZID=Europe/Kyiv"] {
        let steps_of = |number| {
            let event = with_moments(line, number);
            let recurrence = Recurrence::parse(event.recurrence.as_ref().unwrap()).unwrap();
            let mut steps = Steps::new();
            let days = DayRange::new(date(2026, 1, 1), date(2026, 1, 7)).unwrap();
            let (utc, range) = (Zone::utc(), QueryRange::new(days, &Zone::utc()));
            let found = spans::find(&event, Some(&recurrence), &utc, &range, 10, &mut steps);
            assert_eq!((found.items.len(), found.is_cut), (1, false), "{line}");
            steps.taken()
        };
        assert_eq!(steps_of(201) - steps_of(1), 200 * 5, "{line}");
    }
}

#[test]
fn lists_of_moments_use_up_the_steps_of_a_query() {
    for line in ["EXDATE", "RDATE", "EXDATE;TZID=Europe/Kyiv", "RDATE;TZID=Europe/Kyiv"] {
        let mut events = vec![with_moments(line, 250); 800];
        let found = find(&events[..300], "UTC", "2026-01-01", "2026-01-07");
        assert_eq!((found.items.len(), found.is_cut), (300, false), "{line}");
        // Events with short rules are found, also if they come last.
        for (id, recurrence) in [("weekly", "FREQ=WEEKLY"), ("single", "")] {
            let short = event("2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", recurrence);
            events.push(crate::resource::Event { id: id.parse().unwrap(), ..short });
        }
        let found = find(&events, "UTC", "2026-01-01", "2026-01-07");
        assert!(found.is_cut, "{line}");
        assert!((301..600).contains(&found.items.len()), "{line}: {}", found.items.len());
        for id in ["weekly", "single"] {
            assert!(found.items.iter().any(|item| item.occurrence_of.as_str() == id), "{line} {id}");
        }
    }
}

#[test]
fn an_event_without_steps_for_its_exclusions_has_no_occurrence() {
    let mut excluded = with_moments("EXDATE", 250);
    let text = excluded.recurrence.take().unwrap();
    excluded.recurrence = Some(format!("{text},20260101T100000"));
    let found = find(&vec![excluded; 800], "UTC", "2026-01-01", "2026-01-07");
    assert_eq!((found.items.len(), found.is_cut), (0, true));
}
