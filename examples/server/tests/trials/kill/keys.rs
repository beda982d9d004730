//! A user who makes keys and revokes them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::client::with_token;
use crate::kill::attempt::{Doubts, Writer};
use crate::sandbox::Server;
use crate::session::{KEYS, Key};

/// How a revoked key is refused: past a number of failures with the latter.
const NOBODYS: [u16; 2] = [401, 429];

/// Fewer than a user may have.
const MAX_KEYS: usize = 20;

pub(crate) struct Keys {
    live: Vec<Key>,
    revoked: Vec<Key>,
    /// How many were revoked when the last check was made.
    checked: usize,
    doubtful: Option<Doubtful>,
    writer: Writer,
    chance: fastrand::Rng,
}

/// What nobody has acknowledged.
enum Doubtful {
    /// Nobody knows the token of such a key.
    Creation,
    Revocation(Key),
}

impl Keys {
    pub(crate) fn new(writer: Writer, chance: fastrand::Rng) -> Self {
        Self { live: Vec::new(), revoked: Vec::new(), checked: 0, doubtful: None, writer, chance }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let creates = self.live.is_empty() || (self.live.len() < MAX_KEYS && self.chance.bool());
        if creates { self.create(server).await } else { self.revoke(server).await }
    }

    async fn create(&mut self, server: &Server) -> bool {
        let body = json!({ "mode": "v1_read" });
        let Some(answer) = self.writer.attempt(server, "POST", KEYS, Some(body)).await else {
            self.doubtful = Some(Doubtful::Creation);
            return false;
        };
        assert_eq!(answer.status, 201, "{answer:?}");
        self.live.push(Key::of(&answer.json()));
        true
    }

    async fn revoke(&mut self, server: &Server) -> bool {
        let key = self.live.swap_remove(self.chance.usize(..self.live.len()));
        let Some(answer) = self.writer.attempt(server, "DELETE", &format!("{KEYS}/{}", key.id), None).await else {
            self.doubtful = Some(Doubtful::Revocation(key));
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        self.revoked.push(key);
        true
    }

    pub(crate) async fn check(&mut self, server: &Server, doubts: &mut Doubts) {
        let mut listed = self.listed(server).await;
        match self.doubtful.take() {
            Some(Doubtful::Revocation(key)) => {
                let is_done = !listed.contains(&key.id);
                doubts.count(is_done);
                if is_done { self.revoked.push(key) } else { self.live.push(key) }
            }
            Some(Doubtful::Creation) => {
                let stranger = listed.iter().find(|id| self.live.iter().all(|key| key.id != **id)).cloned();
                doubts.count(stranger.is_some());
                if let Some(id) = stranger {
                    listed.remove(&id);
                    let answer = self.writer.attempt(server, "DELETE", &format!("{KEYS}/{id}"), None).await;
                    assert_eq!(answer.unwrap().status, 200);
                }
            }
            None => {}
        }
        assert_eq!(listed, self.live.iter().map(|key| key.id.clone()).collect());
        all_answer(server, &self.live, &[200]).await;
        all_answer(server, &self.revoked[self.checked..], &NOBODYS).await;
        self.checked = self.revoked.len();
    }

    async fn listed(&self, server: &Server) -> BTreeSet<String> {
        let list = self.writer.attempt(server, "GET", KEYS, None).await.unwrap().json();
        let ids = list["tokens"].as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap().to_owned());
        ids.collect()
    }

    pub(crate) async fn none_of_the_revoked_opens(&self, server: &Server) {
        all_answer(server, &self.revoked, &NOBODYS).await;
    }

    pub(crate) fn revoked(&self) -> usize {
        self.revoked.len()
    }
}

async fn all_answer(server: &Server, keys: &[Key], statuses: &[u16]) {
    for key in keys {
        let answer = with_token(server, &key.token, "GET", "/api/v1/me", None).await;
        assert!(statuses.contains(&answer.status), "{} {answer:?}", key.id);
    }
}
