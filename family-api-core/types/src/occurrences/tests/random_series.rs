//! Random recurring events.

use std::ops::ControlFlow;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, date};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use super::super::calendar_rule::CalendarRule;
use super::super::steps::Steps;
use super::super::{DayRange, LocalStart, MAX_OCCURRENCES, Recurrence, expand};
use super::{all_day, event};
use crate::calendar::Zone;
use crate::resource::Event;

/// Returns an event of one hour, or of two days, that starts at a local time.
pub(crate) fn event_at(start: DateTime, is_all_day: bool, recurrence: &str, zone: &Zone) -> Event {
    let resolve = |time: DateTime| zone.resolve(time).unwrap().to_string();
    if is_all_day {
        let (first, last) = (zone.start_of_day(start.date()), zone.start_of_day(start.date().saturating_add(2.days())));
        all_day(&first.to_string(), &last.to_string(), recurrence)
    } else {
        let end = zone.resolve(start).unwrap().saturating_add(jiff::SignedDuration::from_hours(1));
        event(&resolve(start), &end.to_string(), recurrence)
    }
}

/// Returns the start and the end of each occurrence in two years, in order. Those of an all-day event are its days.
pub(crate) fn occurrences(event: &Event, zone: &Zone, first: Date) -> Vec<(String, String)> {
    let ranges = (0..2).map(|year| first.saturating_add((year * 366).days()));
    let mut found = Vec::new();
    for from in ranges {
        let days = DayRange::new(from, from.saturating_add(365.days())).unwrap();
        let expanded = expand(std::slice::from_ref(event), zone, days, MAX_OCCURRENCES);
        assert!(!expanded.is_cut && expanded.unexpanded.is_empty(), "{event:?}");
        found.extend(expanded.items.into_iter().map(|item| {
            let (start, end) = (item.start_date, item.end_date);
            if event.all_day {
                (zone.local(start).date().to_string(), zone.last_day(start, end).to_string())
            } else {
                (start.to_string(), end.to_string())
            }
        }));
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the local starts that the rule makes in the first year, without those that the event excludes.
pub(crate) fn rule_starts(event: &Event, zone: &Zone) -> Vec<DateTime> {
    let recurrence = Recurrence::parse(event.recurrence.as_deref().unwrap()).unwrap();
    let start = zone.local(event.start_date);
    let found = occurrences(event, zone, start.date());
    let mut starts = Vec::new();
    let rule = CalendarRule::new(recurrence.rule(), start, event.all_day);
    let _ = rule.visit(start.date(), start.date().saturating_add(300.days()), &mut Steps::of_write(), |local| {
        let at = zone.resolve(local).unwrap();
        let shown = if event.all_day { local.date().to_string() } else { at.to_string() };
        // An RDATE can be at a time of the rule after its end.
        let is_permitted = recurrence.permits(zone, local, event.all_day);
        if is_permitted && found.iter().any(|(start, _)| *start == shown) {
            starts.push(local);
        }
        ControlFlow::Continue(())
    });
    starts
}

pub(crate) fn local_start(event: &Event, local: DateTime) -> LocalStart {
    if event.all_day { local.date().into() } else { local.into() }
}

fn zones() -> impl Strategy<Value = Zone> {
    let names = vec!["UTC", "Europe/Kyiv", "America/New_York", "Australia/Lord_Howe", "America/Santiago"];
    select(names).prop_map(|name| name.parse().unwrap())
}

/// A local time in a year with a clock change after it. Times at night can be skipped or repeated.
fn times() -> impl Strategy<Value = DateTime> {
    let days = (0_i64..366).prop_map(|day| date(2026, 1, 1).saturating_add(day.days()));
    let changes =
        select(vec![date(2026, 3, 8), date(2026, 3, 29), date(2026, 9, 6), date(2026, 10, 4), date(2026, 10, 25)]);
    let near = (changes, -20_i64..2).prop_map(|(day, before)| day.saturating_add(before.days()));
    let clock = select(vec![(0, 0), (0, 30), (2, 15), (2, 30), (3, 30), (10, 0), (23, 45)]);
    (prop_oneof![days, near], clock).prop_map(|(day, (hour, minute))| day.at(hour, minute, 0, 0))
}

/// The parts of a rule after `FREQ`. Not every combination is valid.
fn rule() -> impl Strategy<Value = String> {
    let weekdays = vec!["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
    let frequency = select(vec!["DAILY", "DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "YEARLY"]);
    let join = |name: &'static str, values: Vec<String>| format!(";{name}={}", values.join(","));
    let text = move |name: &'static str| {
        move |values: Vec<&'static str>| join(name, values.into_iter().map(str::to_owned).collect())
    };
    let list = move |name: &'static str| {
        move |values: Vec<i32>| join(name, values.into_iter().map(|value| value.to_string()).collect())
    };
    let days = prop_oneof![
        3 => Just(String::new()),
        2 => subsequence(weekdays, 1..4).prop_map(text("BYDAY")),
        1 => select(vec![";BYDAY=1MO,-1FR", ";BYDAY=2TU", ";BYWEEKNO=10,30,50"]).prop_map(str::to_owned),
        1 => subsequence(vec![1, 8, 13, 28, 29, 31, -1], 1..3).prop_map(list("BYMONTHDAY")),
    ];
    let months = option::weighted(0.2, subsequence(vec![1, 3, 4, 9, 10, 11, 12], 1..5).prop_map(list("BYMONTH")));
    let hours = option::weighted(0.3, subsequence(vec![6, 10, 18], 1..3).prop_map(list("BYHOUR")));
    let positions = option::weighted(0.1, select(vec![";BYSETPOS=1", ";BYSETPOS=-1", ";BYSETPOS=1,-1"]));
    let interval = prop_oneof![3 => Just(String::new()), 2 => (2..4_i32).prop_map(|n| format!(";INTERVAL={n}"))];
    let end = prop_oneof![
        2 => Just(String::new()),
        3 => (2..80_i32).prop_map(|count| format!(";COUNT={count}")),
        2 => select(vec![";UNTIL=20261130", ";UNTIL=20270301T120000", ";UNTIL=20270615T235959Z"])
            .prop_map(str::to_owned),
    ];
    (frequency, interval, end, days, months, hours, positions).prop_map(
        |(frequency, interval, end, days, months, hours, positions)| {
            let (months, hours) = (months.unwrap_or_default(), hours.unwrap_or_default());
            format!("FREQ={frequency}{interval}{end}{days}{months}{hours}{}", positions.unwrap_or_default())
        },
    )
}

/// Lines of moments, in all forms, relative to the start of an event.
#[derive(Debug, Clone)]
struct MomentLine {
    name: &'static str,
    form: usize,
    /// The days after the start, and whether the moment is at another time of day.
    moments: Vec<(i64, bool)>,
}

impl MomentLine {
    fn text(&self, start: DateTime, zone: &Zone) -> String {
        let moments = self.moments.iter().map(|(days, is_other_time)| {
            let time = start.saturating_add(days.days());
            let time = if *is_other_time { time.date().at(15, 0, 0, 0) } else { time };
            match self.form {
                1 => time.strftime("%Y%m%d").to_string(),
                2 => zone.resolve(time).unwrap().utc().strftime("%Y%m%dT%H%M%SZ").to_string(),
                _ => time.strftime("%Y%m%dT%H%M%S").to_string(),
            }
        });
        let parameters = match self.form {
            1 => ";VALUE=DATE".to_owned(),
            3 => format!(";TZID={}", zone.as_str()),
            _ => String::new(),
        };
        format!("\n{}{parameters}:{}", self.name, moments.collect::<Vec<_>>().join(","))
    }
}

fn moment_lines() -> impl Strategy<Value = Vec<MomentLine>> {
    let moments = vec((1_i64..200, any::<bool>()), 1..4);
    let line = (select(vec!["EXDATE", "RDATE", "exdate"]), 0_usize..4, moments);
    vec(line.prop_map(|(name, form, moments)| MomentLine { name, form, moments }), 0..4)
}

/// An event with a random valid recurrence, its zone, and an occurrence that its rule makes.
pub(crate) fn series() -> impl Strategy<Value = (Event, Zone, DateTime)> {
    let name = select(vec!["", "RRULE:", "rrule:"]);
    let parts = (zones(), times(), any::<bool>(), rule(), moment_lines(), name, any::<Index>());
    parts.prop_filter_map("invalid or without occurrences", |(zone, start, is_all_day, rule, lines, name, index)| {
        let lines: String = lines.iter().map(|line| line.text(start, &zone)).collect();
        let text = format!("{name}{rule}{lines}");
        let recurrence = Recurrence::parse(&text).ok()?;
        recurrence.check_satisfiable().ok()?;
        let event = event_at(start, is_all_day, &text, &zone);
        let starts = rule_starts(&event, &zone);
        let local = *starts.get(index.index(starts.len().max(1)))?;
        Some((event, zone, local))
    })
}
