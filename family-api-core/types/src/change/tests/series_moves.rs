//! Moves of a series that must lose, add or hide no occurrence.

use jiff::civil::date;

use super::at;
use super::occurrence_rules::{all, camp, change, decide, end, piano, refused, restore, skip, with, written};
use super::series_rules::keys;
use crate::calendar::ZoneName;
use crate::change::{EventChange, EventUpdate, Verdict};
use crate::occurrences::{MAX_RECURRENCE_LENGTH, Override, Overrides, Recurrence};
use crate::resource::Event;

fn to(text: &str) -> EventChange {
    EventChange::new().start_date(at(text))
}

fn zone(name: &str) -> EventChange {
    EventChange::new().time_zone(name.parse::<ZoneName>().unwrap())
}

fn build(change: &EventChange) -> EventUpdate {
    change.build().unwrap()
}

fn in_zone(name: &str, event: Event) -> Event {
    Event { time_zone: Some(name.parse().unwrap()), ..event }
}

/// Returns an event of one hour.
fn from(start: &str, recurrence: &str) -> Event {
    let start_date = at(start);
    let end_date = start_date.saturating_add(jiff::SignedDuration::from_hours(1));
    with(Event { start_date, end_date, ..piano() }, recurrence)
}

fn with_override(event: Event, key: &str, start: &str) -> Event {
    let start = at(start);
    let mut overrides = event.overrides.clone().into_vec();
    overrides.push(Override {
        title: Some("Changed".to_owned()),
        ..Override::new(key.parse().unwrap(), start, start.saturating_add(jiff::SignedDuration::from_mins(15)))
    });
    Event { overrides: Overrides::new(overrides).unwrap(), ..event }
}

#[test]
fn a_weekday_of_every_second_month_does_not_move_to_another_day() {
    for rule in ["FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "FREQ=YEARLY;INTERVAL=2;BYDAY=TU"] {
        let event = with(piano(), rule);
        assert_eq!(refused(all("20261124", &to("2026-11-25T16:30:00Z")), event.clone()), ["/startDate"], "{rule}");
        // 05:30 on Wednesdays in Auckland.
        assert_eq!(refused(build(&zone("Pacific/Auckland")), event), ["/timeZone"], "{rule}");
    }
    let each = written(all("20261124", &to("2026-11-25T16:30:00Z")), with(piano(), "FREQ=MONTHLY;BYDAY=TU"));
    assert_eq!(each.recurrence.as_deref(), Some("FREQ=MONTHLY;BYDAY=WE"));
}

#[test]
fn a_day_of_the_month_moves_only_to_one_at_the_same_distance() {
    for (rule, start, new) in [
        ("FREQ=MONTHLY", "2026-11-30T10:00:00Z", "2026-12-01T10:00:00Z"),
        ("FREQ=MONTHLY", "2026-10-30T10:00:00Z", "2026-10-31T10:00:00Z"),
        ("FREQ=MONTHLY", "2026-10-31T10:00:00Z", "2026-10-28T10:00:00Z"),
        ("FREQ=YEARLY", "2028-02-29T10:00:00Z", "2028-03-01T10:00:00Z"),
        ("FREQ=YEARLY", "2027-02-28T10:00:00Z", "2027-03-01T10:00:00Z"),
        ("FREQ=YEARLY", "2027-03-01T10:00:00Z", "2028-03-01T10:00:00Z"),
    ] {
        let (event, id) = (from(start, rule), start.get(..10).unwrap().replace('-', ""));
        assert_eq!(refused(all(&id, &to(new)), event.clone()), ["/startDate"], "{rule} {start}");
        assert!(written(all(&id, &to(new).recurrence(rule)), event).start_date == at(new));
    }
    for (rule, start, new) in [
        ("FREQ=MONTHLY", "2026-11-24T10:00:00Z", "2026-11-28T10:00:00Z"),
        ("FREQ=MONTHLY", "2026-10-31T10:00:00Z", "2026-10-31T12:00:00Z"),
        ("FREQ=YEARLY", "2026-11-30T10:00:00Z", "2026-12-01T10:00:00Z"),
        ("FREQ=YEARLY", "2026-12-31T10:00:00Z", "2027-01-02T10:00:00Z"),
    ] {
        let id = start.get(..10).unwrap().replace('-', "");
        assert_eq!(written(all(&id, &to(new)), from(start, rule)).start_date, at(new), "{rule} {start}");
    }
}

#[test]
fn a_rule_in_small_letters_moves_too() {
    let event = with(piano(), "freq=weekly;byday=tu;until=20261222t163000z\nRDATE:20261210T183000");
    let moved = written(all("20261208", &to("2026-12-09T17:00:00Z")), event);
    assert_eq!(moved.recurrence.as_deref(), Some("freq=weekly;byday=WE;until=20261223T170000Z\nRDATE:20261211T190000"));
}

#[test]
fn what_cannot_move_beyond_the_calendar_stays_alone() {
    for until in ["99991231", "99991231T235959", "99991231T235959Z"] {
        let rule = |day: &str| format!("FREQ=WEEKLY;BYDAY={day};UNTIL={until}");
        let event = with(piano(), &format!("{}\nRDATE:20261210T183000,99991231T200000", rule("TU")));
        let moved = written(all("20261208", &to("2026-12-09T16:30:00Z")), event);
        assert_eq!(
            moved.recurrence.as_deref(),
            Some(&*format!("{}\nRDATE:20261211T183000,99991231T200000", rule("WE")))
        );
    }
}

#[test]
fn a_moment_does_not_move_before_the_first_year() {
    for moment in
        ["EXDATE:00010101T183000", "EXDATE;VALUE=DATE:00010101", "RDATE;TZID=America/New_York:00010101T120000"]
    {
        let recurrence = format!("FREQ=WEEKLY\n{moment}");
        let event = with(piano(), &recurrence);
        for update in [all("20261208", &to("2026-12-07T16:30:00Z")), build(&to("2026-11-23T16:30:00Z"))] {
            assert_eq!(written(update, event.clone()).recurrence.as_deref(), Some(&*recurrence));
        }
    }
    // The local date is the last day of the year 0.
    let first = in_zone("America/New_York", from("0001-01-01T00:00:00Z", "FREQ=DAILY"));
    assert_eq!(refused(skip("00010101T000000Z"), first.clone()), ["/recurrence"]);
    let later = written(skip("00010102T000000Z"), first);
    assert!(Recurrence::parse(later.recurrence.as_deref().unwrap()).is_ok());
}

#[test]
fn the_last_occurrence_stays_in_a_zone_with_other_clock_changes() {
    // 18:30 in Kyiv is 15:30 UTC in summer, and 20:30 in Dubai is always 16:30 UTC.
    let event = with(piano(), "FREQ=WEEKLY;UNTIL=20270601T153000Z");
    let moved = written(build(&zone("Asia/Dubai")), event);
    assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20270601T163000Z"));
}

#[test]
fn the_days_in_a_recurrence_stay_in_another_zone() {
    let days = with(camp(), "FREQ=WEEKLY;UNTIL=20261213T220000Z\nEXDATE:20261129T220000Z\nRDATE:20261209T220000Z");
    assert_eq!(
        written(build(&zone("America/New_York")), days).recurrence.as_deref(),
        Some("FREQ=WEEKLY;UNTIL=20261214T050000Z\nEXDATE:20261130T050000Z\nRDATE:20261210T050000Z")
    );
}

#[test]
fn the_days_of_a_moved_occurrence_stay_in_another_zone() {
    let (first, last) = (date(2026, 12, 9), date(2026, 12, 10));
    let moved = written(change("20261207", &EventChange::new().start_date(first).end_date(last)), camp());
    for change in [zone("America/New_York"), zone("America/New_York").start_date(date(2026, 11, 23))] {
        let event = written(build(&change), moved.clone());
        let change = &event.overrides.as_slice()[0];
        assert_eq!(change.recurrence_id.to_string(), "2026-12-07");
        assert_eq!(change.start_date, at("2026-12-09T05:00:00Z"));
        assert_eq!(change.end_date, at("2026-12-11T05:00:00Z"));
    }
}

#[test]
fn days_move_as_days_if_the_clock_skips_a_midnight() {
    // Santiago has no midnight on the 6th of September.
    let (start_date, end_date) = (at("2026-09-06T04:00:00Z"), at("2026-09-07T03:00:00Z"));
    let days = in_zone("America/Santiago", Event { all_day: true, start_date, end_date, ..piano() });
    let days = with(days, "FREQ=WEEKLY;UNTIL=20260920T000000\nRDATE:20260923T030000Z,20260925T000000");
    let moved = written(all("20260906", &EventChange::new().start_date(date(2026, 9, 7))), days);
    assert_eq!(
        moved.recurrence.as_deref(),
        Some("FREQ=WEEKLY;UNTIL=20260921T000000\nRDATE:20260924T030000Z,20260926T000000")
    );
}

#[test]
fn a_zone_is_alone_beside_an_equal_all_day() {
    let night = from("2026-11-23T23:30:00Z", "FREQ=WEEKLY;BYDAY=TU");
    let alone = written(build(&zone("America/New_York")), night.clone());
    assert_eq!(alone.recurrence.as_deref(), Some("FREQ=WEEKLY;BYDAY=MO"));
    assert_eq!(written(build(&zone("America/New_York").timed()), night), alone);
}

#[test]
fn an_excluded_occurrence_that_the_clock_moves_stays_excluded() {
    // 03:30 does not exist in Kyiv on the 29th of March, so the occurrence is at 04:30.
    for exdate in [":20260329T013000Z", ":20260329T043000", ";TZID=Asia/Dubai:20260329T053000"] {
        let night = from("2026-03-26T01:30:00Z", &format!("FREQ=DAILY\nEXDATE{exdate}"));
        assert_eq!(decide(skip("20260329T013000Z"), night.clone()), Verdict::NotFound, "{exdate}");
        for update in [all("20260327T013000Z", &to("2026-03-27T08:30:00Z")), build(&to("2026-03-26T08:30:00Z"))] {
            let moved = written(update, night.clone());
            // 10:30 is 07:30 UTC in summer.
            assert_eq!(decide(skip("20260329T073000Z"), moved.clone()), Verdict::NotFound, "{exdate} {moved:?}");
        }
    }
}

#[test]
fn an_occurrence_that_stays_excluded_is_not_restored() {
    let day = "FREQ=WEEKLY;BYHOUR=10,18\nEXDATE;VALUE=DATE:20261208\nEXDATE:20261208T183000";
    assert_eq!(refused(restore("20261208T163000Z"), with(piano(), day)), ["/recurrence"]);
}

#[test]
fn a_day_names_the_only_occurrence_that_is_shown() {
    // The clock skips 03:30 in Kyiv on the 29th of March, so both are at 04:30.
    let night = from("2026-03-26T01:30:00Z", "FREQ=DAILY;BYHOUR=3,4");
    let one = written(skip("20260329"), night.clone());
    assert_eq!(one.recurrence.as_deref(), Some("FREQ=DAILY;BYHOUR=3,4\nEXDATE:20260329T033000"));
    assert_eq!(decide(skip("20260329"), one), Verdict::NotFound);
    assert_eq!(refused(skip("20260328"), night), ["/start"]);
}

#[test]
fn a_series_does_not_end_before_its_start() {
    let event = with_override(piano(), "2026-11-10T18:30:00", "2026-11-10T16:30:00Z");
    let event = with_override(event, "2026-11-17T18:30:00", "2026-11-17T16:30:00Z");
    assert_eq!(refused(end("20261117T163000Z"), event), ["/scope"]);
}

#[test]
fn a_changed_occurrence_on_the_day_where_the_search_ends_stays() {
    let event = in_zone("UTC", from("2026-01-01T23:45:00Z", "FREQ=DAILY"));
    let event = with_override(event, "2026-01-02T23:45:00", "2026-01-02T23:50:00Z");
    let event = with_override(event, "2026-03-25T23:45:00", "2026-03-25T23:50:00Z");
    let hours: Vec<_> = (0..24).map(|hour| hour.to_string()).collect();
    let often = format!("FREQ=DAILY;BYHOUR={};BYMINUTE=0,15,30,45", hours.join(","));
    assert_eq!(written(build(&EventChange::new().recurrence(often)), event.clone()).overrides, event.overrides);
}

#[test]
fn a_change_of_one_occurrence_is_kept_if_another_ends_before_it_starts() {
    // An imported event. Apia has no 30th of December 2011.
    let (start_date, end_date) = (at("2011-12-28T11:00:00Z"), at("2011-12-29T12:00:00Z"));
    let event = in_zone("Pacific/Apia", Event { all_day: true, start_date, end_date, ..with(piano(), "FREQ=DAILY") });
    let event = written(change("20111230", &EventChange::new().title("x")), event);
    let shorter = EventChange::new().end_date(date(2011, 12, 28));
    assert_eq!(written(build(&shorter), event).overrides.as_slice().len(), 1);
}

#[test]
fn an_excluded_day_hides_no_other_occurrence_after_a_move() {
    let night = "FREQ=YEARLY\nRDATE:20260102T000000\nEXDATE;VALUE=DATE:20260101,20270101";
    let event = in_zone("America/New_York", from("2026-01-01T23:30:00Z", night));
    let moved = written(build(&zone("Asia/Dubai")), event);
    assert_eq!(
        moved.recurrence.as_deref(),
        Some("FREQ=YEARLY\nRDATE:20260102T090000\nEXDATE;VALUE=DATE:20270102\nEXDATE:20260102T033000")
    );
    let both = with(piano(), "FREQ=WEEKLY\nRDATE:20261201T233000\nEXDATE;VALUE=DATE:20261201");
    let later = written(all("20261208", &to("2026-12-08T17:30:00Z")), both);
    assert_eq!(
        later.recurrence.as_deref(),
        Some("FREQ=WEEKLY\nRDATE:20261202T003000\nEXDATE:20261201T193000,20261202T003000")
    );
}

#[test]
fn excluded_days_without_room_for_their_occurrences_are_refused() {
    let mut long =
        "FREQ=YEARLY\nEXDATE;VALUE=DATE:20260101,20270101,20280101\nRDATE:20260102T000000,20270102T000000".to_owned();
    while long.len() + 16 <= MAX_RECURRENCE_LENGTH {
        long += ",20260102T000000";
    }
    let event = in_zone("America/New_York", from("2026-01-01T23:30:00Z", &long));
    assert_eq!(refused(build(&zone("Asia/Dubai")), event), ["/recurrence"]);
}

#[test]
fn the_only_weekday_of_a_rule_moves_also_if_the_event_starts_on_another() {
    let event = |rule: &str| from("2026-11-23T16:30:00Z", rule);
    let (tuesdays, fortnightly) = (event("FREQ=WEEKLY;BYDAY=TU"), event("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"));
    let moved = written(all("20261201", &to("2026-12-02T16:30:00Z")), tuesdays.clone());
    assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY;BYDAY=WE"));
    assert_eq!(moved.start_date, at("2026-11-24T16:30:00Z"));
    // 05:30 on the next day.
    let moved = written(build(&zone("Pacific/Auckland")), tuesdays.clone());
    assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY;BYDAY=WE"));
    // The rule does not make the first occurrence.
    assert_eq!(refused(all("20261123", &to("2026-11-24T16:30:00Z")), tuesdays), ["/startDate"]);
    // The first of every second week can be another one after the move.
    assert_eq!(refused(all("20261124", &to("2026-11-25T16:30:00Z")), fortnightly.clone()), ["/startDate"]);
    assert_eq!(refused(build(&zone("Pacific/Auckland")), fortnightly), ["/timeZone"]);
}

#[test]
fn a_later_start_hides_no_other_occurrence() {
    let event = with(piano(), "FREQ=DAILY\nEXDATE:20261125T183000,20261128T183000\nEXDATE;VALUE=DATE:20261124");
    let event = with_override(event, "2026-11-25T18:30:00", "2026-11-27T10:00:00Z");
    let event = with_override(event, "2026-11-29T18:30:00", "2026-11-29T10:00:00Z");
    let later = written(build(&to("2026-11-26T16:30:00Z")), event.clone());
    assert_eq!((&later.recurrence, keys(&later)), (&event.recurrence, vec!["2026-11-29T18:30:00".to_owned()]));
    let another_time = written(build(&to("2026-11-26T17:00:00Z")), event);
    assert_eq!(
        another_time.recurrence.as_deref(),
        Some("FREQ=DAILY\nEXDATE:20261125T190000,20261128T190000\nEXDATE;VALUE=DATE:20261124")
    );
    assert_eq!(keys(&another_time), ["2026-11-29T19:00:00"]);
    // The rule did not make the start, so the exceptions move with it.
    for (rule, excluded, start, moved) in [
        ("FREQ=DAILY;INTERVAL=3", "20261127T183000", "2026-11-28T16:30:00Z", "20261201T183000"),
        ("FREQ=WEEKLY\nRDATE:20261210T183000", "20261201T183000", "2026-12-10T16:30:00Z", "20261217T183000"),
    ] {
        let exdate = |moment: &str| format!("{rule}\nEXDATE:{moment}");
        let event = written(build(&to(start)), with(piano(), &exdate(excluded)));
        assert_eq!(event.recurrence, Some(exdate(moved)));
    }
}

#[test]
fn an_addition_at_a_time_of_the_rule_moves_with_it() {
    // Kyiv has summer time on the 29th of March, and Santiago still has.
    for (addition, moved) in [
        ("RDATE:20260329T120000", "RDATE:20260329T070000"),
        ("RDATE:20260329T090000Z", "RDATE:20260329T100000Z"),
        ("RDATE:20260329T130000", "RDATE:20260329T070000"),
    ] {
        let event = from("2026-01-01T10:00:00Z", &format!("FREQ=DAILY\n{addition}"));
        let event = written(build(&zone("America/Santiago")), event);
        assert_eq!(event.recurrence, Some(format!("FREQ=DAILY\n{moved}")));
    }
}
