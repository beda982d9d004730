//! Users that revoke keys, switch the personal API, and sign out.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::family::PASSWORD;
use crate::nodes::Trial;
use crate::nodes::balancer::Client;
use crate::nodes::change::{Callers, Credential};
use crate::session::{KEYS, Key};
use crate::wire::{Reply, in_session};

/// The pause between two sessions of [`end_sessions`], because sign-ins are limited.
const SIGN_IN_PAUSE: Duration = Duration::from_millis(500);

/// A user with a session.
pub(crate) struct User<'a> {
    client: Client<'a>,
    cookie: String,
}

impl<'a> User<'a> {
    pub(crate) async fn sign_in(trial: &'a Trial, user: &str) -> Self {
        let mut client = Client::new(trial);
        let body = json!({ "email": format!("{user}@family.example"), "password": PASSWORD }).to_string();
        let (reply, _) = client.send_until_answered(|| in_session("", "POST", "/login", Some(body.clone()))).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let cookie = reply.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        Self { client, cookie }
    }

    /// Sends a request until it is answered. Returns the answer, and whether an earlier attempt is in doubt.
    async fn send(&mut self, method: &str, path: &str, body: Option<Value>) -> (Reply, bool) {
        let body = body.map(|body| body.to_string());
        let request = || in_session(&self.cookie, method, path, body.clone());
        self.client.send_until_answered(request).await
    }

    /// Creates a key. If an attempt is in doubt, first revokes the key that it may have created.
    pub(crate) async fn create_key(&mut self) -> Key {
        loop {
            let (reply, is_repeated) = self.send("POST", KEYS, Some(json!({ "mode": "v1_full" }))).await;
            assert_eq!(reply.status, 201, "{reply:?}");
            if !is_repeated {
                return Key::from_json(&serde_json::from_slice(&reply.body).unwrap());
            }
            self.revoke_all().await;
        }
    }

    async fn revoke_all(&mut self) {
        let (reply, _) = self.send("GET", KEYS, None).await;
        let list: Value = serde_json::from_slice(&reply.body).unwrap();
        for key in list["tokens"].as_array().unwrap() {
            self.revoke(key["id"].as_str().unwrap()).await;
        }
    }

    async fn revoke(&mut self, key: &str) {
        let (reply, is_repeated) = self.send("DELETE", &format!("{KEYS}/{key}"), None).await;
        // The balancer never repeats the request, so only the user's own repetition finds a revoked key.
        assert!(reply.status == 200 || (is_repeated && reply.status == 404), "{reply:?}");
    }

    async fn set_api(&mut self, is_on: bool) {
        let (reply, _) = self.send("PATCH", "/api/users/me", Some(json!({ "personalApiEnabled": is_on }))).await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }

    async fn sign_out(&mut self) {
        let (reply, is_repeated) = self.send("POST", "/logout", None).await;
        assert!(reply.status == 200 || (is_repeated && reply.status == 401), "{reply:?}");
    }
}

/// Creates and revokes keys. Returns the revoked tokens.
pub(crate) async fn revoke_keys(trial: &Trial, user: &str) -> Vec<String> {
    let mut user = User::sign_in(trial, user).await;
    let mut callers = Callers::new(trial);
    let mut revoked = Vec::new();
    while trial.is_running.get() {
        let key = user.create_key().await;
        callers.change(Credential::Token(&key.token), [200, 401], user.revoke(&key.id)).await;
        revoked.push(key.token);
    }
    revoked
}

/// Switches the personal API of a user off and on. Returns how often.
pub(crate) async fn switch_api(trial: &Trial, user: &str) -> u64 {
    let mut user = User::sign_in(trial, user).await;
    let token = user.create_key().await.token;
    let mut callers = Callers::new(trial);
    let mut switches = 0;
    while trial.is_running.get() {
        callers.change(Credential::Token(&token), [200, 401], user.set_api(false)).await;
        callers.change(Credential::Token(&token), [401, 200], user.set_api(true)).await;
        switches += 2;
    }
    switches
}

/// Signs users in and out. Returns the number of ended sessions.
pub(crate) async fn end_sessions(trial: &Trial, users: [&str; 3]) -> u64 {
    let mut callers = Callers::new(trial);
    let mut ended = 0;
    for user in users.into_iter().cycle() {
        if !trial.is_running.get() {
            break;
        }
        let mut user = User::sign_in(trial, user).await;
        let cookie = user.cookie.clone();
        callers.change(Credential::Cookie(&cookie), [200, 401], user.sign_out()).await;
        ended += 1;
        sleep(SIGN_IN_PAUSE).await;
    }
    ended
}
