//! Successful requests to every route.

use family_api_testing::line;
use salvo::http::Method;
use serde_json::json;

use crate::storages::{StorageKind, load, on_every_storage};
use crate::support::{App, NOW, anonymous, fixture};

const KEYS: &str = "/api/users/me/mcp-tokens";

on_every_storage! {
    async fn profile_is_the_same_with_token_and_session(app: App) {
        let with_token = app.send_with_token("ann-read", Method::GET, "/api/v1/me").await;
        let in_session = app.send_in_session("ann", Method::GET, "/api/users/me").await;
        assert_eq!(with_token.assert_ok().text(), in_session.assert_ok().text());
        assert_eq!(
            with_token.json(),
            json!({
                "id": "ann", "name": "ann", "email": "ann@example.org", "image": null, "color": null, "emoji": null,
                "familyId": "berg", "displayCurrency": "NOK", "timeZone": "Europe/Oslo", "personalApiEnabled": true,
                "llmModel": null, "llmKeyConfigured": false,
            })
        );
    }

    async fn days_of_events_and_statistics_are_those_of_the_users_zone(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        // The first and the last instant of 20 November in Oslo, and their neighbours.
        let lines = [
            ("before", "2026-11-19T22:59:59.999Z"),
            ("first", "2026-11-19T23:00:00.000Z"),
            ("last", "2026-11-20T22:59:59.999Z"),
            ("after", "2026-11-20T23:00:00.000Z"),
        ];
        let records = lines.into_iter().flat_map(|(id, at)| {
            let event = line!("event", id, { "familyId": "berg", "title": "E", "startDate": at, "endDate": at });
            let task = line!("task", id, {
                "familyId": "berg", "columnId": "column-berg", "title": "T", "completedAt": at, "creatorId": "ann",
            });
            [event, task]
        });
        load(&*storage, records).await;
        let app = App::with_storage(storage);
        let events = app.read("events?from=2026-11-20&to=2026-11-20").await;
        let ids: Vec<&str> = events.as_array().unwrap().iter().map(|event| event["id"].as_str().unwrap()).collect();
        // An event may end when the day ends.
        assert_eq!(ids, ["first", "last", "after"]);
        // The open task is that of the fixture.
        let expected = json!({ "myOpen": 1, "doneToday": 2, "doneWeek": 4, "doneTotal": 4 });
        assert_eq!(app.read("task_stats").await, expected);
    }

    async fn task_is_changed_and_moved_with_token_and_session(app: App) {
        let body = r#"{"title":"\u2003 Mop\n","completed":true,"dueDate":"2026-11-24","order":-0}"#;
        let task =
            app.send_json_with_token("ann-rw", Method::PATCH, "/api/v1/tasks/task-berg", body).await.assert_ok().json();
        assert_eq!((&task["title"], &task["completedAt"]), (&json!("Mop"), &json!(NOW)));
        assert_eq!(task["dueDate"], "2026-11-23T23:00:00.000Z");
        let body = r#"{"title":" Sweep "}"#;
        let task =
            app.send_json_in_session("bob", Method::PATCH, "/api/tasks/task-berg", body).await.assert_ok().json();
        assert_eq!((&task["title"], &task["order"]), (&json!("Sweep"), &json!(0)));
        let body = r#"{"type":"move-task","columnId":"column-berg","order":7}"#;
        let task =
            app.send_json_in_session("bob", Method::PATCH, "/api/tasks/task-berg", body).await.assert_ok().json();
        assert_eq!((&task["order"], &task["title"]), (&json!(7), &json!("Sweep")));
    }

    async fn key_is_created_used_listed_and_revoked(app: App) {
        let body = r#"{"mode":"v1_read","name":" Grafana ","expiresAt":"2027-01-01T00:00:00Z"}"#;
        let created = app.send_json_in_session("ann", Method::POST, KEYS, body).await;
        assert_eq!(created.status, 201);
        assert_eq!(created.header("cache-control"), Some("no-store"));
        assert_eq!(created.header("vary"), Some("Cookie"));
        let mut key = created.json();
        let path = format!("{KEYS}/{}", key["id"].as_str().unwrap());
        assert_eq!(created.header("location"), Some(path.as_str()));
        let plaintext = key.as_object_mut().unwrap().remove("token").unwrap();
        let plaintext = plaintext.as_str().unwrap();
        assert!(plaintext.starts_with("fam_"));
        assert_eq!((&key["name"], &key["scopes"]), (&json!("Grafana"), &json!(["mcp.read", "v1.read"])));

        let get_profile = || app.send(anonymous(Method::GET, "/api/v1/me").bearer_auth(plaintext));
        get_profile().await.assert_ok();
        let list = app.send_in_session("ann", Method::GET, KEYS).await;
        assert_eq!(list.assert_ok().json()["tokens"][0], key);
        assert!(!list.text().contains(plaintext));

        let revoked = app.send_in_session("ann", Method::DELETE, &path).await;
        assert_eq!(revoked.assert_ok().json(), json!({ "ok": true, "id": key["id"], "revokedAt": NOW }));
        get_profile().await.assert_problem(401, "invalid_token");
        app.send_in_session("ann", Method::DELETE, &path).await.assert_problem(404, "not_found");
    }
}
