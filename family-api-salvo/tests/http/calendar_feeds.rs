//! Calendar feeds (HTTP reference, "Calendar feeds" and "Reading a calendar feed").

use family_api_core::ManualClock;
use family_api_core::limit::Rate;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, NOW, TestResponse, TestServer, anonymous, fixture};

const FEEDS: &str = "/api/users/me/calendar-feeds";
const PROFILE: &str = "/api/users/me";

async fn created(app: &App, user: &str, body: Value) -> Value {
    let response = app.send_json_in_session(user, Method::POST, FEEDS, body.to_string()).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()
}

async fn read(app: &App, path: &str) -> TestResponse {
    app.send(anonymous(Method::GET, path)).await
}

/// Returns the text of a feed, with its folded lines joined.
async fn text(app: &App, feed: &Value) -> String {
    let response = read(app, feed["path"].as_str().unwrap()).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.text().replace("\r\n ", "")
}

/// Returns the values of a property, such as `SUMMARY`.
fn values(text: &str, property: &str) -> Vec<String> {
    let prefix = format!("{property}:");
    text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
}

fn sequence_of(text: &str) -> u32 {
    values(text, "SEQUENCE")[0].parse().unwrap()
}

async fn change(app: &App, method: Method, path: &str, body: Value) {
    let response = app.send_json_with_token("ann-full", method, path, body.to_string()).await;
    assert!(matches!(response.status, 200 | 201), "{response:?}");
}

#[track_caller]
fn assert_unknown(response: &TestResponse) {
    assert_eq!((response.status, response.body.len()), (404, 0), "{response:?}");
    assert_eq!(response.header("content-type"), None);
}

on_every_storage! {
    async fn feed_is_created_listed_changed_and_ended(app: App) {
        let response = app.send_json_in_session("ann", Method::POST, FEEDS, r#"{"name":" Family "}"#).await;
        assert_eq!((response.status, response.header("cache-control")), (201, Some("no-store")));
        let mut feed = response.json();
        let path = feed["path"].as_str().unwrap().to_owned();
        let secret = path.strip_prefix("/calendar/").and_then(|path| path.strip_suffix(".ics")).unwrap();
        assert!(secret.starts_with("famcal_") && secret.len() > 50, "{path}");
        let location = format!("{FEEDS}/{}", feed["id"].as_str().unwrap());
        assert_eq!(response.header("location"), Some(location.as_str()));
        assert_eq!(feed["hint"], format!("famcal_…{}", &secret[secret.len() - 4..]));

        feed.as_object_mut().unwrap().remove("path");
        let expected = json!({
            "id": feed["id"], "hint": feed["hint"], "name": "Family", "shows": "events", "detail": "full",
            "personIds": [], "boardIds": [], "language": "en", "createdAt": NOW, "updatedAt": NOW, "expiresAt": null,
            "lastUsedAt": null, "leftOut": 0,
        });
        assert_eq!(feed, expected);
        let list = app.send_in_session("ann", Method::GET, FEEDS).await;
        assert_eq!(list.assert_ok().json()["feeds"][0], expected);
        assert_eq!(app.send_in_session("bob", Method::GET, FEEDS).await.json(), json!({ "feeds": [] }));

        let body = json!({ "detail": "busy", "personIds": ["bob"], "language": "de" }).to_string();
        let changed = app.send_json_in_session("ann", Method::PATCH, &location, body).await.assert_ok().json();
        assert_eq!((&changed["detail"], &changed["personIds"], &changed["name"]), (&json!("busy"), &json!(["bob"]), &json!("Family")));
        for method in [Method::PATCH, Method::DELETE] {
            app.send_json_in_session("bob", method, &location, "{}").await.assert_problem(404, "not_found");
        }
        assert_eq!(read(&app, &path).await.status, 200);

        let ended = app.send_in_session("ann", Method::DELETE, &location).await.assert_ok().json();
        assert_eq!(ended, json!({ "ok": true, "id": feed["id"] }));
        assert_unknown(&read(&app, &path).await);
        app.send_in_session("ann", Method::DELETE, &location).await.assert_problem(404, "not_found");
        app.send_json_in_session("ann", Method::PATCH, &location, "{}").await.assert_problem(404, "not_found");
    }

    async fn invalid_feed_is_refused_with_every_fault(app: App) {
        let body = json!({
            "name": "", "shows": "all", "detail": "some", "personIds": [7], "boardIds": "b", "language": "fr",
            "expiresAt": "2026-01-01T00:00:00Z", "secret": "famcal_x",
        });
        let refused = app.send_json_in_session("ann", Method::POST, FEEDS, body.to_string()).await;
        assert_eq!((refused.status, refused.error_pointers().len()), (422, 8));
        let body = json!({ "name": "x", "personIds": ["ann", "eve", "stranger"], "boardIds": ["board-tal", "board-berg"] });
        let refused = app.send_json_in_session("ann", Method::POST, FEEDS, body.to_string()).await;
        assert_eq!(refused.error_pointers(), ["/personIds/1", "/personIds/2", "/boardIds/0"]);

        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        let path = format!("{FEEDS}/{}", feed["id"].as_str().unwrap());
        let refused = app.send_json_in_session("ann", Method::PATCH, &path, r#"{"personIds":["eve"]}"#).await;
        assert_eq!(refused.error_pointers(), ["/personIds/0"]);
        let listed = app.send_in_session("ann", Method::GET, FEEDS).await.json();
        // One feed is of the fixture.
        assert_eq!((listed["feeds"].as_array().unwrap().len(), &listed["feeds"][0]["personIds"]), (2, &json!([])));
    }

    async fn choices_are_the_members_and_the_boards_that_the_user_sees(app: App) {
        let choices = async |user: &str| {
            app.send_in_session(user, Method::GET, "/api/users/me/calendar-feed-choices").await.assert_ok().json()
        };
        let names = |choices: &Value, kind: &str| -> Vec<String> {
            let names = choices[kind].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned());
            names.collect()
        };
        let private = r#"{"name":"Private","isPrivate":true}"#;
        assert_eq!(app.send_json_in_session("ann", Method::POST, "/api/boards", private).await.status, 201);
        let (of_ann, of_bob) = (choices("ann").await, choices("bob").await);
        assert_eq!(of_ann["persons"], of_bob["persons"]);
        assert!(of_ann["persons"].as_array().unwrap().iter().any(|person| person["id"] == "bob"), "{of_ann}");
        assert_eq!([names(&of_bob, "boards"), vec!["Private".to_owned()]].concat(), names(&of_ann, "boards"));
    }

    async fn feed_needs_the_personal_api_and_a_family(app: App) {
        let body = r#"{"name":"x"}"#;
        app.send_json_in_session("bob", Method::POST, FEEDS, body).await.assert_problem(403, "api_disabled");
        // A user without a family has nothing to show.
        let feed = created(&app, "cid", json!({ "name": "x" })).await;
        assert_unknown(&read(&app, feed["path"].as_str().unwrap()).await);

        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        let path = feed["path"].as_str().unwrap();
        assert_eq!(read(&app, path).await.status, 200);
        for (enabled, status) in [(false, 404), (true, 200)] {
            let body = json!({ "personalApiEnabled": enabled }).to_string();
            app.send_json_in_session("ann", Method::PATCH, PROFILE, body).await.assert_ok();
            assert_eq!(read(&app, path).await.status, status);
        }
    }

    async fn one_user_has_at_most_twenty_feeds(app: App) {
        let mut last = Value::Null;
        for _ in 1..20 {
            last = created(&app, "ann", json!({ "name": "x" })).await;
        }
        let refused = app.send_json_in_session("ann", Method::POST, FEEDS, r#"{"name":"x"}"#).await;
        refused.assert_problem(409, "feed_limit_reached");
        let path = format!("{FEEDS}/{}", last["id"].as_str().unwrap());
        app.send_in_session("ann", Method::DELETE, &path).await.assert_ok();
        created(&app, "ann", json!({ "name": "x" })).await;
    }

    async fn feed_ends_when_it_expires(kind: StorageKind) {
        let clock = ManualClock::new(NOW.parse().unwrap());
        let app = App::with_api(kind, |api| api.clock(clock.clone())).await;
        let feed = created(&app, "ann", json!({ "name": "x", "expiresAt": "2026-11-20T11:00:00Z" })).await;
        let path = feed["path"].as_str().unwrap();
        clock.set("2026-11-20T10:59:59.999Z".parse().unwrap());
        assert_eq!(read(&app, path).await.status, 200);
        clock.set("2026-11-20T11:00:00Z".parse().unwrap());
        assert_unknown(&read(&app, path).await);
        let listed = app.send_in_session("ann", Method::GET, FEEDS).await.json();
        assert!(!listed.to_string().contains(feed["id"].as_str().unwrap()), "{listed}");
    }

    async fn read_has_the_headers_that_calendar_programs_need(app: App) {
        let feed = created(&app, "ann", json!({ "name": "Family", "shows": "both" })).await;
        let path = feed["path"].as_str().unwrap();
        let request = || anonymous(Method::GET, path).add_header("accept-encoding", "gzip, br", true);
        let response = app.send(request().add_header("accept", "image/png", true)).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.header("content-type"), Some("text/calendar; charset=utf-8"));
        assert_eq!(response.header("content-disposition"), Some("inline"));
        assert_eq!(response.header("cache-control"), Some("private, no-cache"));
        assert_eq!(response.header("x-robots-tag"), Some("noindex"));
        for absent in ["content-encoding", "last-modified", "set-cookie", "vary", "access-control-allow-origin"] {
            assert_eq!(response.header(absent), None, "{absent}");
        }
        let tag = response.header("etag").unwrap().to_owned();
        assert!(tag.starts_with('"'), "{tag}");
        assert!(response.text().starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"), "{}", response.text());
        assert_eq!(values(&response.text().replace('\r', ""), "SUMMARY"), ["Dentist"]);

        let head = app.send(anonymous(Method::HEAD, path)).await;
        assert_eq!((head.status, head.header("etag")), (200, Some(tag.as_str())));
        assert_eq!(head.header("content-length"), Some(response.body.len().to_string().as_str()));
        for (name, value, status) in [
            ("if-none-match", tag.as_str(), 304),
            ("if-none-match", &format!("W/{tag}"), 304),
            ("if-none-match", "\"other\"", 200),
            ("if-modified-since", "Fri, 20 Nov 2037 10:00:00 GMT", 200),
        ] {
            let response = app.send(anonymous(Method::GET, path).add_header(name, value, true)).await;
            assert_eq!((response.status, response.header("etag")), (status, Some(tag.as_str())), "{name}: {value}");
            assert_eq!(response.body.is_empty(), status == 304);
        }
        let refused = app.send(anonymous(Method::POST, path)).await;
        assert_eq!(refused.assert_problem(405, "method_not_allowed").header("allow"), Some("GET, HEAD"));
    }

    async fn secret_reads_the_feed_and_nothing_else(app: App) {
        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        let path = feed["path"].as_str().unwrap();
        let secret = path.strip_prefix("/calendar/").and_then(|path| path.strip_suffix(".ics")).unwrap();
        for other in ["/api/v1/me", "/api/v1/read/events", "/api/mcp/read/events", "/api/v1/tasks"] {
            let request = anonymous(Method::GET, other).bearer_auth(secret);
            app.send(request).await.assert_problem(401, "invalid_token");
        }
        let key = crate::support::token("ann-full");
        let mut typo = secret.to_owned();
        typo.replace_range(20..21, if &secret[20..21] == "2" { "3" } else { "2" });
        for wrong in [&typo, &secret[..secret.len() - 1], "famcal_", "famcal_x", "famcal_%66"] {
            assert_unknown(&read(&app, &format!("/calendar/{wrong}.ics")).await);
        }
        // Other files are the host's.
        for other in [key.as_str(), "holidays", "%66amcal_x"] {
            assert_eq!(read(&app, &format!("/calendar/{other}.ics")).await.status, 404, "{other}");
        }
        // A credential in a header gives nothing.
        let request = anonymous(Method::GET, &format!("/calendar/{typo}.ics")).bearer_auth(&key);
        assert_unknown(&app.send(request.add_header("cookie", "user=ann", true)).await);
        for wrong in [format!("/calendar/{secret}"), format!("/calendar/{secret}.ics/"), "/calendar/".to_owned()] {
            assert_eq!(read(&app, &wrong).await.status, 404, "{wrong}");
        }
    }

    async fn every_change_is_seen_at_the_next_read_and_raises_the_sequence(app: App) {
        let feed = created(&app, "ann", json!({ "name": "x", "shows": "both" })).await;
        let first = text(&app, &feed).await;
        let uid = values(&first, "UID");
        assert_eq!((uid.len(), text(&app, &feed).await), (1, first.clone()));

        change(&app, Method::PATCH, "/api/v1/events/event-berg", json!({ "startDate": "2026-11-25T09:30:00Z" })).await;
        let moved = text(&app, &feed).await;
        assert_eq!((values(&moved, "UID"), values(&moved, "DTSTART")), (uid.clone(), vec!["20261125T093000Z".to_owned()]));
        assert!(sequence_of(&moved) > sequence_of(&first), "{moved}");

        let path = format!("{FEEDS}/{}", feed["id"].as_str().unwrap());
        let mut before = moved;
        for (detail, title) in [("busy", "Busy"), ("full", "Dentist")] {
            let body = json!({ "detail": detail }).to_string();
            app.send_json_in_session("ann", Method::PATCH, &path, body).await.assert_ok();
            let changed = text(&app, &feed).await;
            assert_eq!((values(&changed, "UID"), values(&changed, "SUMMARY")), (uid.clone(), vec![title.to_owned()]));
            assert!(sequence_of(&changed) > sequence_of(&before), "{changed}");
            before = changed;
        }
        app.send_json_in_session("ann", Method::PATCH, PROFILE, r#"{"timeZone":"America/New_York"}"#).await.assert_ok();
        assert!(sequence_of(&text(&app, &feed).await) > sequence_of(&before));

        change(&app, Method::PATCH, "/api/v1/tasks/task-berg", json!({ "dueDate": "2026-11-26T17:00:00Z" })).await;
        assert_eq!(values(&text(&app, &feed).await, "SUMMARY").len(), 2);
        change(&app, Method::PATCH, "/api/v1/tasks/task-berg", json!({ "completed": true })).await;
        assert_eq!(values(&text(&app, &feed).await, "SUMMARY"), ["Dentist"]);
        app.send_with_token("ann-full", Method::DELETE, "/api/v1/events/event-berg").await.assert_ok();
        assert_eq!(values(&text(&app, &feed).await, "UID"), [""; 0]);
        app.send_with_token("ann-full", Method::POST, "/api/v1/events/event-berg/restore").await.assert_ok();
        let restored = text(&app, &feed).await;
        assert_eq!(values(&restored, "UID"), uid);
        assert!(sequence_of(&restored) > sequence_of(&before), "{restored}");
    }

    async fn what_a_feed_does_not_show_changes_neither_its_bytes_nor_its_tag(app: App) {
        let feed = created(&app, "ann", json!({ "name": "x", "shows": "both" })).await;
        let tag = async || read(&app, feed["path"].as_str().unwrap()).await.header("etag").unwrap().to_owned();
        let before = tag().await;
        change(&app, Method::PATCH, "/api/v1/notes/note-berg", json!({ "title": "changed" })).await;
        assert_eq!(tag().await, before);
    }

    async fn feed_shows_what_its_choice_names_and_its_user_sees(app: App) {
        let due = |title: &str, fields: Value| {
            let mut body = json!({ "title": title, "dueDate": "2026-11-26T17:00:00Z" });
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            body
        };
        change(&app, Method::POST, "/api/v1/tasks", due("of ann", json!({ "assigneeId": "ann" }))).await;
        change(&app, Method::POST, "/api/v1/tasks", due("of bob", json!({ "assigneeId": "bob" }))).await;
        change(&app, Method::POST, "/api/v1/tasks", due("private", json!({ "isPrivate": true }))).await;
        let board = app.send_json_in_session("ann", Method::POST, "/api/boards", r#"{"name":"Other"}"#).await.json();
        let columns = format!("/api/boards/{}/columns", board["id"].as_str().unwrap());
        let column = app.send_json_in_session("ann", Method::POST, &columns, r#"{"name":"To do"}"#).await.json();
        change(&app, Method::POST, "/api/v1/tasks", due("elsewhere", json!({ "columnId": column["id"] }))).await;
        let app = &app;
        let titles = async |user: &str, choice: Value| {
            let mut body = json!({ "name": "x" });
            body.as_object_mut().unwrap().extend(choice.as_object().unwrap().clone());
            let mut titles = values(&text(app, &created(app, user, body).await).await, "SUMMARY");
            titles.sort_unstable();
            titles
        };
        assert_eq!(titles("ann", json!({ "shows": "tasks" })).await, ["elsewhere", "of ann", "of bob", "private"]);
        assert_eq!(titles("ann", json!({ "shows": "events" })).await, ["Dentist"]);
        let of_bob = json!({ "shows": "both", "personIds": ["bob"] });
        assert_eq!(titles("ann", of_bob.clone()).await, ["of bob"]);
        assert_eq!(titles("ann", json!({ "shows": "both", "personIds": ["ann"] })).await, ["Dentist", "of ann", "private"]);
        let on_board = json!({ "shows": "both", "boardIds": [board["id"]] });
        assert_eq!(titles("ann", on_board).await, ["Dentist", "elsewhere"]);

        app.send_json_in_session("bob", Method::PATCH, PROFILE, r#"{"personalApiEnabled":true}"#).await.assert_ok();
        assert_eq!(titles("bob", json!({ "shows": "tasks" })).await, ["elsewhere", "of ann", "of bob"]);
        assert_eq!(titles("eve", json!({ "shows": "both" })).await, ["Dentist"]);

        let participants = json!({ "participantIds": ["bob"] });
        change(app, Method::PATCH, "/api/v1/events/event-berg", participants).await;
        assert_eq!(titles("ann", of_bob).await, ["Dentist", "of bob"]);
    }

    async fn feed_and_its_unknown_secrets_are_limited(kind: StorageKind) {
        let per_minute = |number: u32| Rate::per_minute(number.try_into().unwrap());
        let app = App::with_api(kind, |api| api.rate_limit(per_minute(2))).await;
        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        let path = feed["path"].as_str().unwrap();
        for status in [200, 200, 429] {
            assert_eq!(read(&app, path).await.status, status);
        }
        let limited = read(&app, path).await;
        assert!(limited.assert_problem(429, "rate_limited").header("retry-after").is_some());
        // Another feed has a limit of its own.
        let other = created(&app, "ann", json!({ "name": "x" })).await;
        assert_eq!(read(&app, other["path"].as_str().unwrap()).await.status, 200);

        let app = app.configured(|routes| routes.invalid_credential_limit(per_minute(2)));
        let server = TestServer::start(app.service).await;
        for status in [404, 404, 429] {
            let head = "GET /calendar/famcal_x.ics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
            let head = server.send(head.as_bytes()).await.0;
            assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
        }
    }

    async fn all_access_ends_with_the_feeds(app: App) {
        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        let revoked = app.send_in_session("ann", Method::DELETE, "/api/users/me/access").await.assert_ok().json();
        assert_eq!(revoked["feeds"], 2);
        app.send_json_in_session("ann", Method::PATCH, PROFILE, r#"{"personalApiEnabled":true}"#).await.assert_ok();
        assert_unknown(&read(&app, feed["path"].as_str().unwrap()).await);
    }

    async fn change_that_changes_nothing_keeps_the_bytes(app: App) {
        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        let before = text(&app, &feed).await;
        let path = format!("{FEEDS}/{}", feed["id"].as_str().unwrap());
        for body in ["{}", r#"{"name":"x","detail":"full"}"#] {
            let unchanged = app.send_json_in_session("ann", Method::PATCH, &path, body).await.assert_ok().json();
            assert_eq!(unchanged["updatedAt"], feed["updatedAt"]);
        }
        assert_eq!(text(&app, &feed).await, before);
    }

    async fn last_use_is_listed(app: App) {
        let feed = created(&app, "ann", json!({ "name": "x" })).await;
        read(&app, feed["path"].as_str().unwrap()).await;
        app.api.record_uses().await.unwrap();
        let listed = app.send_in_session("ann", Method::GET, FEEDS).await.json();
        assert_eq!(listed["feeds"][0]["lastUsedAt"], "2026-11-20T10:15:00.000Z");
    }

    async fn host_without_feeds_has_no_trace_of_them(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let app = App::with_storage(storage);
        assert_eq!(app.send_in_session("ann", Method::GET, FEEDS).await.status, 404);
        assert_eq!(read(&app, "/calendar/famcal_x.ics").await.status, 404);
        let document = app.send_in_session("ann", Method::GET, "/openapi.json").await;
        let mut document = document.assert_ok().json();
        let revoked = &mut document["components"]["schemas"]["RevokedAccess"];
        // The number of ended feeds is always in this response. Here, it is 0.
        assert!(revoked["properties"].as_object_mut().unwrap().remove("feeds").is_some());
        revoked["required"].as_array_mut().unwrap().retain(|name| name != "feeds");
        let document = document.to_string().to_lowercase();
        for trace in ["feed", "ics"] {
            assert!(!document.contains(&format!("\"{trace}")), "{trace}");
        }
        assert!(!document.contains("calendar-feeds"));
    }
}
