//! Tests of whole documents, which calcard reads again.

use calcard::icalendar::{ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarProperty};

mod bounds;
mod busy;

use super::*;
use crate::occurrences::{Override, Overrides};
use crate::validation::Field;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn kyiv() -> Zone {
    "Europe/Kyiv".parse().unwrap()
}

fn view(zone: &Zone) -> FeedView<'_> {
    FeedView {
        name: "Family, home",
        detail: FeedDetail::Full,
        language: FeedLanguage::Uk,
        sequence: 3,
        calendar_id: "c0ffee",
        zone,
        since: at("2026-11-01T00:00:00Z"),
    }
}

fn piano() -> Event {
    Event {
        emoji: Some("🎹".to_owned()),
        description: Some("Bring\nthe book; and a pen, \\o/".to_owned()),
        location: Some("Club".to_owned()),
        time_zone: Some("Europe/Kyiv".parse().unwrap()),
        ..Event::new(
            "piano".parse().unwrap(),
            "Piano",
            at("2026-12-01T16:30:00.250Z"),
            at("2026-12-01T17:30:00.250Z"),
            at("2026-11-20T10:00:00.999Z"),
        )
    }
}

fn recurring(recurrence: &str) -> Event {
    Event { recurrence: Some(recurrence.to_owned()), ..piano() }
}

fn task(due: &str) -> Task {
    let mut task = Task::new("bins".parse().unwrap(), "Bins", at("2026-11-20T10:00:00Z"));
    task.due_date = Some(at(due));
    task
}

fn text(written: &WrittenFeed) -> String {
    String::from_utf8(written.ics.clone()).unwrap().replace("\r\n ", "")
}

/// Returns the lines of each event of the document.
fn events(written: &WrittenFeed) -> Vec<Vec<String>> {
    let text = text(written);
    let bodies = text.split("BEGIN:VEVENT\r\n").skip(1).map(|rest| rest.split("END:VEVENT").next().unwrap());
    bodies.map(|body| body.lines().map(str::to_owned).collect()).collect()
}

fn write_events(events: &[Event]) -> WrittenFeed {
    write(&view(&kyiv()), events, &[])
}

/// Returns the values of a property, one for each event.
fn values(written: &WrittenFeed, name: &str) -> Vec<String> {
    let of_event = |lines: Vec<String>| lines.into_iter().find(|line| line.split([':', ';']).next() == Some(name));
    events(written).into_iter().filter_map(of_event).collect()
}

#[test]
fn a_single_event_is_in_utc_with_all_its_texts() {
    let written = write_events(&[piano()]);
    let expected = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//family-api//Calendar feed//EN\r\nCALSCALE:GREGORIAN\r\n\
        NAME:Family\\, home\r\nX-WR-CALNAME:Family\\, home\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n\
        X-PUBLISHED-TTL:PT1H\r\nBEGIN:VEVENT\r\nUID:e-piano@c0ffee\r\nDTSTAMP:20261120T100000Z\r\n\
        LAST-MODIFIED:20261120T100000Z\r\nSEQUENCE:3\r\nDTSTART:20261201T163000Z\r\nDTEND:20261201T173000Z\r\n\
        SUMMARY:🎹 Piano\r\nLOCATION:Club\r\nDESCRIPTION:Bring\\nthe book\\; and a pen\\, \\\\o/\r\nTRANSP:OPAQUE\r\n\
        END:VEVENT\r\nEND:VCALENDAR\r\n";
    assert_eq!(String::from_utf8(written.ics).unwrap(), expected);
    assert_eq!(written.left_out, 0);
}

#[test]
fn an_empty_calendar_has_a_component() {
    let written = String::from_utf8(write_events(&[]).ics).unwrap();
    let components: Vec<_> = written.lines().filter(|line| line.starts_with("BEGIN:")).collect();
    assert_eq!(components, ["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "BEGIN:STANDARD"]);
    let read = ICalendar::parse(written).unwrap();
    assert_eq!(read.components.last().unwrap().component_type, ICalendarComponentType::Standard);
}

#[test]
fn another_library_reads_the_texts_as_they_were() {
    let texts = ["a\nb", "tab\t, \"quoted\"; back\\slash\\n", &"ї€🎹".repeat(100), "BEGIN:VEVENT\r\nEND:VEVENT"];
    for original in texts {
        let event = Event { title: original.to_owned(), emoji: None, ..recurring("FREQ=WEEKLY;COUNT=5") };
        let written = write_events(&[event]);
        let read = ICalendar::parse(String::from_utf8(written.ics).unwrap()).unwrap();
        let count = |kind| read.components.iter().filter(|component| component.component_type == kind).count();
        assert_eq!(
            (count(ICalendarComponentType::VEvent), count(ICalendarComponentType::VTimezone)),
            (1, 1),
            "{original}"
        );
        let is_event = |component: &&ICalendarComponent| component.component_type == ICalendarComponentType::VEvent;
        let event = read.components.iter().find(is_event).unwrap();
        let summary = event.property(&ICalendarProperty::Summary).unwrap();
        assert_eq!(summary.values[0].as_text(), Some(original.replace("\r\n", "\n").as_str()));
        assert_eq!(event.uid(), Some("e-piano@c0ffee"));
        assert!(event.has_property(&ICalendarProperty::Rrule));
    }
}

#[test]
fn a_recurring_event_is_in_its_zone_with_two_yearly_rules() {
    let text = text(&write_events(&[recurring("FREQ=WEEKLY")]));
    let zone = "BEGIN:VTIMEZONE\r\nTZID:Europe/Kyiv\r\nBEGIN:DAYLIGHT\r\nDTSTART:19700329T030000\r\n\
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0300\r\nEND:DAYLIGHT\r\n\
        BEGIN:STANDARD\r\nDTSTART:19701025T040000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n\
        TZOFFSETFROM:+0300\r\nTZOFFSETTO:+0200\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";
    assert!(text.contains(zone), "{text}");
    let event = "DTSTART;TZID=Europe/Kyiv:20261201T183000\r\nDTEND;TZID=Europe/Kyiv:20261201T193000\r\n\
        RRULE:FREQ=WEEKLY;BYDAY=TU\r\n";
    assert!(text.contains(event), "{text}");
}

#[test]
fn utc_is_a_zone_like_any_other() {
    let (start, end) = (at("2026-12-09T10:00:00Z"), at("2026-12-09T11:00:00Z"));
    let moved = Override::new("2026-12-08T16:30:00".parse().unwrap(), start, end);
    let event = Event {
        time_zone: Some("UTC".parse().unwrap()),
        overrides: Overrides::new(vec![moved]).unwrap(),
        ..recurring("FREQ=WEEKLY\nEXDATE:20261215T163000Z")
    };
    let text = text(&write_events(&[event]));
    for lines in [
        "TZID:UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\n",
        "DTSTART;TZID=UTC:20261201T163000\r\nDTEND;TZID=UTC:20261201T173000\r\n",
        "EXDATE;TZID=UTC:20261215T163000\r\n",
        "RECURRENCE-ID;TZID=UTC:20261208T163000\r\nDTSTART:20261209T100000Z\r\n",
    ] {
        assert!(text.contains(lines), "{lines} in {text}");
    }
}

#[test]
fn rules_of_zones_are_verified() {
    let window = at("2026-11-01T00:00:00Z")..at("2028-11-01T00:00:00Z");
    let rules = |name: &str| {
        let mut lines = Lines::with_capacity(0);
        let zone: Zone = name.parse().unwrap();
        super::time_zone::YearlyRules::of(&zone, &window)?.write(name, &mut lines);
        Some(String::from_utf8(lines.into_bytes()).unwrap())
    };
    for (zone, parts) in [
        ("America/New_York", ["BYMONTH=3;BYDAY=2SU", "BYMONTH=11;BYDAY=1SU"]),
        ("Australia/Lord_Howe", ["TZOFFSETFROM:+1030", "TZOFFSETTO:+1030"]),
        // The clock changes on a Saturday evening, so that no number of the weekday says when.
        ("America/Nuuk", ["BYMONTH=3;BYMONTHDAY=24,25,26,27,28,29,30;BYDAY=SA", "TZOFFSETTO:-0100"]),
        // Winter time is the daylight time of the database.
        ("Europe/Dublin", ["BEGIN:DAYLIGHT\r\nDTSTART:19700329T010000", "BEGIN:STANDARD\r\nDTSTART:19701025T020000"]),
        ("Asia/Kolkata", ["DTSTART:19700101T000000\r\nTZOFFSETFROM:+0530", "TZOFFSETTO:+0530"]),
    ] {
        let written = rules(zone).unwrap();
        assert!(parts.iter().all(|part| written.contains(part)), "{written}");
    }
    for zone in ["Africa/El_Aaiun", "Asia/Gaza"] {
        let zone: Zone = zone.parse().unwrap();
        let window = at("2024-01-01T00:00:00Z")..at("2026-01-01T00:00:00Z");
        assert_eq!(super::time_zone::YearlyRules::of(&zone, &window), None);
    }
}

#[test]
fn a_zone_without_a_lasting_rule_gives_single_occurrences() {
    let event = Event {
        time_zone: Some("Africa/Casablanca".parse().unwrap()),
        start_date: at("2024-03-05T16:30:00Z"),
        end_date: at("2024-03-05T17:30:00Z"),
        ..recurring("FREQ=WEEKLY;COUNT=3")
    };
    let zone = kyiv();
    let written = write(&FeedView { since: at("2024-02-01T00:00:00Z"), ..view(&zone) }, &[event], &[]);
    // The clock is an hour earlier in Ramadan.
    let starts = ["DTSTART:20240305T163000Z", "DTSTART:20240312T173000Z", "DTSTART:20240319T173000Z"];
    assert_eq!(values(&written, "DTSTART"), starts);
    let uids = ["20240305", "20240312", "20240319"].map(|day| format!("UID:e-piano.{day}T173000@c0ffee"));
    assert_eq!(values(&written, "UID"), uids);
    assert!(!text(&written).contains("VTIMEZONE"));
}

#[test]
fn a_rule_that_programs_read_differently_gives_single_occurrences() {
    for rule in ["FREQ=YEARLY;BYWEEKNO=50", "FREQ=YEARLY;BYYEARDAY=340", "FREQ=WEEKLY;BYDAY=TU,WE;BYSETPOS=-1"] {
        let written = write_events(&[recurring(rule)]);
        assert!(values(&written, "RRULE").is_empty(), "{rule}");
        // Two years from the start of the window.
        let last = values(&written, "DTSTART").pop().unwrap();
        assert!(last.starts_with("DTSTART:2027") || last.starts_with("DTSTART:2028"), "{last}");
    }
}

#[test]
fn an_end_becomes_an_instant_or_a_date() {
    for (recurrence, expected) in [
        ("FREQ=WEEKLY;COUNT=3", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215T163000Z"),
        ("FREQ=DAILY;UNTIL=20270110", "FREQ=DAILY;UNTIL=20270110T215959Z"),
        ("FREQ=DAILY;UNTIL=20270110T183000", "FREQ=DAILY;UNTIL=20270110T163000Z"),
        ("FREQ=DAILY;UNTIL=20270110T183000Z", "FREQ=DAILY;UNTIL=20270110T183000Z"),
        ("FREQ=DAILY;INTERVAL=2;BYHOUR=8,18", "FREQ=DAILY;INTERVAL=2;BYHOUR=8,18"),
    ] {
        assert_eq!(values(&write_events(&[recurring(recurrence)]), "RRULE"), [format!("RRULE:{expected}")]);
    }
    let day = Event {
        all_day: true,
        start_date: at("2026-11-30T22:00:00Z"),
        end_date: at("2026-12-02T22:00:00Z"),
        ..recurring("FREQ=WEEKLY;UNTIL=20261225T120000Z\nEXDATE;VALUE=DATE:20261208")
    };
    let written = write_events(&[day]);
    assert_eq!(values(&written, "RRULE"), ["RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261225"]);
    assert_eq!(values(&written, "DTSTART"), ["DTSTART;VALUE=DATE:20261201"]);
    assert_eq!(values(&written, "DTEND"), ["DTEND;VALUE=DATE:20261203"]);
    assert_eq!(values(&written, "EXDATE"), ["EXDATE;VALUE=DATE:20261208"]);
}

#[test]
fn exclusions_are_local_starts_of_the_rule() {
    let recurrence =
        "FREQ=DAILY;BYHOUR=8,18\nEXDATE;VALUE=DATE:20261203\nEXDATE:20261204T163000Z\nEXDATE:20261205T090000";
    let written = write_events(&[recurring(recurrence)]);
    let excluded: Vec<_> =
        text(&written).lines().filter(|line| line.starts_with("EXDATE")).map(str::to_owned).collect();
    let expected =
        ["20261203T083000", "20261203T183000", "20261204T183000"].map(|key| format!("EXDATE;TZID=Europe/Kyiv:{key}"));
    assert_eq!(excluded, expected);
}

#[test]
fn a_start_that_the_rule_does_not_make_and_additional_ones_are_single() {
    let written = write_events(&[recurring("FREQ=WEEKLY;BYDAY=FR;COUNT=3\nRDATE:20261205T120000")]);
    let starts = ["DTSTART;TZID=Europe/Kyiv:20261204T183000", "DTSTART:20261201T163000Z", "DTSTART:20261205T100000Z"];
    assert_eq!(values(&written, "DTSTART"), starts);
    // The start counts as the first occurrence.
    assert_eq!(values(&written, "RRULE"), ["RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20261211T163000Z"]);
    let uids = ["e-piano", "e-piano.20261201T183000", "e-piano.20261205T120000"].map(|id| format!("UID:{id}@c0ffee"));
    assert_eq!(values(&written, "UID"), uids);
}

#[test]
fn a_changed_occurrence_replaces_its_own() {
    let mut moved =
        Override::new("2026-12-08T18:30:00".parse().unwrap(), at("2026-12-09T10:00:00Z"), at("2026-12-09T11:00:00Z"));
    moved.title = Some("Concert".to_owned());
    moved.description = Field::Clear;
    let foreign =
        Override::new("2026-12-10T00:00:00".parse().unwrap(), at("2026-12-10T10:00:00Z"), at("2026-12-10T10:00:00Z"));
    let event = Event {
        overrides: Overrides::new(vec![moved, foreign]).unwrap(),
        ..recurring("FREQ=WEEKLY\nEXDATE:20261208T183000")
    };
    let written = write_events(&[event]);
    let [rule, changed, single] = <[_; 3]>::try_from(events(&written)).unwrap();
    assert!(!rule.iter().any(|line| line.starts_with("EXDATE")), "{rule:?}");
    for line in [
        "UID:e-piano@c0ffee",
        "RECURRENCE-ID;TZID=Europe/Kyiv:20261208T183000",
        "DTSTART:20261209T100000Z",
        "DTEND:20261209T110000Z",
        "SUMMARY:🎹 Concert",
        "LOCATION:Club",
    ] {
        assert!(changed.contains(&line.to_owned()), "{line} in {changed:?}");
    }
    assert!(!changed.iter().any(|line| line.starts_with("DESCRIPTION")), "{changed:?}");
    assert!(single.contains(&"UID:e-piano.20261210T000000@c0ffee".to_owned()), "{single:?}");
    // It has no length, so it has no end.
    assert!(!single.iter().any(|line| line.starts_with("DTEND")), "{single:?}");
}

#[test]
fn an_occurrence_over_a_clock_change_has_its_own_instants() {
    let night = Event {
        start_date: at("2027-03-20T21:00:00Z"),
        end_date: at("2027-03-21T05:00:00Z"),
        ..recurring("FREQ=WEEKLY;COUNT=3")
    };
    let written = write_events(&[night]);
    assert_eq!(values(&written, "RECURRENCE-ID"), ["RECURRENCE-ID;TZID=Europe/Kyiv:20270327T230000"]);
    assert_eq!(values(&written, "DTEND"), ["DTEND;TZID=Europe/Kyiv:20270321T070000", "DTEND:20270328T050000Z"]);
    let skipped = Event {
        start_date: at("2027-03-26T01:30:00Z"),
        end_date: at("2027-03-26T02:00:00Z"),
        ..recurring("FREQ=DAILY;COUNT=3")
    };
    let starts = ["DTSTART:20270326T013000Z", "DTSTART:20270327T013000Z", "DTSTART:20270328T013000Z"];
    assert_eq!(values(&write_events(&[skipped]), "DTSTART"), starts);
}

#[test]
fn a_rule_begins_with_the_window() {
    let old = Event {
        start_date: at("2015-01-06T16:30:00Z"),
        end_date: at("2015-01-06T17:30:00Z"),
        ..recurring("FREQ=WEEKLY;INTERVAL=2;COUNT=320\nEXDATE:20160105T183000")
    };
    let written = write_events(std::slice::from_ref(&old));
    let utc = crate::occurrences::expand(
        &[old],
        &kyiv(),
        crate::occurrences::DayRange::new(jiff::civil::date(2026, 11, 1), jiff::civil::date(2027, 10, 31)).unwrap(),
        1_000,
    );
    let (first, last) = (&utc.items[0], utc.items.last().unwrap());
    let local = |at: Timestamp| kyiv().local(at).strftime("%Y%m%dT%H%M%S").to_string();
    assert_eq!(values(&written, "DTSTART"), [format!("DTSTART;TZID=Europe/Kyiv:{}", local(first.start_date))]);
    let until = Zone::utc().local(last.start_date).strftime("%Y%m%dT%H%M%SZ").to_string();
    assert_eq!(values(&written, "RRULE"), [format!("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL={until}")]);
    assert!(values(&written, "EXDATE").is_empty());
}

#[test]
fn what_ended_before_the_window_is_left_out() {
    let ended = Event { start_date: at("2026-10-31T22:00:00Z"), end_date: at("2026-11-01T00:00:00Z"), ..piano() };
    let running = Event { end_date: at("2026-11-01T00:00:01Z"), ..ended.clone() };
    assert_eq!(events(&write_events(&[ended, running])).len(), 1);
    let rule = Event {
        start_date: at("2026-10-01T22:00:00Z"),
        end_date: at("2026-10-01T23:00:00Z"),
        ..recurring("FREQ=DAILY;COUNT=9")
    };
    assert!(events(&write_events(&[rule])).is_empty());
}

#[test]
fn open_tasks_are_transparent_on_their_day_or_at_their_time() {
    let zone = kyiv();
    let mut done = task("2026-12-02T10:00:00Z");
    done.completed = true;
    let tasks = [task("2026-12-01T22:00:00Z"), task("2026-12-02T10:00:00Z"), done, task("2026-10-31T00:00:00Z")];
    let written = write(&view(&zone), &[], &tasks);
    assert_eq!(values(&written, "DTSTART"), ["DTSTART;VALUE=DATE:20261202", "DTSTART:20261202T100000Z"]);
    assert_eq!(values(&written, "DTEND"), ["DTEND;VALUE=DATE:20261203"]);
    assert_eq!(values(&written, "TRANSP"), ["TRANSP:TRANSPARENT", "TRANSP:TRANSPARENT"]);
    assert_eq!(values(&written, "UID")[0], "UID:t-bins@c0ffee");
}

#[test]
fn all_day_events_without_people_take_no_time() {
    let birthday = Event {
        all_day: true,
        start_date: at("2026-12-01T22:00:00Z"),
        end_date: at("2026-12-02T22:00:00Z"),
        ..piano()
    };
    let trip = Event { participant_ids: vec!["u1".parse().unwrap()], ..birthday.clone() };
    let written = write_events(&[birthday, trip, piano()]);
    assert_eq!(values(&written, "TRANSP"), ["TRANSP:TRANSPARENT", "TRANSP:OPAQUE", "TRANSP:OPAQUE"]);
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let all = [recurring("FREQ=MONTHLY;BYDAY=-1FR"), piano(), recurring("no rule")];
    assert_eq!(write_events(&all), write_events(&all));
    // A recurrence that is not valid has the occurrence at the dates of the event.
    assert_eq!(values(&write_events(&all[2..]), "UID"), ["UID:e-piano@c0ffee"]);
}
