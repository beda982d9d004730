use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::calendar::parse_date;
use crate::query::testing::NOW;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn ids(people: &[&str]) -> Vec<UserId> {
    people.iter().map(|id| id.parse().unwrap()).collect()
}

fn event(id: &str, start: &str, end: &str, people: &[&str]) -> Event {
    Event {
        participant_ids: ids(people),
        time_zone: Some("Europe/Madrid".parse().unwrap()),
        ..Event::new(id.parse().unwrap(), id, at(start), at(end), at(NOW))
    }
}

fn hours(start: u16, end: u16) -> DayHours {
    DayHours::new(start * 60, end * 60).unwrap()
}

fn query(from: &str, to: &str, hours: DayHours) -> FreeTimeQuery {
    FreeTimeQuery { people: ids(&["ana", "ben"]), from: parse_date(from), to: parse_date(to), hours, minutes: 1 }
}

fn found_at(now: &str, query: &FreeTimeQuery, events: &[Event]) -> FreeTime {
    let (user, zone) = ("ana".parse().unwrap(), "Europe/Madrid".parse().unwrap());
    let context = QueryContext { user: &user, now: at(now), zone: &zone };
    let found = query.select(events, query.days(context).unwrap(), context);
    assert!(!found.is_cut);
    found
}

fn found(query: &FreeTimeQuery, events: &[Event]) -> FreeTime {
    found_at(NOW, query, events)
}

/// Returns the free spans as local times in Madrid.
fn spans(found: &FreeTime) -> Vec<String> {
    let zone: Zone = "Europe/Madrid".parse().unwrap();
    let time = |at: Timestamp| zone.local(at).strftime("%d %H:%M").to_string();
    found.free.items.iter().map(|span| format!("{}-{}", time(span.start), time(span.end))).collect()
}

fn minutes(found: &FreeTime) -> i64 {
    found.free.items.iter().map(|span| (span.end.as_millis() - span.start.as_millis()) / 60_000).sum()
}

#[test]
fn people_are_free_between_their_events() {
    let saturday = query("2026-11-28", "2026-11-28", hours(8, 22));
    let events = [
        event("ana", "2026-11-28T09:00:00Z", "2026-11-28T10:00:00Z", &["ana"]),
        event("both", "2026-11-28T09:30:00Z", "2026-11-28T11:00:00Z", &["ana", "ben"]),
        event("cleo", "2026-11-28T13:00:00Z", "2026-11-28T14:00:00Z", &["cleo"]),
        event("all", "2026-11-28T15:00:00Z", "2026-11-28T15:20:00Z", &[]),
        event("late", "2026-11-28T20:40:00Z", "2026-11-28T23:00:00Z", &["ben"]),
        event("night", "2026-11-28T22:00:00Z", "2026-11-28T23:00:00Z", &["ben"]),
    ];
    let result = found(&saturday, &events);
    assert_eq!(spans(&result), ["28 08:00-28 10:00", "28 12:00-28 16:00", "28 16:20-28 21:40"]);
    let busy: Vec<_> = result.busy.items.iter().map(|busy| (busy.occurrence.id.as_str(), busy.people.len())).collect();
    assert_eq!(busy, [("ana", 1), ("both", 2), ("all", 0), ("late", 1)]);
    let long = FreeTimeQuery { minutes: 300, ..saturday };
    assert_eq!(spans(&found(&long, &events)), ["28 16:20-28 21:40"]);
}

#[test]
fn an_all_day_event_takes_its_days_only_of_its_people() {
    let day = |id: &str, people: &[&str]| Event {
        all_day: true,
        ..event(id, "2026-11-27T23:00:00Z", "2026-11-28T23:00:00Z", people)
    };
    let days = query("2026-11-27", "2026-11-29", hours(8, 22));
    let trip = found(&days, &[day("trip", &["ben"])]);
    assert_eq!(spans(&trip), ["27 08:00-27 22:00", "29 08:00-29 22:00"]);
    assert_eq!(trip.same_days.total, 0);
    let others = found(&days, &[day("birthday", &[]), day("cleo", &["cleo"])]);
    assert_eq!((others.free.total, others.busy.total), (3, 0));
    let marks: Vec<_> = others.same_days.items.iter().map(|mark| mark.id.as_str()).collect();
    assert_eq!((marks, others.same_days.total), (vec!["birthday"], 1));
    let sunday = query("2026-11-29", "2026-11-29", hours(0, 24));
    assert_eq!(found(&sunday, &[day("birthday", &[])]).same_days.total, 0);
}

#[test]
fn days_have_the_hours_of_the_clock() {
    for (day, from, to, expected) in [
        ("2026-11-28", 0, 24, 24 * 60),
        // The clock skips 02:00 to 03:00.
        ("2026-03-29", 0, 24, 23 * 60),
        ("2026-03-29", 2, 3, 0),
        ("2026-03-29", 1, 4, 2 * 60),
        // The clock shows 02:00 to 03:00 twice.
        ("2026-10-25", 0, 24, 25 * 60),
        ("2026-10-25", 1, 4, 4 * 60),
        ("2026-10-25", 8, 22, 14 * 60),
    ] {
        let result = found_at("2026-01-01T00:00:00Z", &query(day, day, hours(from, to)), &[]);
        assert_eq!(minutes(&result), expected, "{day} {from} {to}");
    }
    let weekend = found(&query("2026-11-28", "2026-11-29", hours(0, 24)), &[]);
    assert_eq!(spans(&weekend), ["28 00:00-30 00:00"]);
}

#[test]
fn the_time_before_now_is_not_free() {
    // 11:15:30 in Madrid.
    let today = FreeTimeQuery { from: None, to: None, ..query("", "", hours(8, 22)) };
    assert_eq!(spans(&found(&today, &[])), ["20 11:16-20 22:00"]);
    assert_eq!(spans(&found_at("2026-11-20T22:00:00Z", &today, &[])), Vec::<String>::new());
    let days = query("2026-11-19", "2026-11-21", hours(8, 22));
    assert_eq!(spans(&found_at("2026-11-20T22:00:00Z", &days, &[])), ["21 08:00-21 22:00"]);
}

#[test]
fn days_and_hours_have_limits() {
    let (user, zone) = ("ana".parse().unwrap(), Zone::utc());
    let context = QueryContext { user: &user, now: at(NOW), zone: &zone };
    let days = |from, to| query(from, to, hours(8, 22)).days(context).map_err(|invalid| invalid.parameter);
    assert_eq!(days("2026-12-01", "2026-12-14").map(DayRange::last), Ok(date(2026, 12, 14)));
    assert_eq!(days("2026-12-01", "2026-12-15"), Err("to"));
    assert_eq!(days("2026-12-02", "2026-12-01"), Err("from"));
    assert_eq!(days("", "").map(DayRange::first), Ok(date(2026, 11, 20)));
    assert_eq!(DayHours::new(720, 720), Err(InvalidDayHours));
    assert_eq!(DayHours::new(720, DayHours::MAX + 1), Err(InvalidDayHours));
    assert!(DayHours::new(720, DayHours::MAX).is_ok());
}

#[test]
fn the_result_is_bounded_and_counted() {
    let second = |index: i64| {
        let start = at("2026-11-28T00:00:00Z").saturating_add(SignedDuration::from_mins(5 * index));
        let end = start.saturating_add(SignedDuration::from_mins(1));
        let id = format!("e{index}");
        Event::new(id.parse().unwrap(), id, start, end, at(NOW))
    };
    let events: Vec<Event> = (0..150).map(second).collect();
    let result = found(&query("2026-11-28", "2026-11-28", hours(0, 24)), &events);
    assert_eq!((result.free.items.len(), result.free.total), (100, 151));
    assert_eq!((result.busy.items.len(), result.busy.total), (30, 150));
    let mark = |event: Event| Event { all_day: true, end_date: at("2026-11-29T00:00:00Z"), ..event };
    let marks: Vec<Event> = (0..20).map(second).map(mark).collect();
    let result = found(&query("2026-11-28", "2026-11-28", hours(0, 24)), &marks);
    assert_eq!((result.same_days.items.len(), result.same_days.total, result.busy.total), (10, 20, 0));
}

/// An event of the property test: the minutes from the start to it, its length, whether it is all-day, and its people as
/// bits.
type Generated = (i64, i64, bool, u8);

const PEOPLE: [&str; 3] = ["ana", "ben", "cleo"];

fn generated(index: usize, first: Timestamp, (start, length, all_day, people): Generated) -> Event {
    let zone: Zone = "Europe/Madrid".parse().unwrap();
    let mut start = first.saturating_add(SignedDuration::from_mins(start));
    let mut end = start.saturating_add(SignedDuration::from_mins(length));
    if all_day {
        let day = zone.day_of(start);
        start = zone.start_of_day(day);
        end = zone.start_of_day(day.tomorrow().unwrap());
    }
    let people: Vec<&str> = (0..3).filter(|bit| people & (1 << bit) != 0).map(|bit| PEOPLE[bit]).collect();
    let id = format!("e{index}");
    Event {
        all_day,
        participant_ids: ids(&people),
        time_zone: Some("Europe/Madrid".parse().unwrap()),
        ..Event::new(id.parse().unwrap(), id, start, end, at(NOW))
    }
}

proptest! {
    /// Each minute of the hours is either free or taken by an event of the people, also when the clock changes.
    #[test]
    fn each_minute_is_free_or_busy(
        day in prop::sample::select(vec!["2027-03-27", "2027-10-30", "2027-06-05"]),
        from in prop::sample::select(vec![0_u16, 1, 4, 8]),
        to in prop::sample::select(vec![9_u16, 17, 22, 24]),
        all in prop::collection::vec((0_i64..4_300, 1_i64..400, any::<bool>(), 0_u8..8), 0..12),
    ) {
        let zone: Zone = "Europe/Madrid".parse().unwrap();
        let first = parse_date(day).unwrap();
        let last = first.checked_add(jiff::ToSpan::days(2)).unwrap();
        let start = zone.start_of_day(first);
        let events: Vec<Event> =
            all.iter().copied().enumerate().map(|(index, event)| generated(index, start, event)).collect();
        let result = found(&query(day, &last.to_string(), hours(from, to)), &events);
        // Ana and Ben are asked. Without people, only a timed event concerns them.
        let concerns = |(_, _, all_day, people): &Generated| if *people == 0 { !all_day } else { people & 3 != 0 };
        let busy = all.iter().zip(&events).filter(|(event, _)| concerns(event));
        let busy: Vec<&Event> = busy.map(|(_, event)| event).collect();
        let mut minute = start;
        while minute < zone.start_of_day(last.tomorrow().unwrap()) {
            let hour = u16::try_from(zone.local(minute).hour()).unwrap();
            let is_asked = from <= hour && hour < to;
            let is_busy = busy.iter().any(|event| event.start_date <= minute && minute < event.end_date);
            let is_free = result.free.items.iter().any(|span| span.start <= minute && minute < span.end);
            prop_assert_eq!(is_free, is_asked && !is_busy, "{}", minute);
            minute = minute.saturating_add(SignedDuration::from_mins(1));
        }
    }
}
