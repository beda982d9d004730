//! A user that creates and revokes keys.

use std::collections::BTreeSet;

use serde_json::json;

use crate::client::with_token;
use crate::kill::writer::{InDoubtCounts, Writer};
use crate::sandbox::Server;
use crate::session::{KEYS, Key};

/// The statuses for a revoked key: 401, or 429 after too many failed attempts.
const REFUSED: [u16; 2] = [401, 429];

/// The maximum number of active keys in this trial, below the limit of the server.
const MAX_KEYS: usize = 20;

pub(crate) struct Keys {
    live: Vec<Key>,
    revoked: Vec<Key>,
    /// The number of keys in `revoked` at the last check.
    checked_count: usize,
    in_doubt: Option<InDoubt>,
    writer: Writer,
    rng: fastrand::Rng,
}

/// An operation without an acknowledgement.
enum InDoubt {
    /// The token of the new key is unknown.
    Creation,
    Revocation(Key),
}

impl Keys {
    pub(crate) fn new(writer: Writer, rng: fastrand::Rng) -> Self {
        Self { live: Vec::new(), revoked: Vec::new(), checked_count: 0, in_doubt: None, writer, rng }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let creates = self.live.is_empty() || (self.live.len() < MAX_KEYS && self.rng.bool());
        if creates { self.create(server).await } else { self.revoke(server).await }
    }

    async fn create(&mut self, server: &Server) -> bool {
        let body = json!({ "mode": "v1_read" });
        let Some(answer) = self.writer.attempt(server, "POST", KEYS, Some(body)).await else {
            self.in_doubt = Some(InDoubt::Creation);
            return false;
        };
        assert_eq!(answer.status, 201, "{answer:?}");
        self.live.push(Key::from_json(&answer.json()));
        true
    }

    async fn revoke(&mut self, server: &Server) -> bool {
        let key = self.live.swap_remove(self.rng.usize(..self.live.len()));
        let Some(answer) = self.writer.attempt(server, "DELETE", &format!("{KEYS}/{}", key.id), None).await else {
            self.in_doubt = Some(InDoubt::Revocation(key));
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        self.revoked.push(key);
        true
    }

    pub(crate) async fn check_after_restart(&mut self, server: &Server, in_doubt_counts: &mut InDoubtCounts) {
        let mut listed_ids = self.list_ids(server).await;
        match self.in_doubt.take() {
            Some(InDoubt::Revocation(key)) => {
                let is_applied = !listed_ids.contains(&key.id);
                in_doubt_counts.record(is_applied);
                if is_applied { self.revoked.push(key) } else { self.live.push(key) }
            }
            Some(InDoubt::Creation) => {
                let unknown = listed_ids.iter().find(|id| self.live.iter().all(|key| key.id != **id)).cloned();
                in_doubt_counts.record(unknown.is_some());
                if let Some(id) = unknown {
                    listed_ids.remove(&id);
                    let answer = self.writer.attempt(server, "DELETE", &format!("{KEYS}/{id}"), None).await;
                    assert_eq!(answer.unwrap().status, 200);
                }
            }
            None => {}
        }
        assert_eq!(listed_ids, self.live.iter().map(|key| key.id.clone()).collect());
        assert_statuses(server, &self.live, &[200]).await;
        assert_statuses(server, &self.revoked[self.checked_count..], &REFUSED).await;
        self.checked_count = self.revoked.len();
    }

    async fn list_ids(&self, server: &Server) -> BTreeSet<String> {
        let list = self.writer.attempt(server, "GET", KEYS, None).await.unwrap().json();
        let ids = list["tokens"].as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap().to_owned());
        ids.collect()
    }

    pub(crate) async fn check_revoked(&self, server: &Server) {
        assert_statuses(server, &self.revoked, &REFUSED).await;
    }

    pub(crate) fn revoked_count(&self) -> usize {
        self.revoked.len()
    }
}

async fn assert_statuses(server: &Server, keys: &[Key], statuses: &[u16]) {
    for key in keys {
        let answer = with_token(server, &key.token, "GET", "/api/v1/me", None).await;
        assert!(statuses.contains(&answer.status), "{} {answer:?}", key.id);
    }
}
