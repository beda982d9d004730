//! Users that revoke keys, switch the personal API, and sign out.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::client::{Destination, Response, sign_in_request};
use crate::credential::Credential;
use crate::family::PASSWORD;
use crate::nodes::Trial;
use crate::nodes::balancer::Client;
use crate::nodes::change::Callers;
use crate::session::{KEYS, Key};

/// The pause between two sessions of [`end_sessions`], because sign-ins are limited.
const SIGN_IN_PAUSE: Duration = Duration::from_millis(500);

/// A user with a session.
pub(crate) struct User<'a> {
    client: Client<'a>,
    session: Credential,
}

impl<'a> User<'a> {
    pub(crate) async fn sign_in(trial: &'a Trial, user: &str) -> Self {
        let client = Client::new(trial);
        let email = format!("{user}@family.example");
        let (answer, _) = client.send_until_answered(|to| sign_in_request(to, &email, PASSWORD)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        Self { client, session: Credential::Cookie(answer.cookie()) }
    }

    /// Sends a request until it is answered. Returns the answer, and whether an earlier attempt is in doubt.
    async fn send(&self, method: &str, path: &str, body: Option<Value>) -> (Response, bool) {
        let request = |to: &Destination| self.session.request(to, method, path, body.clone());
        self.client.send_until_answered(request).await
    }

    /// Creates a key. If an attempt is in doubt, first revokes the key that it may have created.
    pub(crate) async fn create_key(&self) -> Key {
        loop {
            let (answer, is_repeated) = self.send("POST", KEYS, Some(json!({ "mode": "v1_full" }))).await;
            assert_eq!(answer.status, 201, "{answer:?}");
            if !is_repeated {
                return Key::from_json(&answer.json());
            }
            self.revoke_all().await;
        }
    }

    async fn revoke_all(&self) {
        let (answer, _) = self.send("GET", KEYS, None).await;
        for key in answer.json()["tokens"].as_array().unwrap() {
            self.revoke(key["id"].as_str().unwrap()).await;
        }
    }

    async fn revoke(&self, key: &str) {
        let (answer, is_repeated) = self.send("DELETE", &format!("{KEYS}/{key}"), None).await;
        // The balancer never repeats the request, so only the user's own repetition finds a revoked key.
        assert!(answer.status == 200 || (is_repeated && answer.status == 404), "{answer:?}");
    }

    async fn set_api(&self, is_on: bool) {
        let (answer, _) = self.send("PATCH", "/api/users/me", Some(json!({ "personalApiEnabled": is_on }))).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    async fn sign_out(&self) {
        let (answer, is_repeated) = self.send("POST", "/logout", None).await;
        assert!(answer.status == 200 || (is_repeated && answer.status == 401), "{answer:?}");
    }
}

/// Creates and revokes keys. Returns the revoked tokens.
pub(crate) async fn revoke_keys(trial: &Trial, user: &str) -> Vec<String> {
    let user = User::sign_in(trial, user).await;
    let callers = Callers::new(trial);
    let mut revoked = Vec::new();
    while trial.is_running.get() {
        let key = user.create_key().await;
        callers.change(&Credential::Token(key.token.clone()), [200, 401], user.revoke(&key.id)).await;
        revoked.push(key.token);
    }
    revoked
}

/// Switches the personal API of a user off and on. Returns how often.
pub(crate) async fn switch_api(trial: &Trial, user: &str) -> u64 {
    let user = User::sign_in(trial, user).await;
    let token = Credential::Token(user.create_key().await.token);
    let callers = Callers::new(trial);
    let mut switches = 0;
    while trial.is_running.get() {
        callers.change(&token, [200, 401], user.set_api(false)).await;
        callers.change(&token, [401, 200], user.set_api(true)).await;
        switches += 2;
    }
    switches
}

/// Signs users in and out. Returns the number of ended sessions.
pub(crate) async fn end_sessions(trial: &Trial, users: [&str; 3]) -> u64 {
    let callers = Callers::new(trial);
    let mut ended = 0;
    for user in users.into_iter().cycle() {
        if !trial.is_running.get() {
            break;
        }
        let user = User::sign_in(trial, user).await;
        callers.change(&user.session, [200, 401], user.sign_out()).await;
        ended += 1;
        sleep(SIGN_IN_PAUSE).await;
    }
    ended
}
