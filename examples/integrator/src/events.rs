//! Today's events.

use std::cmp::Reverse;

use family_api_client::calendar::ZoneName;
use family_api_client::resource::Occurrence;

use crate::day::Day;
use crate::text::{non_empty, person_suffix, with_emoji};

/// Returns the time and the description of each event of the day. All-day events come first, then the other events,
/// sorted by start.
pub(crate) fn today(events: &[Occurrence], day: &Day) -> Vec<(String, String)> {
    let mut today: Vec<&Occurrence> = events.iter().filter(|event| is_today(event, day)).collect();
    today.sort_by_key(|event| (Reverse(lasts_all_day(event, day)), event.start_date));
    today.into_iter().map(|event| (time(event, day), description(event))).collect()
}

fn is_today(event: &Occurrence, day: &Day) -> bool {
    // An all-day event is on the same days for every reader: those of its own time zone.
    if let Some(zone) = event.time_zone.as_ref().and_then(ZoneName::zone).filter(|_| event.all_day) {
        let first = zone.local(event.start_date).date();
        return (first..=zone.last_day(event.start_date, event.end_date)).contains(&day.date);
    }
    let begins = event.start_date;
    let ends = event.end_date;
    // An event that ends at midnight is not on the next day. An event without duration is on the day of its start.
    day.instants.contains(&begins) || (begins < day.instants.start && ends > day.instants.start)
}

fn lasts_all_day(event: &Occurrence, day: &Day) -> bool {
    event.all_day || (event.start_date <= day.instants.start && event.end_date >= day.instants.end)
}

fn time(event: &Occurrence, day: &Day) -> String {
    if lasts_all_day(event, day) {
        return "all day".to_owned();
    }
    let begins = day.time(event.start_date);
    let ends = day.time(event.end_date);
    if event.start_date < day.instants.start {
        format!("until {ends}")
    } else if event.end_date >= day.instants.end {
        format!("from {begins}")
    } else if event.start_date == event.end_date {
        begins
    } else {
        format!("{begins}–{ends}")
    }
}

fn description(event: &Occurrence) -> String {
    let place = non_empty(event.location.as_deref()).map(|place| format!(", {place}")).unwrap_or_default();
    format!("{}{place}{}", with_emoji(event.emoji.as_deref(), &event.title), person_suffix(event.assignee.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use family_api_client::resource::Person;
    use serde_json::json;

    fn event(title: &str, from: &str, to: &str) -> Occurrence {
        let occurrence = json!({
            "id": "e", "occurrenceOf": "e", "title": title, "startDate": from, "endDate": to, "allDay": false,
            "description": null, "emoji": null, "color": null, "location": null, "recurrence": null,
            "assigneeId": null, "assignee": null, "createdAt": from, "updatedAt": from,
        });
        serde_json::from_value(occurrence).unwrap()
    }

    fn lines(events: &[Occurrence]) -> Vec<String> {
        // 00:00 to 24:00 in Kyiv (UTC+2).
        let day = Day::of("2026-11-21T06:00:00Z".parse().unwrap(), "Europe/Kyiv".parse().unwrap());
        today(events, &day).into_iter().map(|(time, description)| format!("{time} {description}")).collect()
    }

    #[test]
    fn only_events_of_today_are_shown_and_sorted_by_time() {
        let events = [
            event("tomorrow", "2026-11-21T22:00:00Z", "2026-11-21T23:00:00Z"),
            event("late", "2026-11-21T21:00:00Z", "2026-11-21T22:00:00Z"),
            event("early", "2026-11-20T22:00:00Z", "2026-11-20T22:30:00Z"),
            event("bell", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
            event("yesterday", "2026-11-20T20:00:00Z", "2026-11-20T22:00:00Z"),
        ];
        assert_eq!(lines(&events), ["00:00–00:30 early", "12:00 bell", "from 23:00 late"]);
    }

    #[test]
    fn all_day_events_come_first() {
        let mut birthday = event("birthday", "2026-11-20T22:00:00Z", "2026-11-21T22:00:00Z");
        birthday.all_day = true;
        let events = [
            event("breakfast", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z"),
            birthday,
            event("night train", "2026-11-20T18:00:00Z", "2026-11-21T05:00:00Z"),
            event("trip", "2026-11-19T10:00:00Z", "2026-11-25T10:00:00Z"),
        ];
        assert_eq!(
            lines(&events),
            ["all day trip", "all day birthday", "until 07:00 night train", "08:00–09:00 breakfast"]
        );
    }

    #[test]
    fn an_all_day_event_is_on_the_days_of_its_own_zone() {
        let all_day = |title: &str, zone: &str, from: &str, to: &str| {
            let zone = Some(zone.parse().unwrap());
            Occurrence { all_day: true, time_zone: zone, ..event(title, from, to) }
        };
        let events = [
            all_day("today in New York", "America/New_York", "2026-11-21T05:00:00Z", "2026-11-22T05:00:00Z"),
            all_day("yesterday in New York", "America/New_York", "2026-11-20T05:00:00Z", "2026-11-21T05:00:00Z"),
            all_day("tomorrow in Lord Howe", "Australia/Lord_Howe", "2026-11-21T13:00:00Z", "2026-11-22T13:00:00Z"),
        ];
        assert_eq!(lines(&events), ["all day today in New York"]);
    }

    #[test]
    fn event_shows_its_location_and_assignee() {
        let mut piano = event("Piano\n", "2026-11-21T14:30:00Z", "2026-11-21T15:15:00Z");
        let sofia = Person {
            id: "s".parse().unwrap(),
            name: "Sofia".to_owned(),
            image: None,
            color: None,
            emoji: Some("🦊".to_owned()),
        };
        (piano.emoji, piano.location) = (Some("🎹".to_owned()), Some("Room 4".to_owned()));
        piano.assignee = Some(sofia);
        assert_eq!(lines(&[piano.clone()]), ["16:30–17:15 🎹 Piano, Room 4 (Sofia)"]);
        piano.location = Some(String::new());
        assert_eq!(lines(&[piano]), ["16:30–17:15 🎹 Piano (Sofia)"]);
    }
}
