//! The participants of events: given by name or id, and shown by name.

use family_api_testing::line;
use serde_json::{Value, json};

use crate::client::{change_one, fail, mcp, succeed};
use crate::storages::{StorageKind, load, on_every_storage};
use crate::support::{App, fixture};
use crate::writes::{FULL, id_of, results};

/// Returns an app whose family has another member, Zoë, and an event with Zoë and a user who left.
async fn app(kind: StorageKind) -> (App, Box<dyn std::any::Any + Send>) {
    let (storage, location) = fixture::seeded(kind).await;
    let zoe = line!("user", "kid-7", { "familyId": "berg", "name": "Zoë" });
    let concert = line!("event", "concert", {
        "familyId": "berg", "title": "Concert", "startDate": "2026-11-25T18:00:00Z", "endDate": "2026-11-25T20:00:00Z",
        "participantIds": ["kid-7", "gone"],
    });
    load(&*storage, [zoe, concert]).await;
    (mcp(&App::with_storage(storage)), Box::new(location))
}

on_every_storage! {
    async fn participants_are_given_by_name_and_shown_by_name(kind: StorageKind) {
        let (app, _location) = app(kind).await;
        let at = |title: &str, participants| json!({
            "title": title, "start": "2026-12-01T18:00", "end": "2026-12-01T19:00", "participants": participants,
        });
        let events = json!([at("Film", json!(["zoe", "me"])), at("Walk", json!(["kid-7", "Zoë"])), at("Nap", json!([]))]);
        let (found, text) = succeed(&app, FULL, "add_events", json!({ "events": events })).await;
        assert_eq!(results(&found), ["added", "added", "added"], "{text}");
        let stored = app.read("events").await;
        let ids = |title: &str| {
            let event = stored.as_array().unwrap().iter().find(|event| event["title"] == title).unwrap();
            event["participantIds"].clone()
        };
        assert_eq!((ids("Film"), ids("Walk"), ids("Nap")), (json!(["kid-7", "ann"]), json!(["kid-7"]), json!([])));
        let day = json!({ "from": "2026-12-01", "to": "2026-12-01" });
        let (listed, text) = succeed(&app, FULL, "list_events", day.clone()).await;
        let film = listed["events"].as_array().unwrap().iter().find(|event| event["title"] == "Film").unwrap();
        assert_eq!(film["participants"], json!(["Zoë", "ann"]));
        assert!(text.contains(&format!("Film [{}] with Zoë, ann\n", id_of(&found, 0))), "{text}");

        let change = json!({ "ids": [id_of(&found, 1)], "participants": ["me"], "assignee": "ZOE" });
        let (changed, text) = change_one(&app, FULL, "update_events", change).await;
        assert_eq!((&changed["participants"], &changed["assignee"]), (&json!(["ann"]), &json!("Zoë")));
        assert!(text.contains(", for Zoë, with ann\nBefore: assignee none; participants Zoë.\n"), "{text}");
        assert_eq!(changed["before"], json!({ "assignee": null, "participants": ["Zoë"] }));
        let change = json!({ "ids": [id_of(&found, 0)], "participants": [] });
        let (changed, _) = change_one(&app, FULL, "update_events", change).await;
        assert_eq!((&changed["changed"], changed.get("participants")), (&json!(true), None));
    }

    async fn participants_of_one_occurrence_are_its_own(kind: StorageKind) {
        let (app, _location) = app(kind).await;
        let change = json!({ "ids": ["event-berg"], "recurrence": "FREQ=DAILY", "participants": ["Zoë"] });
        change_one(&app, FULL, "update_events", change).await;
        let id = "event-berg@20261125T090000Z";
        let (changed, _) = change_one(&app, FULL, "update_events", json!({ "ids": [id], "participants": ["Zoë", "bob"] })).await;
        assert_eq!((&changed["id"], &changed["participants"]), (&json!(id), &json!(["Zoë", "bob"])));
        let days = json!({ "from": "2026-11-24", "to": "2026-11-25", "text": "dentist" });
        let (listed, _) = succeed(&app, FULL, "list_events", days).await;
        let shown = |index: usize| listed["events"][index]["participants"].clone();
        assert_eq!((shown(0), shown(1)), (json!(["Zoë"]), json!(["Zoë", "bob"])));
        let (overview, text) = succeed(&app, FULL, "get_overview", json!({})).await;
        assert_eq!(overview["events"]["items"][1]["participants"], json!(["Zoë", "bob"]));
        assert!(text.contains(" with Zoë, bob, occurrence of"), "{text}");
    }

    async fn unknown_participants_are_answered_with_candidates(kind: StorageKind) {
        let (app, _location) = app(kind).await;
        let before = app.read("events").await;
        for (participants, parts) in [
            (json!(["Bob", "Taras"]), &["participants: no such name or id; there are", "[bob]"][..]),
            (json!(["eve"]), &["participants: no such name or id; there are", "[ann]"]),
            (json!([""]), &["participants: no such name or id"]),
            (json!("Bob"), &["participants: expected an array"]),
            (json!([7]), &["participants/0: expected an identifier"]),
            (json!(vec!["bob"; 31]), &["participants: must have at most 30"]),
        ] {
            let update = json!({ "ids": ["event-berg"], "participants": participants });
            let event = json!({
                "title": "x", "start": "2026-12-01T18:00", "end": "2026-12-01T19:00",
                "participants": participants,
            });
            for (tool, arguments) in [("update_events", update), ("add_events", json!({ "events": [event] }))] {
                let message = fail(&app, FULL, tool, arguments).await;
                for part in parts {
                    assert!(message.contains(part) || message.contains(&part.replace("participants", "events/0/participants")), "{tool} {message}");
                }
            }
        }
        let field = json!({ "ids": ["event-berg"], "participantIds": ["bob"] });
        assert!(fail(&app, FULL, "update_events", field).await.contains("\"participantIds\" is not a field"));
        let event = json!({ "title": "x", "start": "2026-12-01", "end": "2026-12-02", "participantIds": ["bob"] });
        let message = fail(&app, FULL, "add_events", json!({ "events": [event] })).await;
        assert!(message.contains("events/0/participantIds: is not a field, use participants"), "{message}");
        assert_eq!(app.read("events").await, before);
    }

    async fn events_are_listed_by_the_person_whom_they_concern(kind: StorageKind) {
        let (app, _location) = app(kind).await;
        let event = |title: &str, people: Value, assignee: Value| json!({
            "title": title, "start": "2026-12-01T18:00", "participants": people, "assignee": assignee,
        });
        let events = json!([
            event("Choir", json!(["bob"]), json!(null)),
            event("Judo", json!(["bob"]), json!("Zoë")),
            event("Party", json!([]), json!(null)),
        ]);
        succeed(&app, FULL, "add_events", json!({ "events": events })).await;
        let day = |person: &str| json!({ "person": person, "from": "2026-12-01", "to": "2026-12-01" });
        for (person, titles) in [
            ("zoe", &["Judo", "Party"][..]),
            ("kid-7", &["Judo", "Party"]),
            (" BOB", &["Choir", "Judo", "Party"]),
            ("me", &["Party"]),
        ] {
            let (found, text) = succeed(&app, FULL, "list_events", day(person)).await;
            let mut listed: Vec<&str> =
                found["events"].as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap()).collect();
            listed.sort_unstable();
            assert_eq!((&listed[..], &found["total"]), (titles, &json!(titles.len())), "{person}");
            assert!(titles.iter().all(|title| text.contains(title)), "{text}");
        }
        for (person, part) in [
            ("Taras", "person: no such name or id; there are"),
            ("eve", "person: no such name or id; there are"),
            ("", "person: no such name or id"),
        ] {
            let message = fail(&app, FULL, "list_events", day(person)).await;
            assert!(message.starts_with("Nothing was done") && message.contains(part), "{message}");
        }
        let first = json!({ "person": "bob", "from": "2026-12-01", "to": "2026-12-01", "limit": 2 });
        let (found, _) = succeed(&app, FULL, "list_events", first).await;
        let other = json!({ "person": "zoe", "from": "2026-12-01", "to": "2026-12-01", "cursor": found["nextCursor"] });
        assert!(fail(&app, FULL, "list_events", other).await.contains("cursor"));
    }

    async fn a_participant_who_left_is_shown_by_the_id_and_can_stay(kind: StorageKind) {
        let (app, _location) = app(kind).await;
        let (listed, text) = succeed(&app, FULL, "list_events", json!({ "text": "concert" })).await;
        assert_eq!(listed["events"][0]["participants"], json!(["Zoë", "gone"]));
        assert!(text.contains("[concert] with Zoë, gone\n"), "{text}");
        let change = json!({ "ids": ["concert"], "participants": ["gone", "bob"] });
        let (changed, _) = change_one(&app, FULL, "update_events", change).await;
        assert_eq!(changed["participants"], json!(["gone", "bob"]));
    }
}
