//! What happens today.

use std::cmp::Reverse;

use family_api_client::resource::Event;

use crate::day::Day;
use crate::text::{present, titled, who};

/// Today's events, each as its time and what it is: those that last all day first, then by their time.
pub(crate) fn today(events: &[Event], day: &Day) -> Vec<(String, String)> {
    let mut today: Vec<&Event> = events.iter().filter(|event| is_today(event, day)).collect();
    today.sort_by_key(|event| (Reverse(lasts_all_day(event, day)), event.start_date));
    today.into_iter().map(|event| (time(event, day), what(event))).collect()
}

fn is_today(event: &Event, day: &Day) -> bool {
    let (begins, ends) = (event.start_date, event.end_date);
    // An event that ends with a day is none of the next; one without length is there while it begins.
    day.instants.contains(&begins) || (begins < day.instants.start && ends > day.instants.start)
}

fn lasts_all_day(event: &Event, day: &Day) -> bool {
    event.all_day || (event.start_date <= day.instants.start && event.end_date >= day.instants.end)
}

fn time(event: &Event, day: &Day) -> String {
    if lasts_all_day(event, day) {
        return "all day".to_owned();
    }
    let (begins, ends) = (day.time(event.start_date), day.time(event.end_date));
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

fn what(event: &Event) -> String {
    let place = present(event.location.as_deref()).map(|place| format!(", {place}")).unwrap_or_default();
    format!("{}{place}{}", titled(event.emoji.as_deref(), &event.title), who(event.assignee.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use family_api_client::resource::Person;

    fn event(title: &str, from: &str, to: &str) -> Event {
        Event {
            id: "e".parse().unwrap(),
            title: title.to_owned(),
            description: None,
            emoji: None,
            color: None,
            start_date: from.parse().unwrap(),
            end_date: to.parse().unwrap(),
            all_day: false,
            location: None,
            recurrence: None,
            assignee_id: None,
            assignee: None,
            created_at: from.parse().unwrap(),
            updated_at: from.parse().unwrap(),
        }
    }

    fn shown(events: &[Event]) -> Vec<String> {
        // 00:00 to 24:00 in Kyiv, two hours ahead.
        let day = Day::of("2026-11-21T06:00:00Z".parse().unwrap(), "Europe/Kyiv".parse().unwrap());
        today(events, &day).into_iter().map(|(time, what)| format!("{time} {what}")).collect()
    }

    #[test]
    fn events_of_other_days_are_left_out_and_those_of_today_are_in_order() {
        let events = [
            event("tomorrow", "2026-11-21T22:00:00Z", "2026-11-21T23:00:00Z"),
            event("late", "2026-11-21T21:00:00Z", "2026-11-21T22:00:00Z"),
            event("early", "2026-11-20T22:00:00Z", "2026-11-20T22:30:00Z"),
            event("bell", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
            event("yesterday", "2026-11-20T20:00:00Z", "2026-11-20T22:00:00Z"),
        ];
        assert_eq!(shown(&events), ["00:00–00:30 early", "12:00 bell", "from 23:00 late"]);
    }

    #[test]
    fn what_lasts_all_day_comes_first_whenever_it_began() {
        let mut birthday = event("birthday", "2026-11-20T22:00:00Z", "2026-11-21T22:00:00Z");
        birthday.all_day = true;
        let events = [
            event("breakfast", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z"),
            birthday,
            event("night train", "2026-11-20T18:00:00Z", "2026-11-21T05:00:00Z"),
            event("trip", "2026-11-19T10:00:00Z", "2026-11-25T10:00:00Z"),
        ];
        assert_eq!(
            shown(&events),
            ["all day trip", "all day birthday", "until 07:00 night train", "08:00–09:00 breakfast"]
        );
    }

    #[test]
    fn an_event_says_where_and_who() {
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
        assert_eq!(shown(&[piano.clone()]), ["16:30–17:15 🎹 Piano, Room 4 (Sofia)"]);
        piano.location = Some(String::new());
        assert_eq!(shown(&[piano]), ["16:30–17:15 🎹 Piano (Sofia)"]);
    }
}
