//! What added and changed events overlap with, and when people are free.

use family_api_testing::line;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::client::{READ_PATH, V1, call_raw, change_one, fail, mcp, result, succeed, text};
use crate::fault_injection::{Fault, FaultInjection};
use crate::storages::{OnStorage, StorageKind, load, on_every_storage};
use crate::support::{App, fixture};
use crate::writes::{FULL, id_of, results};

fn event(title: &str, start: &str, end: &str, people: &[&str]) -> Value {
    json!({ "title": title, "start": start, "end": end, "participants": people })
}

fn titles(report: &Value) -> Vec<&str> {
    report["events"].as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap()).collect()
}

on_every_storage! {
    async fn added_events_name_what_they_overlap_with(app: App) {
        // The dentist of Ann is on 24 November from 10:00 to 11:00.
        let app = mcp(&app);
        let events = json!([
            event("Shop", "2026-11-24T10:30", "2026-11-24T12:00", &["ann"]),
            event("Run", "2026-11-24T10:40", "2026-11-24T12:00", &["bob"]),
            event("Lunch", "2026-11-24T11:30", "2026-11-24T12:30", &[]),
            { "title": "Name day", "start": "2026-11-24", "end": "2026-11-24", "allDay": true },
            { "title": "Later", "start": "2026-11-25T10:00", "end": "2026-11-25T11:00" },
        ]);
        let (found, text) = succeed(&app, FULL, "add_events", json!({ "events": events, "idempotencyKey": "1" })).await;
        assert_eq!(results(&found), ["added"; 5]);
        let report = |index: usize| &found["outcomes"][index]["clashes"];
        // The events of the same call are compared too.
        assert_eq!(titles(report(0)), ["Dentist", "Lunch"]);
        assert_eq!(titles(report(1)), ["Lunch"]);
        assert_eq!(titles(report(2)), ["Shop", "Run"]);
        assert_eq!(report(4), &json!({ "checked": true, "events": [] }));
        // An all-day event without people takes no time, but it and the events of its day are named.
        assert_eq!(report(3)["events"], json!([]));
        let same_days = |report: &Value| -> Vec<String> {
            let events = report["sameDays"].as_array().unwrap().iter();
            events.map(|event| event["title"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(same_days(report(3)), ["Dentist", "Shop", "Run", "Lunch"]);
        assert_eq!(same_days(report(0)), ["Name day"]);
        assert_eq!(report(0)["events"][0], json!({
            "id": "event-berg", "title": "Dentist", "start": "2026-11-24T10:00+01:00", "end": "2026-11-24T11:00+01:00",
            "allDay": false, "weekday": "Tue", "count": 1,
        }));
        let shop = "added Shop, Tue 2026-11-24T10:30+01:00 to 2026-11-24T12:00+01:00; overlaps with Dentist [event-berg] Tue \
                    2026-11-24T10:00+01:00 to 2026-11-24T11:00+01:00, Lunch [";
        assert!(text.contains(shop), "{text}");
        let name_day = "added Name day, Tue 2026-11-24 all day; no clashes; on the same days: Dentist [event-berg] Tue";
        assert!(text.contains(name_day), "{text}");
        assert!(text.contains("; on the same days: Name day ["), "{text}");
        let (again, _) = succeed(&app, FULL, "add_events", json!({ "events": events, "idempotencyKey": "1" })).await;
        assert_eq!(again["outcomes"][0]["clashes"], *report(0));
    }

    async fn many_events_name_few_clashes_with_short_titles(app: App) {
        let app = mcp(&app);
        let long = "Long ".repeat(60);
        let events: Vec<Value> =
            (0..6).map(|_| event(&long, "2026-12-01T10:00", "2026-12-01T11:00", &[])).collect();
        let (found, _) = succeed(&app, FULL, "add_events", json!({ "events": events })).await;
        for outcome in found["outcomes"].as_array().unwrap() {
            let clashes = &outcome["clashes"];
            assert_eq!((clashes["events"].as_array().unwrap().len(), &clashes["more"]), (2, &json!(3)));
            assert_eq!(titles(clashes)[0].chars().count(), 61);
        }
        let far = |year: &str| event("Far", &format!("{year}-12-01T10:00"), &format!("{year}-12-01T11:00"), &[]);
        let events: Vec<Value> = ["1900", "9000", "2026", "3000"].map(far).into_iter().collect();
        let (found, text) = succeed(&app, FULL, "add_events", json!({ "events": events })).await;
        let checked: Vec<_> =
            found["outcomes"].as_array().unwrap().iter().map(|outcome| &outcome["clashes"]["checked"]).collect();
        assert_eq!(checked, [true, true, true, false]);
        assert!(text.contains("clashes were not checked"), "{text}");
    }

    async fn a_moved_event_names_what_it_overlaps_with(app: App) {
        let app = mcp(&app);
        let piano = json!({
            "title": "Piano", "start": "2026-11-26T17:00", "end": "2026-11-26T18:00", "recurrence": "FREQ=WEEKLY",
            "assignee": "ann",
        });
        succeed(&app, FULL, "add_events", json!({ "events": [piano] })).await;
        let to_thursday = json!({ "ids": ["event-berg"], "start": "2026-12-03T17:30" });
        let (moved, text) = change_one(&app, FULL, "update_events", to_thursday).await;
        assert_eq!(titles(&moved["clashes"]), ["Piano"]);
        assert_eq!(moved["clashes"]["events"][0]["start"], "2026-12-03T17:00+01:00");
        assert!(text.contains("\nOverlaps with Piano [") && text.ends_with("2026-12-03T18:00+01:00.\n"), "{text}");
        // The series meets the dentist once, and only this occurrence of it.
        let id = moved["clashes"]["events"][0]["id"].as_str().unwrap().to_owned();
        let (series, _) = id.split_once('@').unwrap();
        let (changed, _) = change_one(&app, FULL, "update_events", json!({ "ids": [series], "assignee": "me" })).await;
        assert_eq!(titles(&changed["clashes"]), ["Dentist"]);
        let (changed, text) = change_one(&app, FULL, "update_events", json!({ "ids": [id], "start": "2026-12-03T19:00" })).await;
        assert_eq!(changed["clashes"], json!({ "checked": true, "events": [] }));
        assert!(text.ends_with("\nNo clashes.\n"), "{text}");
        let (changed, text) = change_one(&app, FULL, "update_events", json!({ "ids": ["event-berg"], "title": "Doctor" })).await;
        assert!(changed.get("clashes").is_none() && !text.contains("lash"), "{text}");
    }

    async fn people_are_free_between_their_events(app: App) {
        let app = mcp(&app);
        let events = json!([
            event("Match", "2026-11-28T10:00", "2026-11-28T12:00", &["bob"]),
            event("Dinner", "2026-11-28T19:00", "2026-11-28T21:00", &[]),
            event("Chess", "2026-11-28T15:00", "2026-11-28T16:00", &["ann"]),
        ]);
        let added = succeed(&app, FULL, "add_events", json!({ "events": events })).await.0;
        let saturday = json!({ "from": "2026-11-28" });
        let (found, text) = succeed(&app, FULL, "find_free_time", saturday.clone()).await;
        let free = |found: &Value| -> Vec<String> {
            let spans = found["free"]["items"].as_array().unwrap().iter();
            spans.map(|span| format!("{}-{}", &span["start"].as_str().unwrap()[11..16], &span["end"].as_str().unwrap()[11..16])).collect()
        };
        assert_eq!(free(&found), ["08:00-10:00", "12:00-15:00", "16:00-19:00", "21:00-22:00"]);
        assert_eq!(found["free"]["items"][0]["minutes"], 120);
        assert_eq!((&found["from"], &found["to"], &found["cut"]), (&json!("2026-11-28"), &json!("2026-11-28"), &json!(false)));
        assert!(text.contains("- Sat 2026-11-28T08:00+01:00 to 2026-11-28T10:00+01:00: 120 minutes\n"), "{text}");
        assert_eq!((&found["free"]["items"][0]["weekday"], &found["minMinutes"]), (&json!("Sat"), &json!(30)));
        assert_eq!(found["sameDays"]["total"], 0);
        let busy = format!("to 2026-11-28T12:00+01:00: Match [{}] for bob\n", id_of(&added, 0));
        assert!(text.contains(&busy) && text.contains("for everyone\n"), "{text}");
        let mine = json!({ "from": "2026-11-28", "people": ["me", "ANN"], "dayStart": "09:00", "dayEnd": "24:00", "minMinutes": 181 });
        let (found, text) = succeed(&app, FULL, "find_free_time", mine.clone()).await;
        assert_eq!((free(&found), &found["people"]), (vec!["09:00-15:00".to_owned()], &json!(["ann"])));
        assert_eq!(found["busy"]["total"], 2);
        assert!(text.starts_with("Free time of ann from 2026-11-28 to 2026-11-28, at least 181 minutes: 1. "), "{text}");
        // The read path has the tool too.
        let arguments = json!({ "name": "find_free_time", "arguments": mine });
        assert_eq!(result(&app, "ann-rw", READ_PATH, "tools/call", arguments).await["structuredContent"], found);
        let trip = json!({ "title": "Trip", "start": "2026-11-27", "end": "2026-11-29" });
        succeed(&app, FULL, "add_events", json!({ "events": [trip] })).await;
        let (with_trip, text) = succeed(&app, FULL, "find_free_time", saturday).await;
        assert_eq!(free(&with_trip).len(), 4);
        let marked = &with_trip["sameDays"]["items"][0];
        assert_eq!((&marked["title"], &marked["start"], &marked["endWeekday"]), (&json!("Trip"), &json!("2026-11-27"), &json!("Sun")));
        assert!(text.contains("which take no time: 1\n- Fri 2026-11-27 to Sun 2026-11-29 all day: Trip ["), "{text}");
        let today = succeed(&app, FULL, "find_free_time", json!({})).await.0;
        assert_eq!(free(&today), ["11:16-22:00"]);

        for (arguments, part) in [
            (json!({ "people": ["Taras"] }), "people: no such name or id; there are"),
            (json!({ "people": ["eve"] }), "people: no such name or id; there are"),
            (json!({ "people": [] }), "people: expected a list of 1 to 30 names or ids"),
            (json!({ "from": "2026-12-01", "to": "2026-12-15" }), "to: expected a day at most 13 days after"),
            (json!({ "from": "2026-12-02", "to": "2026-12-01" }), "from: expected a day that is not after"),
            (json!({ "dayStart": "22:00" }), "dayEnd: expected a time after dayStart"),
            (json!({ "dayStart": "24:00", "dayEnd": "24:00" }), "dayEnd: expected a time after dayStart"),
            (json!({ "dayEnd": "8 pm" }), "dayEnd: expected a time such as 08:00"),
            (json!({ "minMinutes": 0 }), "minMinutes: expected an integer from 1 to 1440"),
        ] {
            let message = fail(&app, FULL, "find_free_time", arguments).await;
            assert!(message.contains(part), "{message}");
        }
    }

    async fn events_of_another_family_are_no_clash_and_take_no_time(app: App) {
        // The event of the other family is at the same time as the dentist.
        let app = mcp(&app);
        let lunch = event("Lunch", "2026-11-24T10:00", "2026-11-24T11:00", &["bob"]);
        let (found, _) = succeed(&app, FULL, "add_events", json!({ "events": [lunch] })).await;
        assert_eq!(found["outcomes"][0]["clashes"], json!({ "checked": true, "events": [] }));
        let bob = json!({ "from": "2026-11-24", "people": ["bob"] });
        let (found, _) = succeed(&app, FULL, "find_free_time", bob).await;
        assert_eq!((&found["busy"]["total"], &found["busy"]["items"][0]["title"]), (&json!(1), &json!("Lunch")));
    }
}

#[tokio::test]
async fn a_failed_check_does_not_hide_that_the_event_was_written() {
    for (tool, arguments) in [
        ("add_events", json!({ "events": [event("Shop", "2026-11-24T10:30", "2026-11-24T12:00", &["ann"])] })),
        ("update_events", json!({ "ids": ["event-berg"], "start": "2026-11-24T10:30" })),
    ] {
        for fault in [Fault::Unavailable, Fault::Backend, Fault::Panic] {
            let (storage, _location) = fixture::seeded(StorageKind::Memory).await;
            let storage = std::sync::Arc::new(FaultInjection::new(storage));
            let app = mcp(&App::without_document_cache(storage.clone()));
            let before = app.read("events").await;
            // The lookup of the key and the write come before.
            storage.set_fault(Some((3, fault)));
            let response = call_raw(&app, FULL, V1, tool, arguments.clone()).await;
            storage.set_fault(None);
            let answer = &response.assert_ok().json()["result"];
            assert_eq!(answer["isError"], false, "{answer}");
            let report = &answer["structuredContent"]["outcomes"][0]["clashes"];
            assert_eq!(report, &json!({ "checked": false, "events": [] }));
            assert!(text(answer).to_lowercase().contains("clashes were not checked"), "{answer}");
            assert_ne!(app.read("events").await, before);
        }
    }
}

#[tokio::test]
async fn free_time_of_many_people_names_as_many_events_as_fit() {
    let (storage, _location) = fixture::seeded(StorageKind::Memory).await;
    let people: Vec<String> = (0..30).map(|number| format!("person-{number}")).collect();
    let user = |id: &String| line!("user", id, { "familyId": "berg", "name": "😀".repeat(200) });
    let party = |number: usize| {
        line!("event", &format!("party-{number:02}"), {
            "familyId": "berg", "title": "🎉".repeat(500), "startDate": "2026-11-28T10:00:00Z",
            "endDate": "2026-11-28T11:00:00Z", "participantIds": people,
        })
    };
    load(&*storage, people.iter().map(user).chain((0..40).map(party))).await;
    let app = mcp(&App::with_storage(storage));
    let arguments = json!({ "from": "2026-11-28", "people": people });
    let response = call_raw(&app, FULL, V1, "find_free_time", arguments.clone()).await;
    assert!(response.body.len() <= 80 * 1024, "{} bytes", response.body.len());
    let (found, text) = succeed(&app, FULL, "find_free_time", arguments).await;
    let busy = &found["busy"];
    let shown = busy["items"].as_array().unwrap().len();
    assert_eq!((&busy["total"], (1..30).contains(&shown)), (&json!(40), true), "{shown}");
    assert!(text.contains(&format!("Busy: 40 (first {shown})\n")), "{text}");
    assert_eq!(text.matches("[party-").count(), shown);
    // The free time is complete.
    assert_eq!(found["free"]["total"], 2);
}

/// The check waits for 5 seconds of the paused clock.
#[tokio::test(start_paused = true)]
async fn a_slow_check_does_not_hold_back_that_the_event_was_written() {
    let (storage, _location) = fixture::seeded(StorageKind::Memory).await;
    let storage = std::sync::Arc::new(FaultInjection::new(storage));
    let app = mcp(&App::without_document_cache(storage.clone()));
    storage.set_fault(Some((3, Fault::Hang)));
    let events = json!([event("Shop", "2026-11-24T10:30", "2026-11-24T12:00", &["ann"])]);
    let response = call_raw(&app, FULL, V1, "add_events", json!({ "events": events })).await;
    let outcome = &response.assert_ok().json()["result"]["structuredContent"]["outcomes"][0];
    assert_eq!((&outcome["result"], &outcome["clashes"]["checked"]), (&json!("added"), &json!(false)));
}

/// A cached document of events does not have the event that was just written.
#[tokio::test]
async fn a_check_does_not_use_the_documents_of_the_cache() {
    let app = mcp(&App::on(StorageKind::Memory).await);
    let list = json!({ "from": "2026-11-23", "to": "2026-11-25" });
    succeed(&app, FULL, "list_events", list).await;
    let events = json!([
        event("One", "2026-11-24T12:00", "2026-11-24T13:00", &["bob"]),
        event("Two", "2026-11-24T12:30", "2026-11-24T13:30", &["bob"]),
    ]);
    let (found, _) = succeed(&app, FULL, "add_events", json!({ "events": events })).await;
    assert_eq!(titles(&found["outcomes"][0]["clashes"]), ["Two"]);
    let deleted = app.send_with_token(FULL, Method::DELETE, &format!("/api/v1/events/{}", id_of(&found, 0))).await;
    deleted.assert_ok();
    let change = json!({ "ids": [id_of(&found, 1)], "start": "2026-11-24T12:00" });
    assert_eq!(change_one(&app, FULL, "update_events", change).await.0["clashes"]["events"], json!([]));
}
