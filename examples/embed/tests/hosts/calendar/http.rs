//! The calendar over HTTP: sign-in, a key, reads, tools, pages and OAuth.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::storage::SignedIn;
use family_api_core::{Error, FamilyApi, id::UserId};
use family_api_salvo::{FamilyRoutes, OAuth, Pages, SessionAuthenticator};
use salvo::http::header::{AUTHORIZATION, COOKIE, LOCATION, SET_COOKIE};
use salvo::http::{Method, StatusCode, cookie::Cookie};
use salvo::prelude::*;
use salvo::test::{RequestBuilder, ResponseExt, TestClient};
use serde_json::{Value, json};

use super::suite::Installed;
use super::{Calendar, fault};

const HOST: &str = "http://127.0.0.1";

/// Two clubs with a member each.
const SAMPLE: &str = "
    INSERT INTO club VALUES (10, 'Rowing'), (20, 'Chess');
    INSERT INTO member (id, club, full_name, mail, zone, pin, api_open) VALUES
        (1, 10, 'Ana', 'ana@example.org', 'Europe/Berlin', '1234', TRUE),
        (2, 20, 'Ben', 'ben@example.org', 'UTC', '5678', TRUE);
    INSERT INTO appointment
        (id, club, subject, begins, ends, whole_day, repeats, host, made, changed) VALUES
        (9, 10, 'Regatta', '2026-11-24 18:30+01', '2026-11-24 20:00+01', FALSE, NULL, 1, now(), now()),
        (10, 10, 'Training', '2026-11-23 07:00:00.5+01', '2026-11-23 08:00+01', FALSE, 'RRULE:FREQ=WEEKLY;COUNT=2', NULL,
            now(), now()),
        (11, 20, 'Match', '2026-11-24 18:30+01', '2026-11-24 20:00+01', FALSE, NULL, 2, now(), now());";

#[async_trait]
impl SessionAuthenticator for Calendar {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let secret = req.cookie("visit").map(Cookie::value);
        let query = sqlx::query_scalar("SELECT member::text FROM visit WHERE secret = $1").bind(secret);
        let member: Option<String> = query.fetch_optional(&self.pool).await.map_err(fault)?;
        Ok(member.and_then(|id| id.parse().ok()).map(|user: UserId| user.into()))
    }
}

/// The sign-in of the app: a name and a PIN.
#[async_trait]
impl Handler for Calendar {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let (name, pin) = req.parse_json::<(String, String)>().await.unwrap();
        let query = "INSERT INTO visit SELECT gen_random_uuid()::text, id FROM member WHERE full_name = $1 AND pin = $2
            RETURNING secret";
        let secret = sqlx::query_scalar(query).bind(name).bind(pin).fetch_optional(&self.pool).await.unwrap();
        match secret {
            Some(secret) => _ = res.add_cookie(Cookie::new::<_, String>("visit", secret)),
            None => _ = res.status_code(StatusCode::UNAUTHORIZED),
        }
    }
}

/// The installed app with its sample data.
struct Walk {
    installed: Installed,
    service: Service,
}

impl Walk {
    async fn begin() -> Self {
        let installed = Installed::new(None).await;
        sqlx::raw_sql(SAMPLE).execute(&installed.app.pool).await.unwrap();
        let api = FamilyApi::builder(Arc::new(installed.storage.clone())).grants(Arc::new(installed.keys.clone()));
        let routes = FamilyRoutes::new(api.build())
            .session(installed.app.clone())
            .pages(Pages::at("/keys").sign_in_at("/login?next={return}"))
            .oauth(OAuth::new(HOST.parse().unwrap()).without_client_documents());
        assert_eq!(routes.unused_options().len(), 0);
        let login = Router::with_path("login").post(installed.app.clone());
        Self { installed, service: Service::new(Router::new().push(login).push(routes.into_router())) }
    }

    async fn sign_in(&self, name: &str, pin: &str) -> Option<String> {
        let response = TestClient::post(format!("{HOST}/login")).json(&(name, pin)).send(&self.service).await;
        let cookie = response.headers().get(SET_COOKIE)?.to_str().unwrap();
        Some(cookie.split(';').next().unwrap().to_owned())
    }

    async fn send(&self, method: Method, path: &str, credential: &str, body: Value) -> (u16, Value) {
        let (status, text) = self.send_for_text(method, path, credential, body).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// Sends a request with a cookie or a token. Returns the status and the body.
    async fn send_for_text(&self, method: Method, path: &str, credential: &str, body: Value) -> (u16, String) {
        let header = if credential.starts_with("visit=") { COOKIE } else { AUTHORIZATION };
        let request = RequestBuilder::new(format!("{HOST}{path}"), method).add_header(header, credential, true);
        let request = if body.is_null() { request } else { request.json(&body) };
        let mut response = request.send(&self.service).await;
        (response.status_code.unwrap().as_u16(), response.take_string().await.unwrap())
    }

    async fn get(&self, path: &str, credential: &str) -> (u16, Value) {
        self.send(Method::GET, path, credential, Value::Null).await
    }

    /// Signs in and creates a key. Returns the cookie and the `Authorization` header.
    async fn with_key(&self, name: &str, pin: &str) -> (String, String) {
        let cookie = self.sign_in(name, pin).await.unwrap();
        let body = json!({ "mode": "v1_read", "name": "Wall display" });
        let (status, key) = self.send(Method::POST, "/api/users/me/mcp-tokens", &cookie, body).await;
        assert_eq!(status, 201, "{key}");
        (cookie, format!("Bearer {}", key["token"].as_str().unwrap()))
    }

    async fn call(&self, token: &str, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (status, answer) = self.send(Method::POST, "/api/v1/mcp", token, message).await;
        assert_eq!(status, 200, "{answer}");
        answer["result"].clone()
    }
}

family_api_testing::postgres_tests! {
    async fn a_member_reads_appointments_with_a_key() {
        let walk = Walk::begin().await;
        assert_eq!(walk.sign_in("Ana", "0000").await, None);
        let (_, token) = walk.with_key("Ana", "1234").await;

        let (_, events) = walk.get("/api/v1/read/events", &token).await;
        let fields = ["id", "title", "startDate", "recurrence", "emoji"].map(|field| &events[0][field]);
        let training = json!(["10", "Training", "2026-11-23T06:00:00.500Z", "FREQ=WEEKLY;COUNT=2", null]);
        assert_eq!(json!(fields), training, "{events}");
        assert_eq!(json!([events[1]["id"], events[1]["assignee"]["name"]]), json!(["9", "Ana"]), "{events}");
        let range = "/api/v1/read/events?from=2026-11-24&to=2026-12-01&expand=true";
        let (_, occurrences) = walk.get(range, &token).await;
        let starts: Vec<_> = occurrences.as_array().unwrap().iter().map(|event| &event["startDate"]).collect();
        assert_eq!(json!(starts), json!(["2026-11-24T17:30:00.000Z", "2026-11-30T06:00:00.500Z"]), "{occurrences}");

        for (method, path, status) in [
            (Method::GET, "events/9", 200),
            (Method::GET, "events/11", 404),
            (Method::GET, "events/09", 404),
            (Method::GET, "events/nine", 404),
            (Method::PATCH, "events/9", 405),
            (Method::DELETE, "events/9", 405),
            (Method::POST, "events", 404),
            (Method::POST, "events/9/restore", 404),
            (Method::GET, "read/notes", 404),
            (Method::GET, "tasks/9", 404),
        ] {
            let body = if method == Method::GET { Value::Null } else { json!({}) };
            let (answered, problem) = walk.send(method.clone(), &format!("/api/v1/{path}"), &token, body).await;
            assert_eq!(answered, status, "{method} {path}: {problem}");
        }
    }

    async fn an_assistant_finds_only_tools_of_events() {
        let walk = Walk::begin().await;
        let (_, token) = walk.with_key("Ana", "1234").await;
        let listed = walk.call(&token, "tools/list", json!({})).await;
        let names: Vec<_> = listed["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(json!(names), json!(["get_overview", "list_events", "get_event", "find_free_time"]));
        let arguments = json!({ "from": "2026-11-24", "to": "2026-11-24" });
        let found = walk.call(&token, "tools/call", json!({ "name": "list_events", "arguments": arguments })).await;
        let text = found["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("Regatta") && text.contains("2026-11-24T18:30+01:00"), "{text}");
        assert!(!text.contains("Match") && !text.contains("Training"), "{text}");
    }

    async fn the_pages_and_the_documents_show_what_there_is() {
        let walk = Walk::begin().await;
        let visitor = TestClient::get(format!("{HOST}/keys")).send(&walk.service).await;
        assert_eq!(visitor.headers()[LOCATION], "/login?next=%2Fkeys");
        let (cookie, _) = walk.with_key("Ana", "1234").await;
        assert_eq!(walk.get("/keys", &cookie).await.0, 200);
        // The script of the page loads the keys.
        let (_, keys) = walk.get("/api/users/me/mcp-tokens", &cookie).await;
        assert!(keys.to_string().contains("Wall display"), "{keys}");
        let full = json!({ "mode": "v1_full" });
        assert_eq!(walk.send(Method::POST, "/api/users/me/mcp-tokens", &cookie, full).await.0, 422);

        let (_, metadata) = walk.get("/.well-known/oauth-authorization-server", &cookie).await;
        assert_eq!(metadata["issuer"], HOST, "{metadata}");
        let (_, resource) = walk.get("/.well-known/oauth-protected-resource/api/v1/mcp", &cookie).await;
        assert_eq!(resource["authorization_servers"], json!([HOST]), "{resource}");

        let (_, document) = walk.get("/openapi.json", &cookie).await;
        let paths = document["paths"].as_object().unwrap();
        assert!(paths["/api/v1/events/{id}"]["get"].is_object(), "{paths:?}");
        for (path, operations) in paths {
            assert!(!["tasks", "notes", "shopping", "boards"].iter().any(|other| path.contains(other)), "{path}");
            let writes = ["post", "patch", "delete"].iter().any(|method| operations[method].is_object());
            assert!(!writes || ["/users/me", "/oauth", "/mcp"].iter().any(|of| path.contains(of)), "{path}");
        }
    }

    async fn a_member_who_leaves_or_closes_the_api_reads_nothing() {
        let walk = Walk::begin().await;
        let (cookie, token) = walk.with_key("Ana", "1234").await;
        let me = "/api/users/me";
        let (status, profile) = walk.send(Method::PATCH, me, &cookie, json!({ "personalApiEnabled": false })).await;
        assert_eq!((status, &profile["personalApiEnabled"]), (200, &json!(false)), "{profile}");
        let api_open = "SELECT api_open FROM member WHERE id = 1";
        let api_open: bool = sqlx::query_scalar(api_open).fetch_one(&walk.installed.app.pool).await.unwrap();
        assert!(!api_open);
        assert_eq!(walk.get("/api/v1/read/events", &token).await.0, 401);
        let open = json!({ "personalApiEnabled": true });
        assert_eq!(walk.send(Method::PATCH, me, &cookie, open).await.0, 200);
        assert_eq!(walk.get("/api/v1/read/events", &token).await.0, 200);

        sqlx::raw_sql("UPDATE member SET left_at = now() WHERE id = 1").execute(&walk.installed.app.pool).await.unwrap();
        let (status, problem) = walk.get("/api/v1/read/events", &token).await;
        assert_eq!((status, &problem["code"]), (401, &json!("no_family")));
        assert_eq!(walk.get(me, &cookie).await.1["familyId"], Value::Null);
    }

    async fn a_database_that_does_not_answer_is_no_empty_calendar() {
        let walk = Walk::begin().await;
        let (_, token) = walk.with_key("Ana", "1234").await;
        sqlx::raw_sql("ALTER TABLE appointment RENAME TO lost").execute(&walk.installed.app.pool).await.unwrap();
        let (status, problem) = walk.get("/api/v1/read/events", &token).await;
        assert_eq!((status, &problem["code"]), (500, &json!("internal")), "{problem}");
        walk.installed.app.pool.close().await;
        assert_eq!(walk.get("/api/v1/read/events", &token).await.0, 503);
    }
}
