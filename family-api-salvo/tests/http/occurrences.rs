//! Reads of events with `expand=true` (HTTP reference, "Occurrences").

use family_api_testing::line;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::storages::{StorageKind, load, on_every_storage};
use crate::support::{App, TestResponse, fixture};

const YEAR: &str = "/api/v1/read/events?from=2027-01-01&to=2027-12-31&expand=true";

/// Creates an app with the fixture and three daily events.
async fn app_with_daily_events() -> App {
    let (storage, _) = fixture::seeded(StorageKind::Memory).await;
    let event = |number| {
        line!("event", &format!("daily-{number}"), {
            "familyId": "berg", "title": "Walk", "startDate": "2026-12-01T17:00:00.000Z",
            "endDate": "2026-12-01T18:00:00.000Z", "recurrence": "FREQ=DAILY",
        })
    };
    load(&*storage, (0..3).map(event)).await;
    App::with_storage(storage)
}

async fn get(app: &App, path: &str) -> TestResponse {
    app.send_with_token("ann-read", Method::GET, path).await
}

on_every_storage! {
    async fn an_event_is_returned_as_its_occurrence_on_both_paths(app: App) {
        let event = app.read("events").await[0].clone();
        for base in ["/api/v1/read", "/api/mcp/read"] {
            let path = format!("{base}/events?from=2026-11-24&to=2026-11-24&expand=true");
            let occurrences = get(&app, &path).await.assert_ok().json();
            assert_eq!(occurrences.as_array().unwrap().len(), 1);
            let mut expected = event.clone();
            expected["occurrenceOf"] = event["id"].clone();
            expected["recurrenceId"] = Value::Null;
            expected.as_object_mut().unwrap().retain(|field, _| !["overrides", "sequence"].contains(&field.as_str()));
            assert_eq!(occurrences[0], expected);
        }
        let empty = app.read("events?from=2026-11-25&to=2026-11-26&expand=true").await;
        assert_eq!(empty, json!([]));
    }

    async fn expand_false_returns_the_same_bytes_and_tag(app: App) {
        for query in ["?expand=false", "?from=2026-11-20&expand=false"] {
            let plain = query.replace("expand=false", "");
            let [with, without] =
                [get(&app, &format!("/api/v1/read/events{query}")).await, get(&app, &format!("/api/v1/read/events{plain}")).await];
            assert_eq!((with.assert_ok().header("etag"), &with.body), (without.header("etag"), &without.body));
        }
    }
}

#[tokio::test]
async fn a_header_says_that_occurrences_are_missing() {
    let app = app_with_daily_events().await;
    for _ in 0..2 {
        let response = get(&app, YEAR).await;
        assert_eq!(response.assert_ok().json().as_array().unwrap().len(), 1_000);
        assert_eq!(response.header("family-api-truncated"), Some("true"));
    }
    for path in ["/api/v1/read/events?from=2027-01-01&to=2027-06-30&expand=true", "/api/v1/read/events"] {
        assert_eq!(get(&app, path).await.assert_ok().header("family-api-truncated"), None, "{path}");
    }
}

#[tokio::test]
async fn members_in_other_zones_get_the_same_occurrences() {
    let (storage, _) = fixture::seeded(StorageKind::Memory).await;
    let event = |id: &str, dates: Value| {
        let mut event = line!("event", id, { "familyId": "berg", "title": "Walk", "timeZone": "Europe/Kyiv" });
        event.as_object_mut().unwrap().extend(dates.as_object().unwrap().clone());
        event
    };
    let member = |id: &str, zone: &str| {
        let user = line!("user", id, { "familyId": "berg", "displayCurrency": "NOK", "timeZone": zone });
        [user, fixture::key(&format!("{id}-read"), id, "v1.read", None, None)]
    };
    let weekly = json!({ "startDate": "2026-03-02T23:00:00Z", "endDate": "2026-03-03T00:00:00Z",
        "recurrence": "FREQ=WEEKLY;BYDAY=TU" });
    let birthday = json!({ "startDate": "2026-03-01T22:00:00Z", "endDate": "2026-03-02T22:00:00Z", "allDay": true });
    load(&*storage, [event("weekly", weekly), event("birthday", birthday)]).await;
    load(
        &*storage,
        [member("kim", "Europe/Kyiv"), member("nia", "America/New_York"), member("lee", "Australia/Lord_Howe")]
            .concat(),
    )
    .await;
    let app = App::with_storage(storage);
    let path = |days: &str| format!("/api/v1/read/events?{days}&expand=true");
    let read =
        async |key: &str, days: &str| app.send_with_token(key, Method::GET, &path(days)).await.assert_ok().json();
    let seen = read("kim-read", "from=2026-03-01&to=2026-04-08").await;
    let starts: Vec<_> = seen.as_array().unwrap().iter().map(|item| item["startDate"].as_str().unwrap()).collect();
    let expected = ["03-01T22", "03-02T23", "03-09T23", "03-16T23", "03-23T23", "03-30T22", "04-06T22"];
    assert_eq!(starts, expected.map(|hour| format!("2026-{hour}:00:00.000Z")));
    assert_eq!(
        (&seen[1]["recurrenceId"], &seen[1]["timeZone"]),
        (&json!("2026-03-03T01:00:00"), &json!("Europe/Kyiv"))
    );
    for reader in ["nia-read", "lee-read"] {
        assert_eq!(read(reader, "from=2026-03-01&to=2026-04-08").await, seen, "{reader}");
        let of_the_day = read(reader, "from=2026-03-02&to=2026-03-02").await;
        assert_eq!(of_the_day[0]["id"], "birthday", "{reader} {of_the_day}");
    }
}
