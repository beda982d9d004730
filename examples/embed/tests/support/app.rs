//! The app with its sample household, and an HTTP client for it.

use family_api_core::{ManualClock, Timestamp};
use salvo::Service;
use salvo::http::Method;
use salvo::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use salvo::test::{RequestBuilder, ResponseExt, TestClient};
use serde_json::{Value, json};

use crate::support::TestDatabase;

pub(crate) const KEYS: &str = "family/api/users/me/mcp-tokens";
pub(crate) const TASKS: &str = "family/api/v1/read/tasks";
pub(crate) const NOW: &str = "2026-11-20T10:15:30.123Z";

/// The app with its sample household, and a clock that only the test advances.
pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) database: TestDatabase,
    pub(crate) clock: ManualClock,
}

/// The name and value of the `Cookie` or `Authorization` header of a caller.
pub(crate) type Credentials = (salvo::http::HeaderName, String);

impl App {
    pub(crate) async fn start() -> Self {
        let clock = ManualClock::new(NOW.parse::<Timestamp>().unwrap());
        let database = TestDatabase::new(clock.clone()).await;
        sqlx::raw_sql(include_str!("../../sample.sql")).execute(&database.hearth.writer).await.unwrap();
        Self {
            service: database.hearth.clone().service("http://127.0.0.1/family".parse().ok()).unwrap(),
            database,
            clock,
        }
    }

    /// Starts the app. Returns it with the credentials of a new key of Ines.
    pub(crate) async fn with_key() -> (Self, Credentials) {
        let app = Self::start().await;
        let (_, token) = app.create_key(&app.sign_in("ines").await).await;
        (app, token)
    }

    /// Sends a request. Returns the status and the JSON body, or `Null` if the body is not JSON.
    pub(crate) async fn send(
        &self,
        credentials: &Credentials,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let url = format!("http://127.0.0.1/{path}");
        let request = RequestBuilder::new(url, method).add_header(credentials.0.clone(), &credentials.1, true);
        let request = if let Some(body) = body { request.json(&body) } else { request };
        let mut response = request.send(&self.service).await;
        let body = response.take_string().await.unwrap();
        (response.status_code.unwrap().as_u16(), serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub(crate) async fn issue_code(&self, person: &str) -> String {
        self.database.hearth.issue_code(&person.parse().unwrap()).await.unwrap().expose().to_owned()
    }

    /// Signs in with a code. Returns the cookie if the code is accepted.
    pub(crate) async fn redeem_code(&self, code: &str) -> Option<Credentials> {
        let request = TestClient::post("http://127.0.0.1/sign-in").json(&json!({ "code": code }));
        let response = request.send(&self.service).await;
        let cookie = response.headers().get(SET_COOKIE)?.to_str().unwrap();
        Some((COOKIE, cookie.split(';').next().unwrap().to_owned()))
    }

    pub(crate) async fn sign_in(&self, person: &str) -> Credentials {
        self.redeem_code(&self.issue_code(person).await).await.unwrap()
    }

    /// Creates a key in a session. Returns the id of the key and the header with its token.
    pub(crate) async fn create_key(&self, session: &Credentials) -> (String, Credentials) {
        let (status, key) = self.send(session, Method::POST, KEYS, Some(json!({ "mode": "v1_read_write" }))).await;
        assert_eq!(status, 201, "{key}");
        let token = key["token"].as_str().unwrap();
        assert!(token.starts_with("hearth_"));
        (key["id"].as_str().unwrap().to_owned(), (AUTHORIZATION, format!("Bearer {token}")))
    }

    /// Returns the titles of the tasks in the first column.
    pub(crate) async fn task_titles(&self, token: &Credentials) -> Vec<String> {
        let (status, boards) = self.send(token, Method::GET, TASKS, None).await;
        assert_eq!(status, 200, "{boards}");
        let tasks = boards[0]["columns"][0]["tasks"].as_array().unwrap();
        tasks.iter().map(|task| task["title"].as_str().unwrap().to_owned()).collect()
    }
}
