//! Times in bodies, and the notices about them.

use jiff::tz::offset;

use crate::change::{DateOrInstant, Editable, EventChange, TaskChange, TimeNotice, TimeNoticeKind};
use crate::resource::{Event, Task};
use crate::validation::Json;

use super::at;

#[test]
fn instants_local_times_and_days_are_parsed() {
    let instant = |text: &str, hours: i8| DateOrInstant::At(at(text), (hours != 0).then(|| offset(hours)));
    let local = |text: &str| DateOrInstant::Local(text.parse().unwrap());
    for (text, expected) in [
        ("2026-12-24", DateOrInstant::On("2026-12-24".parse().unwrap())),
        ("2026-12-24T18:00", local("2026-12-24T18:00")),
        ("2026-12-24T18:00:07", local("2026-12-24T18:00:07")),
        ("2026-12-24T18:00:07.123999", local("2026-12-24T18:00:07.123")),
        ("2026-12-24T18:00:00Z", instant("2026-12-24T18:00:00Z", 0)),
        ("2026-12-24T18:00Z", instant("2026-12-24T18:00:00Z", 0)),
        ("2026-12-24T18:00:00+00:00", instant("2026-12-24T18:00:00Z", 0)),
        ("2026-12-24T18:00:00-00:00", instant("2026-12-24T18:00:00Z", 0)),
        ("2026-12-24T18:00+02:00", instant("2026-12-24T16:00:00Z", 2)),
        ("2026-12-24t18:00:00.5-05:00", instant("2026-12-24T23:00:00.500Z", -5)),
        ("0001-01-01T00:00", local("0001-01-01T00:00")),
        ("9999-12-31T23:59:59.999", local("9999-12-31T23:59:59.999")),
    ] {
        assert_eq!(DateOrInstant::parse(text), Some(expected), "{text}");
        assert_eq!(DateOrInstant::parse(&expected.to_string()), Some(expected), "{text}");
    }
    for bad in [
        "",
        "tomorrow",
        "18:00",
        "2026-12-24T18",
        "2026-12-24 18:00",
        "2026-12-24T18:00.5",
        "2026-12-24T18:00:",
        "2026-12-24T18:00:60",
        "2026-12-24T24:00",
        "2026-02-30T18:00",
        "0000-12-31T23:59",
        "2026-12-24T18:00+2",
        "2026-12-24T18:00+02:00Z",
        "2026-12-24T18:00:00ZZ",
        "2026-12-24T18:00äöü",
        "2026-12-24T18:00[Europe/Kyiv]",
    ] {
        assert_eq!(DateOrInstant::parse(bad), None, "{bad}");
    }
}

#[test]
fn an_instant_without_a_form_for_its_offset_is_written_in_utc() {
    let seconds = jiff::tz::Offset::from_seconds(-7).unwrap();
    for (text, offset) in [("2026-12-24T18:00:00.000Z", seconds), ("9999-12-31T23:59:59.999Z", offset(1))] {
        assert_eq!(DateOrInstant::At(at(text), Some(offset)).to_string(), text);
    }
}

#[test]
fn a_local_time_outside_of_the_calendar_is_clamped() {
    let resolve = |text: &str, zone: &str| DateOrInstant::parse(text).unwrap().in_zone(&zone.parse().unwrap());
    assert_eq!(resolve("0001-01-01T00:00", "Asia/Tokyo"), crate::Timestamp::MIN);
    assert_eq!(resolve("9999-12-31T23:00", "America/New_York"), crate::Timestamp::MAX);
}

/// Returns the notices about a start in Madrid, and the sentence about each.
fn notices(start: &str) -> Vec<(TimeNoticeKind, String, String)> {
    let zone = "Europe/Madrid".parse().unwrap();
    let body = Json::parse(format!(r#"{{"startDate": "{start}"}}"#).as_bytes()).unwrap();
    let found = TimeNotice::of::<Event>(&Event::parse_update(body).unwrap(), &zone);
    let parts = |notice: TimeNotice| (notice.kind, notice.resolved.to_string(), notice.sentence());
    found.into_iter().map(parts).collect()
}

#[test]
fn a_time_that_does_not_mean_what_it_says_is_noticed() {
    for (start, kind, resolved, sentence) in [
        (
            "2026-03-29T02:30",
            TimeNoticeKind::Skipped,
            "2026-03-29T01:30:00.000Z",
            "startDate: the clock in Europe/Madrid skips 2026-03-29T02:30:00, so it is 2026-03-29T03:30",
        ),
        (
            "2026-10-25T02:30",
            TimeNoticeKind::Repeated,
            "2026-10-25T00:30:00.000Z",
            "startDate: the clock in Europe/Madrid shows 2026-10-25T02:30:00 twice, and the first one counts",
        ),
        (
            "2026-12-24T18:00+02:00",
            TimeNoticeKind::ForeignOffset,
            "2026-12-24T16:00:00.000Z",
            "startDate: Europe/Madrid does not have the offset +02:00 then, so it is 2026-12-24T17:00 there",
        ),
        // The clock was already set back on this day.
        (
            "2026-10-25T12:00-03:30",
            TimeNoticeKind::ForeignOffset,
            "2026-10-25T15:30:00.000Z",
            "startDate: Europe/Madrid does not have the offset -03:30 then, so it is 2026-10-25T16:30 there",
        ),
    ] {
        assert_eq!(notices(start), [(kind, resolved.to_owned(), sentence.to_owned())], "{start}");
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    for start in [
        "2026-03-29",
        "2026-03-29T03:00",
        "2026-10-25T03:00",
        "2026-12-24T18:00:00Z",
        "2026-07-24T18:00:00+00:00",
        "2026-12-24T18:00:00+01:00",
        "2026-07-24T18:00:00+02:00",
        // Both of the repeated times have an offset of the zone.
        "2026-10-25T02:30:00+02:00",
        "2026-10-25T02:30:00+01:00",
    ] {
        assert!(notices(start).is_empty(), "{start}");
    }
    assert!("other".parse::<TimeNoticeKind>().is_err());
}

#[test]
fn the_time_zone_that_an_update_names_counts() {
    let kyiv = "Europe/Kyiv".parse().unwrap();
    for (zone, start, expected) in [
        ("America/New_York", "2026-03-08T02:30", "startDate: the clock in America/New_York skips"),
        // The clock in Kyiv skips this time.
        ("UTC", "2026-03-29T03:30", ""),
    ] {
        let body = Json::parse(format!(r#"{{"timeZone": "{zone}", "startDate": "{start}"}}"#).as_bytes()).unwrap();
        let found = TimeNotice::of::<Event>(&Event::parse_update(body).unwrap(), &kyiv);
        let sentence = found.first().map(TimeNotice::sentence).unwrap_or_default();
        assert!(sentence.starts_with(expected) && sentence.is_empty() == expected.is_empty(), "{zone}: {sentence}");
    }
}

#[test]
fn every_time_of_an_update_is_checked() {
    let zone = "Europe/Madrid".parse().unwrap();
    let skipped: jiff::civil::DateTime = "2026-03-29T02:30".parse().unwrap();
    let event = EventChange::new()
        .title("t")
        .start_date(skipped)
        .end_date(DateOrInstant::At(at("2026-07-01T00:00:00Z"), Some(offset(1))));
    let shown = |notices: Vec<TimeNotice>| notices.iter().map(ToString::to_string).collect::<Vec<_>>();
    let new = event.build_new().unwrap();
    assert_eq!(shown(TimeNotice::of::<Event>(new.fields(), &zone)), ["startDate=skipped", "endDate=foreign_offset"]);
    let task = TaskChange::new().due_date(skipped).build().unwrap();
    assert_eq!(shown(TimeNotice::of::<Task>(&task, &zone)), ["dueDate=skipped"]);
    for other in [TaskChange::new().title("t"), TaskChange::new().clear_due_date()] {
        assert!(TimeNotice::of::<Task>(&other.build().unwrap(), &zone).is_empty());
    }
}
