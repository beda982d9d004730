//! Random series with exceptions, additions and changed occurrences, and their occurrences as a reader sees them.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime, date};
use jiff::{SignedDuration, ToSpan};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::occurrence_rules::{change, decide, piano};
use crate::calendar::{Zone, ZoneName};
use crate::change::{EventChange, Verdict};
use crate::occurrences::{DayRange, LocalStart, MAX_OCCURRENCES, expand};
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// An occurrence as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) id: String,
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
    pub(super) title: String,
}

/// The first day on which occurrences are compared.
pub(super) const FIRST: Date = date(2025, 12, 1);

/// The day after which no further range is compared.
pub(super) const LAST: Date = date(2028, 11, 1);

/// Returns the occurrences of about three years by their starts.
pub(super) fn shown(event: &Event) -> BTreeMap<LocalStart, Shown> {
    let zone = zone(event);
    let mut found = BTreeMap::new();
    let mut first = FIRST;
    while first < LAST {
        let days = DayRange::new(first, first.saturating_add(365.days())).unwrap();
        let expanded = expand(std::slice::from_ref(event), &zone, days, MAX_OCCURRENCES);
        assert!(!expanded.is_cut && expanded.unexpanded.is_empty(), "{event:?}");
        for item in expanded.items {
            let id = item.id.as_str().split_once('@').unwrap().1.to_owned();
            let one = Shown { id, start: item.start_date, end: item.end_date, title: item.title };
            found.insert(item.recurrence_id.unwrap(), one);
        }
        first = first.saturating_add(366.days());
    }
    found
}

pub(super) fn zone(event: &Event) -> Zone {
    event.time_zone.as_ref().unwrap().zone().unwrap()
}

/// The form of a moment in a recurrence.
#[derive(Debug, Clone, Copy)]
enum Form {
    Day,
    Local,
    Utc,
    Tokyo,
}

fn form() -> impl Strategy<Value = Form> {
    select(vec![Form::Day, Form::Local, Form::Utc, Form::Tokyo])
}

pub(super) fn local_of(key: LocalStart) -> DateTime {
    key.date_time().unwrap_or_else(|| key.date().at(0, 0, 0, 0))
}

/// Writes a moment with its parameters.
fn moment(key: LocalStart, form: Form, zone: &Zone) -> (&'static str, String) {
    let local = local_of(key);
    let text = |local: DateTime| local.strftime("%Y%m%dT%H%M%S").to_string();
    let at = if key.is_whole_day() { zone.start_of_day(key.date()) } else { zone.resolve(local).unwrap() };
    match form {
        Form::Day => (";VALUE=DATE", local.strftime("%Y%m%d").to_string()),
        Form::Local => ("", text(local)),
        Form::Utc => ("", format!("{}Z", text(at.utc()))),
        Form::Tokyo if key.is_whole_day() => (";TZID=Asia/Tokyo", text(local)),
        Form::Tokyo => (";TZID=Asia/Tokyo", text("Asia/Tokyo".parse::<Zone>().unwrap().local(at))),
    }
}

fn line(name: &str, key: LocalStart, form: Form, zone: &Zone) -> String {
    let (parameters, value) = moment(key, form, zone);
    format!("\n{name}{parameters}:{value}")
}

#[derive(Debug, Clone)]
enum End {
    Never,
    Count(u32),
    Until(Index, Form),
}

/// A change of one occurrence.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    Title,
    /// Moves an occurrence by minutes, or by days if it takes whole days.
    Move(i64),
}

pub(super) const RULES: [&str; 16] = [
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
    "FREQ=WEEKLY;BYDAY=<own>",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=<own>",
    "FREQ=WEEKLY;BYDAY=TU",
    "FREQ=WEEKLY;BYDAY=MO,TH",
    "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYMONTHDAY=1,15",
    "FREQ=MONTHLY;BYDAY=2TU,-1<own>",
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=<own>",
    "FREQ=YEARLY",
    "FREQ=YEARLY;BYMONTH=3,10;BYMONTHDAY=29",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=DAILY;BYHOUR=2,23;BYMINUTE=30",
];

const TIMES: [(i8, i8); 8] = [(0, 0), (0, 30), (1, 30), (2, 30), (3, 30), (12, 0), (18, 30), (23, 30)];

pub(super) const ZONES: [&str; 7] =
    ["Europe/Kyiv", "America/New_York", "America/Santiago", "Asia/Dubai", "Australia/Lord_Howe", "Asia/Beirut", "UTC"];

fn time() -> impl Strategy<Value = (i8, i8)> {
    select(TIMES.to_vec())
}

fn base() -> impl Strategy<Value = Event> {
    let of_event = (select(ZONES.to_vec()), 0..420_i64, time(), any::<bool>(), 1..=3_i64, select(RULES.to_vec()));
    of_event.prop_map(|(zone, day, (hour, minute), all_day, days, rule)| {
        let name: ZoneName = zone.parse().unwrap();
        let zone = name.zone().unwrap();
        let first = date(2026, 1, 1).saturating_add(day.days());
        let (start_date, end_date) = if all_day {
            (zone.start_of_day(first), zone.start_of_day(first.saturating_add(days.days())))
        } else {
            let start = zone.resolve(first.at(hour, minute, 0, 0)).unwrap();
            (start, start.saturating_add(SignedDuration::from_mins(45 * days)))
        };
        let own = zone.local(start_date).strftime("%a").to_string()[..2].to_ascii_uppercase();
        let recurrence = Some(rule.replace("<own>", &own));
        Event { start_date, end_date, all_day, time_zone: Some(name), recurrence, ..piano() }
    })
}

fn end_of_series() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Never),
        (1..12_u32).prop_map(End::Count),
        (any::<Index>(), form()).prop_map(|(index, form)| End::Until(index, form)),
    ]
}

pub(super) fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![Just(Edit::Title), (-3000..3000_i64).prop_map(Edit::Move)]
}

/// Returns a series with exceptions, additions and changed occurrences.
pub(super) fn series() -> impl Strategy<Value = Event> {
    let additions = vec((1..200_i64, time(), form()), 0..3);
    let exclusions = vec((any::<Index>(), form()), 0..4);
    let edits = vec((any::<Index>(), edit()), 0..4);
    (base(), end_of_series(), additions, exclusions, edits).prop_map(|(event, end, additions, exclusions, edits)| {
        let own_zone = zone(&event);
        let starts: Vec<_> = shown(&event).into_keys().collect();
        let mut text = event.recurrence.clone().unwrap();
        match end {
            End::Never => {}
            End::Count(count) => text.extend([";COUNT=", &count.to_string()]),
            End::Until(index, form) => {
                let form = if matches!(form, Form::Tokyo) { Form::Utc } else { form };
                // The series has at most as many occurrences as fit in about a year.
                let key = starts[index.index(starts.len().min(60))];
                text.extend([";UNTIL=", &moment(key, form, &own_zone).1]);
            }
        }
        for (day, (hour, minute), form) in additions {
            let day = own_zone.local(event.start_date).date().saturating_add(day.days());
            let key = if event.all_day { day.into() } else { day.at(hour, minute, 0, 0).into() };
            text += &line("RDATE", key, form, &own_zone);
        }
        let mut event = Event { recurrence: Some(text), ..event };
        let starts: Vec<_> = shown(&event).into_keys().collect();
        let mut text = event.recurrence.clone().unwrap();
        for (index, form) in exclusions {
            let key = starts[index.index(starts.len().min(40))];
            let has_others = starts.iter().filter(|other| other.date() == key.date()).count() > 1;
            // A whole day would exclude others too.
            let form = if has_others { Form::Local } else { form };
            text += &line("EXDATE", key, form, &own_zone);
        }
        let excluded = Event { recurrence: Some(text), ..event.clone() };
        if !shown(&excluded).is_empty() {
            event = excluded;
        }
        for (index, edit) in edits {
            let found: Vec<_> = shown(&event).into_values().collect();
            let one = &found[index.index(found.len().min(40))];
            if let Verdict::Write(written) = decide(change(&one.id, &edit.of(&event, one)), event.clone()) {
                event = written;
            }
        }
        event
    })
}

impl Edit {
    pub(super) fn of(&self, event: &Event, one: &Shown) -> EventChange {
        match self {
            Self::Title => EventChange::new().title("Changed"),
            Self::Move(by) if event.all_day => {
                EventChange::new().start_date(zone(event).local(one.start).date().saturating_add((by % 9).days()))
            }
            Self::Move(by) => EventChange::new().start_date(one.start.saturating_add(SignedDuration::from_mins(*by))),
        }
    }
}
