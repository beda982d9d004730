//! Users that enable and disable the personal API. Their keys work only if it is enabled.

use serde_json::json;

use crate::client::{send, with_token};
use crate::credential::Credential;
use crate::kill::writer::Expected;
use crate::sandbox::Server;

pub(crate) struct Flags {
    /// The session and a token of each user.
    users: Vec<(Credential, String)>,
    /// Whether the personal API of each user is enabled.
    are_on: Expected<Vec<bool>>,
    /// The index of the user that writes next.
    turn: usize,
}

impl Flags {
    /// Creates flags that are on.
    pub(crate) fn new(users: Vec<(Credential, String)>) -> Self {
        Self { are_on: Expected::new(vec![true; users.len()]), users, turn: 0 }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let mut next = self.are_on.state.clone();
        next[self.turn] = !next[self.turn];
        let body = json!({ "personalApiEnabled": next[self.turn] });
        let request = self.users[self.turn].0.request(server, "PATCH", "/api/users/me", Some(body));
        if self.are_on.write(next, request, 200).await.is_none() {
            return false;
        }
        self.turn = (self.turn + 1) % self.users.len();
        true
    }

    /// Reads the stored flags. A key works only if the flag of its user is on.
    pub(crate) async fn check_after_restart(&mut self, server: &Server) -> Option<bool> {
        let mut stored = Vec::new();
        for (session, token) in &self.users {
            let profile = send(session.request(server, "GET", "/api/users/me", None)).await.json();
            let is_on = profile["personalApiEnabled"].as_bool().unwrap();
            let answer = with_token(server, token, "GET", "/api/v1/me", None).await;
            assert_eq!(answer.status, if is_on { 200 } else { 401 }, "{answer:?}");
            stored.push(is_on);
        }
        self.are_on.check(stored)
    }
}
