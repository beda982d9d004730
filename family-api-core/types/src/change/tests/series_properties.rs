//! Random changes of random series, compared with the occurrences that a reader sees before and after.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime, date};
use jiff::{SignedDuration, ToSpan};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::occurrence_rules::{all, change, decide, end, piano, restore, skip};
use crate::calendar::{Zone, ZoneName};
use crate::change::{EventChange, EventUpdate, Verdict};
use crate::occurrences::locate::Made;
use crate::occurrences::{DayRange, LocalStart, MAX_OCCURRENCES, Overrides, Recurrence, expand};
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// An occurrence as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shown {
    id: String,
    start: Timestamp,
    end: Timestamp,
    title: String,
}

const FIRST: Date = date(2025, 12, 1);
const LAST: Date = date(2028, 11, 1);

/// Returns the occurrences of about four years by their starts.
fn shown(event: &Event) -> BTreeMap<LocalStart, Shown> {
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

fn zone(event: &Event) -> Zone {
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

fn local_of(key: LocalStart) -> DateTime {
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

#[derive(Debug, Clone)]
enum Edit {
    Title,
    /// Moves an occurrence by minutes, or by days if it takes whole days.
    Move(i64),
}

const RULES: [&str; 16] = [
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

const ZONES: [&str; 7] =
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

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![Just(Edit::Title), (-3000..3000_i64).prop_map(Edit::Move)]
}

/// Returns a series with exceptions, additions and changed occurrences.
fn series() -> impl Strategy<Value = Event> {
    let additions = vec((1..200_i64, time(), form()), 0..3);
    let exclusions = vec((any::<Index>(), form()), 0..4);
    let edits = vec((any::<Index>(), edit()), 0..4);
    (base(), end_of_series(), additions, exclusions, edits).prop_map(|(event, end, additions, exclusions, edits)| {
        let own_zone = zone(&event);
        let starts: Vec<_> = shown(&event).into_keys().collect();
        let mut text = event.recurrence.clone().unwrap();
        match end {
            End::Never => {}
            End::Count(count) => text += &format!(";COUNT={count}"),
            End::Until(index, form) => {
                let form = if matches!(form, Form::Tokyo) { Form::Utc } else { form };
                // The series has at most as many occurrences as fit in about a year.
                let key = starts[index.index(starts.len().min(60))];
                text += &format!(";UNTIL={}", moment(key, form, &own_zone).1);
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
    fn of(&self, event: &Event, one: &Shown) -> EventChange {
        match self {
            Self::Title => EventChange::new().title("Changed"),
            Self::Move(by) if event.all_day => {
                EventChange::new().start_date(zone(event).local(one.start).date().saturating_add((by % 9).days()))
            }
            Self::Move(by) => EventChange::new().start_date(one.start.saturating_add(SignedDuration::from_mins(*by))),
        }
    }
}

/// Checks what holds after every change.
#[track_caller]
fn check_readable(before: &Event, after: &Event) {
    let text = after.recurrence.as_deref().unwrap();
    assert!(Recurrence::parse(text).is_ok(), "{text}");
    let overrides = after.overrides.to_string();
    assert_eq!(overrides.parse::<Overrides>(), Ok(after.overrides.clone()), "{overrides}");
    let days = (FIRST, date(2034, 1, 1));
    let (old, new) = (Made::between(before, &zone(before), days), Made::between(after, &zone(after), days));
    let foreign = before.overrides.as_slice().iter().filter(|change| !old.has(change.recurrence_id)).count();
    let unmade = after.overrides.as_slice().iter().filter(|change| !new.has(change.recurrence_id)).count();
    assert!(unmade <= foreign, "{before:?}\n{after:?}");
}

fn written(update: EventUpdate, event: &Event) -> Option<Event> {
    match decide(update, event.clone()) {
        Verdict::Write(after) => {
            check_readable(event, &after);
            Some(after)
        }
        Verdict::Refused(_) => None,
        Verdict::NotFound => panic!("{event:?}"),
    }
}

/// Picks one of the first occurrences. One that moves from the end of what is compared would be lost.
fn pick(event: &Event, index: &Index) -> Result<(BTreeMap<LocalStart, Shown>, LocalStart, Shown), TestCaseError> {
    let before = shown(event);
    let early = before.keys().take(40).filter(|key| is_early(key)).count();
    if early == 0 {
        return Err(TestCaseError::reject("no early occurrence"));
    }
    let (key, one) = before.iter().nth(index.index(early)).unwrap();
    Ok((before.clone(), *key, one.clone()))
}

/// Returns whether an occurrence is not near the end of what is compared.
fn is_early(key: &LocalStart) -> bool {
    key.date() < date(2028, 6, 1)
}

/// Returns when an occurrence that is not changed starts.
fn start_by_rule(event: &Event, key: LocalStart) -> Timestamp {
    let zone = zone(event);
    // In the second of two equal hours, the local time of the event resolves to the first.
    let is_own = key == LocalStart::from(zone.local(event.start_date));
    if is_own { event.start_date } else { zone.resolve(local_of(key)).unwrap() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn only_one_occurrence_changes(event in series(), index: Index, edit in edit()) {
        let (mut before, key, one) = pick(&event, &index)?;
        let Some(after) = written(change(&one.id, &edit.of(&event, &one)), &event) else {
            return Err(TestCaseError::reject("refused"));
        };
        let mut after = shown(&after);
        let (old, new) = (before.remove(&key).unwrap(), after.remove(&key).unwrap());
        prop_assert_eq!(&before, &after);
        match edit {
            Edit::Title => prop_assert_eq!(new, Shown { title: "Changed".to_owned(), ..old }),
            Edit::Move(by) if !event.all_day => {
                let by = SignedDuration::from_mins(by);
                let (start, end) = (old.start.saturating_add(by), old.end.saturating_add(by));
                prop_assert_eq!(new, Shown { start, end, ..old });
            }
            Edit::Move(_) => {}
        }
    }

    #[test]
    fn a_skipped_occurrence_is_the_only_one_that_is_lost(event in series(), index: Index) {
        let (mut before, key, one) = pick(&event, &index)?;
        let skipped = written(skip(&one.id), &event).unwrap();
        before.remove(&key);
        prop_assert_eq!(&before, &shown(&skipped));
        let restored = written(restore(&one.id), &skipped).unwrap();
        let of_rule = written(restore(&one.id), &event);
        // A whole day with several occurrences stays excluded.
        let Some(of_rule) = of_rule else { return Ok(()) };
        prop_assert_eq!(shown(&restored), shown(&of_rule));
        before.insert(key, shown(&restored).remove(&key).unwrap());
        prop_assert_eq!(before, shown(&restored));
    }

    #[test]
    fn the_occurrences_before_the_end_stay(event in series(), index: Index) {
        let (mut before, key, one) = pick(&event, &index)?;
        let Some(ended) = written(end(&one.id), &event) else {
            return Err(TestCaseError::reject("refused"));
        };
        before.retain(|other, _| *other < key);
        prop_assert_eq!(before, shown(&ended));
    }

    #[test]
    fn every_occurrence_moves_by_the_same_civil_time(
        event in series(), index: Index, days in -9..9_i64, minutes in select(vec![0, 0, 30, 60, -90, 300]),
    ) {
        let (before, picked, one) = pick(&event, &index)?;
        let own_zone = zone(&event);
        let minutes = if event.all_day { 0 } else { minutes };
        let local = own_zone.local(one.start).saturating_add(days.days().minutes(minutes));
        let to = if event.all_day { own_zone.start_of_day(local.date()) } else { own_zone.resolve(local).unwrap() };
        prop_assume!(event.all_day || own_zone.local(to) == local);
        let Some(after) = written(all(&one.id, &EventChange::new().start_date(to)), &event) else {
            return Err(TestCaseError::reject("refused"));
        };
        let move_key = |key: LocalStart| {
            let moved = local_of(key).saturating_add(days.days().minutes(minutes));
            if event.all_day { LocalStart::from(moved.date()) } else { moved.into() }
        };
        let moved = after;
        let after = shown(&moved);
        let old: Vec<_> = before.keys().map(|key| move_key(*key)).filter(is_early).collect();
        let new: Vec<_> = after.keys().copied().filter(is_early).collect();
        prop_assert_eq!(old, new);
        for (key, one) in before {
            let new_key = move_key(key);
            let Some(new) = after.get(&new_key) else { continue };
            prop_assert_eq!(&new.title, &one.title);
            if key == picked {
                prop_assert_eq!(new.start, to);
            } else if !event.all_day {
                let is_of_rule = start_by_rule(&event, key) == one.start;
                prop_assert_eq!(new.start, if is_of_rule { start_by_rule(&moved, new_key) } else { one.start });
            }
        }
    }

    #[test]
    fn the_dates_stay_if_other_fields_change(event in series(), index: Index) {
        let (before, _, one) = pick(&event, &index)?;
        let title = EventChange::new().title("Other").description("Text").color("#336699");
        for update in [title.build().unwrap(), all(&one.id, &title)] {
            let after = shown(&written(update, &event).unwrap());
            prop_assert!(before.keys().eq(after.keys()));
            for (old, new) in before.values().zip(after.values()) {
                prop_assert_eq!((old.start, old.end), (new.start, new.end));
            }
        }
    }

    #[test]
    fn another_zone_keeps_instants_or_days(event in series(), name in select(ZONES.to_vec())) {
        let before = shown(&event);
        let own_zone = zone(&event);
        let zone_name: ZoneName = name.parse().unwrap();
        let to = zone_name.zone().unwrap();
        let Some(after) = written(EventChange::new().time_zone(zone_name).build().unwrap(), &event) else {
            return Err(TestCaseError::reject("refused"));
        };
        let by = if event.all_day {
            SignedDuration::ZERO
        } else {
            prop_assert_eq!(after.start_date, event.start_date);
            to.local(event.start_date).duration_since(own_zone.local(event.start_date))
        };
        let made = Made::between(&after, &to, (FIRST, LAST));
        let after = shown(&after);
        for (key, old) in before.iter().filter(|_| event.all_day) {
            let Some(new) = after.get(key) else { continue };
            let days = |zone: &Zone, one: &Shown| (zone.day_of(one.start), zone.last_day(one.start, one.end));
            prop_assert_eq!(days(&own_zone, old), days(&to, new));
        }
        let move_key = |key: &LocalStart| {
            if event.all_day {
                return *key;
            }
            let moved = local_of(*key).saturating_add(by).into();
            // An additional occurrence keeps its instant.
            if made.has(moved) { moved } else { to.local(own_zone.resolve(local_of(*key)).unwrap()).into() }
        };
        let mut old: Vec<_> = before.keys().map(move_key).filter(is_early).collect();
        let new: Vec<_> = after.keys().copied().filter(is_early).collect();
        old.sort();
        // An addition can be at the time of the rule in another zone.
        old.dedup();
        prop_assert_eq!(old, new);
    }

    #[test]
    fn a_later_start_only_drops_earlier_occurrences(event in series(), index: Index) {
        let (mut before, key, _) = pick(&event, &index)?;
        let rule = event.recurrence.as_deref().unwrap().split('\n').next().unwrap().to_owned();
        prop_assume!(!rule.contains("COUNT"));
        let of_rule = Event { recurrence: Some(rule), overrides: Overrides::default(), ..event.clone() };
        let (own_zone, by_rule) = (zone(&event), shown(&of_rule));
        let Some(start) = by_rule.get(&key).map(|one| one.start) else {
            return Err(TestCaseError::reject("an addition"));
        };
        // An addition on a whole day has the time of the event.
        let has_same_time = own_zone.local(start).time() == own_zone.local(event.start_date).time();
        prop_assume!(event.all_day || (has_same_time && own_zone.local(start) == local_of(key)));
        let to = if event.all_day {
            EventChange::new().start_date(key.date())
        } else {
            EventChange::new().start_date(start)
        };
        before.retain(|other, _| *other >= key);
        prop_assert_eq!(before, shown(&written(to.build().unwrap(), &event).unwrap()));
    }

    #[test]
    fn exceptions_stay_readable(
        event in series(), index: Index, days in -40..40_i64, minutes in select(vec![0, 0, 60, -90]),
        rule in select(RULES.to_vec()), length in 0..3000_i64,
    ) {
        let (_, _, one) = pick(&event, &index)?;
        let own_zone = zone(&event);
        let local = own_zone.local(event.start_date).saturating_add(days.days().minutes(minutes));
        let moved = if event.all_day {
            EventChange::new().start_date(local.date())
        } else {
            EventChange::new().start_date(own_zone.resolve(local).unwrap())
        };
        let rule = EventChange::new().recurrence(rule.replace("<own>", "WE"));
        let longer = EventChange::new().end_date(one.end.saturating_add(SignedDuration::from_mins(length)));
        for update in [moved.build().unwrap(), rule.build().unwrap(), longer.build().unwrap(), all(&one.id, &rule)] {
            if let Some(after) = written(update, &event) {
                prop_assert!(after.overrides.as_slice().len() <= event.overrides.as_slice().len());
            }
        }
    }
}
