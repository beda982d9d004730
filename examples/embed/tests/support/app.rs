//! The app with its sample household, asked over HTTP.

use family_api_core::{ManualClock, Timestamp};
use salvo::Service;
use salvo::http::Method;
use salvo::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use salvo::test::{RequestBuilder, ResponseExt, TestClient};
use serde_json::{Value, json};

use crate::support::Place;

pub(crate) const KEYS: &str = "family/api/users/me/mcp-tokens";
pub(crate) const TASKS: &str = "family/api/v1/read/tasks";
pub(crate) const NOW: &str = "2026-11-20T10:15:30.123Z";

/// The app with its sample household, and a clock that stands still.
pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) place: Place,
    pub(crate) clock: ManualClock,
}

/// Somebody's credentials, as a header.
pub(crate) type Credentials = (salvo::http::HeaderName, String);

impl App {
    pub(crate) async fn start() -> Self {
        let clock = ManualClock::new(NOW.parse::<Timestamp>().unwrap());
        let place = Place::fresh(clock.clone()).await;
        sqlx::raw_sql(include_str!("../../sample.sql")).execute(&place.hearth.writer).await.unwrap();
        Self { service: place.hearth.clone().service().unwrap(), place, clock }
    }

    pub(crate) async fn send(
        &self,
        as_whom: &Credentials,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let url = format!("http://127.0.0.1/{path}");
        let request = RequestBuilder::new(url, method).add_header(as_whom.0.clone(), &as_whom.1, true);
        let request = if let Some(body) = body { request.json(&body) } else { request };
        let mut answer = request.send(&self.service).await;
        let body = answer.take_string().await.unwrap();
        (answer.status_code.unwrap().as_u16(), serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub(crate) async fn code(&self, person: &str) -> String {
        self.place.hearth.issue_code(&person.parse().unwrap()).await.unwrap().expose().to_owned()
    }

    /// The cookie that a code opens, if it does.
    pub(crate) async fn redeem(&self, code: &str) -> Option<Credentials> {
        let request = TestClient::post("http://127.0.0.1/sign-in").json(&json!({ "code": code }));
        let answer = request.send(&self.service).await;
        let cookie = answer.headers().get(SET_COOKIE)?.to_str().unwrap();
        Some((COOKIE, cookie.split(';').next().unwrap().to_owned()))
    }

    pub(crate) async fn sign_in(&self, person: &str) -> Credentials {
        self.redeem(&self.code(person).await).await.unwrap()
    }

    /// A key of somebody who is signed in: its id and its token.
    pub(crate) async fn key(&self, session: &Credentials) -> (String, Credentials) {
        let (status, key) = self.send(session, Method::POST, KEYS, Some(json!({ "mode": "v1_read_write" }))).await;
        assert_eq!(status, 201, "{key}");
        let token = key["token"].as_str().unwrap();
        assert!(token.starts_with("hearth_"));
        (key["id"].as_str().unwrap().to_owned(), (AUTHORIZATION, format!("Bearer {token}")))
    }

    pub(crate) async fn titles(&self, token: &Credentials) -> Vec<String> {
        let (status, boards) = self.send(token, Method::GET, TASKS, None).await;
        assert_eq!(status, 200, "{boards}");
        let tasks = boards[0]["columns"][0]["tasks"].as_array().unwrap();
        tasks.iter().map(|task| task["title"].as_str().unwrap().to_owned()).collect()
    }
}
