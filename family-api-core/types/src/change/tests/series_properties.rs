//! Random changes of random series, compared with the occurrences that a reader sees before and after.

use std::collections::BTreeMap;

use jiff::civil::date;
use jiff::{SignedDuration, ToSpan};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::occurrence_rules::{all, change, decide, end, restore, skip};
use super::random_events::{Edit, FIRST, LAST, RULES, Shown, ZONES, edit, local_of, series, shown, zone};
use crate::calendar::{Zone, ZoneName};
use crate::change::{EventChange, EventUpdate, Verdict};
use crate::occurrences::locate::Made;
use crate::occurrences::{LocalStart, Overrides, Recurrence};
use crate::resource::Event;
use crate::timestamp::Timestamp;

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
fn pick(event: &Event, index: Index) -> Result<(BTreeMap<LocalStart, Shown>, LocalStart, Shown), TestCaseError> {
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

/// Returns 64 cases for each test, unless the environment says another number.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = std::env::var_os("PROPTEST_CASES").map_or(64, |_| default.cases);
    ProptestConfig { cases, failure_persistence: None, max_global_rejects: 100_000, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn only_one_occurrence_changes(event in series(), index: Index, edit in edit()) {
        let (mut before, key, one) = pick(&event, index)?;
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
        let (mut before, key, one) = pick(&event, index)?;
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
        let (mut before, key, one) = pick(&event, index)?;
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
        let (before, picked, one) = pick(&event, index)?;
        let own_zone = zone(&event);
        let minutes = if event.all_day { 0 } else { minutes };
        let local = own_zone.local(one.start).saturating_add(days.days().minutes(minutes));
        let to = if event.all_day { own_zone.start_of_day(local.date()) } else { own_zone.resolve(local).unwrap() };
        prop_assume!(event.all_day || own_zone.local(to) == local);
        let Some(after) = written(all(&one.id, &EventChange::new().start_date(to)), &event) else {
            return Err(TestCaseError::reject("refused"));
        };
        // An addition in UTC has no time that the clock skips, but the one after it.
        let settled = |local| LocalStart::from(own_zone.local(own_zone.resolve(local).unwrap()));
        let move_key = |key: LocalStart| {
            let moved = local_of(key).saturating_add(days.days().minutes(minutes));
            if event.all_day { LocalStart::from(moved.date()) } else { settled(moved) }
        };
        let moved = after;
        let after: BTreeMap<_, _> =
            shown(&moved).into_iter().map(|(key, one)| (key.date_time().map_or(key, settled), one)).collect();
        let mut old: Vec<_> = before.keys().map(|key| move_key(*key)).filter(is_early).collect();
        old.dedup();
        let new: Vec<_> = after.keys().copied().filter(is_early).collect();
        prop_assert_eq!(old, new);
        for (key, one) in before {
            let new_key = move_key(key);
            let Some(new) = after.get(&new_key) else { continue };
            prop_assert_eq!(&new.title, &one.title);
            let is_of_rule = !event.all_day && start_by_rule(&event, key) == one.start;
            // The series moves by the days and the time from where the clock moved the occurrence.
            let is_skipped = is_of_rule && own_zone.local(one.start) != local_of(key);
            if key == picked && !is_skipped {
                prop_assert_eq!(new.start, to);
            } else if !event.all_day {
                prop_assert_eq!(new.start, if is_of_rule { start_by_rule(&moved, new_key) } else { one.start });
            }
        }
    }

    #[test]
    fn the_dates_stay_if_other_fields_change(event in series(), index: Index) {
        let (before, _, one) = pick(&event, index)?;
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
        let (mut before, key, _) = pick(&event, index)?;
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
        let (_, _, one) = pick(&event, index)?;
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
