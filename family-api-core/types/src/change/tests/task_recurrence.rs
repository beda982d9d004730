//! Tasks that recur: when they are due, and what completing does.

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use jiff::{SignedDuration, ToSpan};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::calendar::Zone;
use crate::change::{BoardOwner, Editable, TaskFacts, TaskUpdate, Verdict, WriteContext};
use crate::occurrences::{DayRange, expand};
use crate::resource::{Event, Task};
use crate::timestamp::Timestamp;
use crate::validation::{FieldFault, Json};

use super::bodies::pointers;
use super::{at, now};

const EVERY_MONDAY: &str = "DTSTART;TZID=Europe/Kyiv:20261123T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO";

fn task(recurrence: Option<&str>, due: Option<&str>) -> Task {
    let recurrence = recurrence.map(str::to_owned);
    Task { recurrence, due_date: due.map(at), ..Task::new("t".parse().unwrap(), "Bins", at("2026-01-01T00:00:00Z")) }
}

fn decide(task: &Task, body: &Value, zone: &str, now: Timestamp) -> Result<Task, Vec<FieldFault>> {
    decide_update(task, &Task::parse_update(Json::of(body)).unwrap(), zone, now)
}

fn decide_update(task: &Task, update: &TaskUpdate, zone: &str, now: Timestamp) -> Result<Task, Vec<FieldFault>> {
    let facts = TaskFacts { task: task.clone(), board: BoardOwner::Family, destination: None, assignee: None };
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &zone.parse().unwrap(), now };
    match Task::decide(update.clone(), facts, &context) {
        Verdict::Write(write) => Ok(write.task),
        Verdict::Refused(faults) => Err(faults),
        Verdict::NotFound => panic!("{update:?}"),
    }
}

/// Returns the task after an update by a user in Kyiv.
fn updated(task: &Task, body: &Value) -> Task {
    decide(task, body, "Europe/Kyiv", now()).unwrap_or_else(|faults| panic!("{body}: {faults:?}"))
}

fn refused(task: &Task, body: &Value) -> String {
    let faults = decide(task, body, "Europe/Kyiv", now()).expect_err(&body.to_string());
    assert_eq!(faults.len(), 1, "{faults:?}");
    format!("{} {}", faults[0].pointer, faults[0].detail)
}

fn due(task: &Task) -> String {
    task.due_date.unwrap().to_string()
}

fn completed(task: &Task, now: &str) -> Task {
    decide(task, &json!({ "completed": true }), "Europe/Kyiv", at(now)).unwrap()
}

#[test]
fn a_rule_starts_at_its_first_time_from_the_due_time_on() {
    for (due_date, rule, zone, start) in [
        (json!("2026-11-23T09:00"), "FREQ=WEEKLY;BYDAY=MO", "Europe/Kyiv", "20261123T090000"),
        (json!("2026-11-27T09:00"), "RRULE:FREQ=WEEKLY;BYDAY=MO", "Europe/Kyiv", "20261130T090000"),
        (json!("2026-11-23T09:00:00.250+02:00"), "FREQ=WEEKLY;BYDAY=MO", "Europe/Kyiv", "20261123T090000"),
        (json!("2026-11-23T09:00:01"), "freq=daily;byhour=9;byminute=0;bysecond=0", "Europe/Kyiv", "20261124T090000"),
        // The first time does not wait for an interval.
        (json!("2026-11-27"), "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "America/New_York", "20261130T000000"),
        (json!("2026-11-27"), "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "UTC", "20261130T000000"),
        (json!("2026-03-02"), "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "UTC", "20280229T000000"),
        // Without a due time, the first day from today on. In Kiritimati, it is tomorrow already.
        (Value::Null, "FREQ=WEEKLY;BYDAY=MO", "Europe/Kyiv", "20261123T000000"),
        (Value::Null, "FREQ=DAILY", "Pacific/Kiritimati", "20261121T000000"),
        // The clock skips midnight on this day, and not on others.
        (json!("2026-09-06"), "FREQ=DAILY", "America/Santiago", "20260906T000000"),
    ] {
        let body = json!({ "dueDate": due_date, "recurrence": rule });
        let after = decide(&task(None, None), &body, zone, now()).unwrap();
        let line = after.recurrence.as_deref().unwrap().split_once('\n').unwrap();
        assert_eq!(line.0, format!("DTSTART;TZID={zone}:{start}"), "{body}");
        assert_eq!(line.1, format!("RRULE:{}", rule.trim_start_matches("RRULE:")));
        let zone: Zone = zone.parse().unwrap();
        let local = DateTime::strptime("%Y%m%dT%H%M%S", start).unwrap();
        assert_eq!(after.due_date, zone.resolve(local), "{body}");
        // What a read returns can be sent, and changes nothing.
        let again = decide(&after, &json!({ "recurrence": after.recurrence }), "UTC", at("2030-01-01T00:00:00Z"));
        assert_eq!(again.unwrap(), Task { updated_at: at("2030-01-01T00:00:00Z"), sequence: 2, ..after });
    }
}

#[test]
fn a_due_time_in_a_repeated_hour_stays() {
    let body = json!({ "dueDate": "2026-10-25T02:30:00+01:00", "recurrence": "FREQ=WEEKLY" });
    let task = decide(&task(None, None), &body, "Europe/Madrid", at("2026-10-20T12:00:00Z")).unwrap();
    assert_eq!(due(&task), "2026-10-25T01:30:00.000Z");
    let next = decide(&task, &json!({ "completed": true }), "Europe/Madrid", at("2026-10-25T08:00:00Z")).unwrap();
    assert_eq!(due(&next), "2026-11-01T01:30:00.000Z");
}

#[test]
fn a_rule_starts_at_the_stored_due_time_without_another_one() {
    let after = updated(&task(None, Some("2026-11-24T07:00:00Z")), &json!({ "recurrence": "FREQ=WEEKLY" }));
    let every_tuesday = "DTSTART;TZID=Europe/Kyiv:20261124T090000\nRRULE:FREQ=WEEKLY";
    assert_eq!((after.recurrence.as_deref(), due(&after).as_str()), (Some(every_tuesday), "2026-11-24T07:00:00.000Z"));
    let excluded = json!({ "recurrence": "FREQ=WEEKLY\nEXDATE:20261124T090000" });
    assert_eq!(due(&updated(&after, &excluded)), "2026-12-01T07:00:00.000Z");
}

#[test]
fn lines_with_a_start_make_a_task_due_from_now_or_from_the_given_due_time() {
    let open = task(None, Some("2026-01-05T07:00:00Z"));
    let old = "DTSTART;TZID=Europe/Kyiv:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO";
    for (lines, given, expected) in [
        (old, None, "2026-11-23T07:00:00.000Z"),
        (old, Some(json!(null)), "2026-11-23T07:00:00.000Z"),
        (old, Some(json!("2026-06-02")), "2026-06-08T06:00:00.000Z"),
        (old, Some(json!("2026-06-08T09:00")), "2026-06-08T06:00:00.000Z"),
        ("DTSTART;TZID=Asia/Tokyo:20270101T100000\nFREQ=DAILY", None, "2027-01-01T01:00:00.000Z"),
        ("DTSTART;TZID=UTC:20261120T120000\nRRULE:FREQ=DAILY", None, "2026-11-20T12:00:00.000Z"),
    ] {
        let mut body = json!({ "recurrence": lines });
        body.as_object_mut().unwrap().extend(given.map(|given| ("dueDate".to_owned(), given)));
        let after = updated(&open, &body);
        assert_eq!(due(&after), expected, "{body}");
        assert_eq!(after.recurrence.unwrap().replace("RRULE:", ""), lines.replace("RRULE:", ""));
    }
}

#[test]
fn a_due_time_alone_moves_only_this_time() {
    let bins = task(Some(EVERY_MONDAY), Some("2026-11-23T07:00:00Z"));
    for body in [json!({ "dueDate": "2026-11-25" }), json!({ "dueDate": "2026-11-25", "recurrence": EVERY_MONDAY })] {
        let moved = updated(&bins, &body);
        assert_eq!((due(&moved).as_str(), &moved.recurrence), ("2026-11-24T22:00:00.000Z", &bins.recurrence));
        assert_eq!(due(&completed(&moved, "2026-11-25T10:00:00Z")), "2026-11-30T07:00:00.000Z");
    }
}

#[test]
fn a_recurrence_that_cannot_be_due_is_refused() {
    let bins = task(Some(EVERY_MONDAY), Some("2026-11-23T07:00:00Z"));
    let null_too = "/dueDate a task that recurs is due at some time: send `recurrence` as null too";
    assert_eq!(refused(&bins, &json!({ "dueDate": null })), null_too);
    let ended = "/recurrence ends before the task would be due: send a rule that ends later, or an earlier `dueDate`";
    for body in [
        json!({ "recurrence": "FREQ=DAILY;UNTIL=20261122" }),
        json!({ "recurrence": "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1;UNTIL=20270228" }),
        json!({ "recurrence": "FREQ=DAILY;COUNT=1\nEXDATE:20261123" }),
        json!({ "recurrence": "DTSTART;TZID=UTC:20260101T000000\nRRULE:FREQ=DAILY;COUNT=9" }),
        json!({ "recurrence": EVERY_MONDAY.to_owned() + ";UNTIL=20261201", "dueDate": "2026-12-01" }),
    ] {
        assert_eq!(refused(&bins, &body), ended, "{body}");
    }
    let removed = updated(&bins, &json!({ "dueDate": null, "recurrence": null }));
    assert_eq!((removed.due_date, removed.recurrence), (None, None));
    let removed = updated(&bins, &json!({ "recurrence": null }));
    assert_eq!((removed.due_date, removed.recurrence), (bins.due_date, None));
}

#[test]
fn an_invalid_recurrence_is_a_fault_of_the_body() {
    let lines = |count| {
        format!("DTSTART;TZID=UTC:20261120T000000\nRRULE:FREQ=DAILY\nRDATE:20270101{}", ",20270101".repeat(count))
    };
    assert!(Task::parse_update(Json::of(&json!({ "recurrence": lines(450) }))).is_ok());
    for bad in [
        json!(""),
        json!(7),
        json!("every Monday"),
        json!("FREQ=HOURLY"),
        json!("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
        json!("DTSTART:20261123T090000\nRRULE:FREQ=DAILY"),
        json!("DTSTART;TZID=Europe/Nowhere:20261123T090000\nRRULE:FREQ=DAILY"),
        json!("DTSTART;TZID=Europe/Kyiv:20261123\nRRULE:FREQ=DAILY"),
        json!("DTSTART;TZID=Europe/Kyiv:20261123T090000Z\nRRULE:FREQ=DAILY"),
        json!("RRULE:FREQ=DAILY\nDTSTART;TZID=Europe/Kyiv:20261123T090000"),
        json!("DTSTART;TZID=Europe/Kyiv:20261123T090000"),
        json!(lines(460)),
    ] {
        assert_eq!(pointers(Task::parse_update(Json::of(&json!({ "recurrence": bad })))), ["/recurrence"], "{bad}");
    }
}

#[test]
fn completing_a_recurring_task_makes_it_due_again() {
    let bins = task(Some(EVERY_MONDAY), Some("2026-11-23T07:00:00Z"));
    for (now, next) in [
        // Early, in time, and so late that some times are skipped.
        ("2026-11-21T07:00:00Z", "2026-11-30T07:00:00Z"),
        ("2026-11-23T09:00:00Z", "2026-11-30T07:00:00Z"),
        ("2026-12-07T06:59:59.999Z", "2026-12-07T07:00:00Z"),
        ("2026-12-07T07:00:00Z", "2026-12-14T07:00:00Z"),
        ("2027-04-01T07:00:00Z", "2027-04-05T06:00:00Z"),
    ] {
        let expected = Task {
            due_date: Some(at(next)),
            last_completed_at: Some(at(now)),
            updated_at: at(now),
            sequence: 1,
            ..bins.clone()
        };
        assert_eq!(completed(&bins, now), expected);
    }
    let without_due_date = Task { due_date: None, ..bins.clone() };
    assert_eq!(due(&completed(&without_due_date, "2026-12-01T00:00:00Z")), "2026-12-07T07:00:00.000Z");
    let reopened = updated(&bins, &json!({ "completed": false }));
    assert_eq!(reopened, Task { updated_at: now(), sequence: 1, ..bins });
}

#[test]
fn a_repeated_completion_keeps_the_task() {
    let bins = task(Some(EVERY_MONDAY), Some("2026-11-23T07:00:00Z"));
    let complete = |task: &Task, now: &str| {
        let update = TaskUpdate::completed_unless_repeated(SignedDuration::from_mins(10));
        assert_eq!(serde_json::to_value(&update).unwrap(), json!({ "completed": true }));
        decide_update(task, &update, "Europe/Kyiv", at(now)).unwrap()
    };
    let first = complete(&bins, "2026-11-23T09:00:00Z");
    assert_eq!(first, completed(&bins, "2026-11-23T09:00:00Z"));
    // The clock of another node can be behind.
    for now in ["2026-11-23T09:09:59.999Z", "2026-11-23T08:59:59Z", "2026-11-23T08:50:00.001Z"] {
        assert_eq!(complete(&first, now), first, "{now}");
    }
    for (task, now) in [
        (&first, "2026-11-23T09:10:00Z"),
        (&first, "2026-11-23T08:50:00Z"),
        // The task is overdue again.
        (&Task { due_date: Some(at("2026-11-23T09:01:00Z")), ..first.clone() }, "2026-11-23T09:01:00Z"),
        (&Task { recurrence: None, ..first.clone() }, "2026-11-23T09:01:00Z"),
    ] {
        assert_eq!(complete(task, now), completed(task, now), "{now}");
    }
}

#[test]
fn other_fields_of_the_body_apply_before_a_completion() {
    let bins = task(Some(EVERY_MONDAY), Some("2026-11-23T07:00:00Z"));
    let after = updated(&bins, &json!({ "completed": true, "title": "Paper", "dueDate": "2026-12-15T09:00" }));
    assert_eq!((after.title.as_str(), due(&after).as_str()), ("Paper", "2026-12-21T07:00:00.000Z"));
    let daily = updated(&bins, &json!({ "completed": true, "recurrence": "FREQ=DAILY" }));
    assert_eq!((daily.completed, due(&daily).as_str()), (false, "2026-11-24T07:00:00.000Z"));
    let last = updated(&bins, &json!({ "completed": true, "recurrence": null }));
    assert_eq!((last.completed, last.completed_at, last.due_date), (true, Some(now()), bins.due_date));
    assert_eq!(last.last_completed_at, None);
}

#[test]
fn a_task_is_done_when_its_rule_ends() {
    let twice = "DTSTART;TZID=Europe/Kyiv:20261116T090000\nRRULE:FREQ=WEEKLY;COUNT=2";
    for rule in [twice.to_owned(), twice.replace("COUNT=2", "UNTIL=20261123T070000Z")] {
        let bins = task(Some(&rule), Some("2026-11-16T07:00:00Z"));
        let once = completed(&bins, "2026-11-16T08:00:00Z");
        assert_eq!((once.completed, due(&once).as_str()), (false, "2026-11-23T07:00:00.000Z"));
        let done = completed(&once, "2026-11-24T08:00:00Z");
        let at = Some(at("2026-11-24T08:00:00Z"));
        assert_eq!((done.completed, done.completed_at, done.last_completed_at), (true, at, at));
        assert_eq!((done.due_date, &done.recurrence), (once.due_date, &bins.recurrence));
        // A completed task stays as it is, and so does one that is reopened.
        assert_eq!(completed(&done, "2026-12-01T00:00:00Z").completed_at, at);
        let reopened = updated(&done, &json!({ "completed": false }));
        assert_eq!(reopened, Task { completed: false, completed_at: None, updated_at: now(), sequence: 3, ..done });
    }
}

#[test]
fn a_task_whose_next_time_is_unknown_cannot_be_completed() {
    // No Tuesday of these weeks is a Monday, but the steps do not reach the end of the calendar.
    let never = "DTSTART;TZID=UTC:20261124T090000\nRRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO";
    let bins = task(Some(never), Some("2026-11-24T09:00:00Z"));
    let complete = json!({ "completed": true });
    let too_much = "/completed the `recurrence` of the task takes too much work: send another one or null too";
    assert_eq!(refused(&bins, &complete), too_much);
    let ends = updated(&Task { recurrence: Some(format!("{never};UNTIL=20991231")), ..bins.clone() }, &complete);
    assert!(ends.completed);
    let invalid = Task { recurrence: Some("every week".to_owned()), ..bins };
    let not_valid = "/completed the `recurrence` of the task is not valid: send another one or null too";
    assert_eq!(refused(&invalid, &complete), not_valid);
    assert!(updated(&invalid, &json!({ "completed": true, "recurrence": null })).completed);
}

/// Generates rules, some of which make several times a day or end.
fn rules() -> impl Strategy<Value = String> {
    let list = |values: &'static [&'static str], name: &'static str| {
        subsequence(values, 0..=values.len().min(3)).prop_map(move |values| match values.as_slice() {
            [] => String::new(),
            values => format!(";{name}={}", values.join(",")),
        })
    };
    let end = prop_oneof![
        3 => Just(String::new()),
        1 => (1..20_u32).prop_map(|count| format!(";COUNT={count}")),
        1 => select(&[";UNTIL=20270101", ";UNTIL=20270328T013000Z"][..]).prop_map(str::to_owned),
    ];
    let moments = select(&["", "\nEXDATE:20270328", "\nEXDATE:20261101T023000\nRDATE:20270105T023000,20270106"][..]);
    (
        select(&["DAILY", "WEEKLY", "MONTHLY"][..]),
        1..4_u32,
        list(&["MO", "WE", "SU"], "BYDAY"),
        list(&["1", "2", "3", "23"], "BYHOUR"),
        list(&["0", "15", "30", "59"], "BYMINUTE"),
        end,
        moments,
    )
        .prop_map(|(frequency, interval, days, hours, minutes, end, moments)| {
            format!("RRULE:FREQ={frequency};INTERVAL={interval}{days}{hours}{minutes}{end}{moments}")
        })
}

/// Returns the starts of an event in a year, at most 200, and the last instant of the comparison.
fn starts_of_event(zone: &Zone, start: DateTime, rule: &str) -> (BTreeSet<Timestamp>, Timestamp) {
    let instant = zone.resolve(start).unwrap();
    let event = Event {
        time_zone: Some(zone.into()),
        recurrence: Some(rule.to_owned()),
        ..Event::new("e".parse().unwrap(), "", instant, instant, instant)
    };
    let last_day = start.date().saturating_add(365.days());
    let found = expand(&[event], zone, DayRange::new(start.date(), last_day).unwrap(), 200);
    let starts: BTreeSet<_> = found.items.iter().map(|item| item.start_date).collect();
    let end = if found.is_cut { *starts.last().unwrap() } else { zone.start_of_day(last_day) };
    (starts.into_iter().filter(|start| *start <= end).collect(), end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_task_is_due_at_the_occurrences_of_an_event(
        rule in rules(),
        zone in select(&["Europe/Kyiv", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "UTC"][..]),
        start in select(&["20261024T023000", "20261031T013000", "20260905T000000", "20260404T020000"][..]),
    ) {
        let local = DateTime::strptime("%Y%m%dT%H%M%S", start).unwrap();
        let (expected, end) = starts_of_event(&zone.parse().unwrap(), local, &rule);
        // The task is always completed early.
        let now = at("2026-01-01T00:00:00Z");
        let lines = json!({ "recurrence": format!("DTSTART;TZID={zone}:{start}\n{rule}") });
        let mut task = decide(&task(None, None), &lines, zone, now);
        let mut visited = BTreeSet::new();
        while let Ok(Task { due_date: Some(due), completed: false, .. }) = task && due <= end {
            prop_assert!(visited.insert(due), "{due} comes twice");
            task = decide(task.as_ref().unwrap(), &json!({ "completed": true }), zone, now);
        }
        prop_assert_eq!(visited, expected);
    }
}
