//! A user that creates and revokes keys.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::client::{send, with_token};
use crate::credential::Credential;
use crate::kill::writer::Expected;
use crate::sandbox::Server;
use crate::session::{KEYS, Key};

/// The statuses for a revoked key: 401, or 429 after too many failed attempts.
const REFUSED: [u16; 2] = [401, 429];

/// The maximum number of active keys in this trial, below the limit of the server.
const MAX_KEYS: usize = 20;

/// Stands for the id of a key whose creation is in doubt.
const UNKNOWN: &str = "unknown";

pub(crate) struct Keys {
    /// The ids of the active keys.
    live: Expected<BTreeSet<String>>,
    /// The tokens of all keys, by their ids.
    tokens: BTreeMap<String, String>,
    /// The ids of the keys that were revoked since the last check, or whose revocation is in doubt.
    revoked: Vec<String>,
    writer: Credential,
    rng: fastrand::Rng,
}

impl Keys {
    pub(crate) fn new(writer: Credential, rng: fastrand::Rng) -> Self {
        Self { live: Expected::new(BTreeSet::new()), tokens: BTreeMap::new(), revoked: Vec::new(), writer, rng }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let live = &self.live.state;
        let creates = live.is_empty() || (live.len() < MAX_KEYS && self.rng.bool());
        if creates { self.create(server).await } else { self.revoke(server).await }
    }

    async fn create(&mut self, server: &Server) -> bool {
        let mut next = self.live.state.clone();
        next.insert(UNKNOWN.to_owned());
        let request = self.writer.request(server, "POST", KEYS, Some(json!({ "mode": "v1_read" })));
        let Some(answer) = self.live.write(next, request, 201).await else {
            return false;
        };
        let Key { id, token } = Key::from_json(&answer.json());
        self.live.state.remove(UNKNOWN);
        self.live.state.insert(id.clone());
        self.tokens.insert(id, token);
        true
    }

    async fn revoke(&mut self, server: &Server) -> bool {
        let id = self.rng.choice(&self.live.state).unwrap().clone();
        let mut next = self.live.state.clone();
        next.remove(&id);
        let request = self.writer.request(server, "DELETE", &format!("{KEYS}/{id}"), None);
        self.revoked.push(id);
        self.live.write(next, request, 200).await.is_some()
    }

    pub(crate) async fn check_after_restart(&mut self, server: &Server) -> Option<bool> {
        let listed = self.list_ids(server).await;
        let (mut stored, unknown): (BTreeSet<_>, BTreeSet<_>) =
            listed.into_iter().partition(|id| self.tokens.contains_key(id));
        assert!(unknown.len() < 2, "{unknown:?}");
        stored.extend(unknown.first().map(|_| UNKNOWN.to_owned()));
        let is_applied = self.live.check(stored);
        for id in unknown {
            let revocation = self.writer.request(server, "DELETE", &format!("{KEYS}/{id}"), None);
            assert_eq!(send(revocation).await.status, 200);
        }
        self.live.state.remove(UNKNOWN);
        self.assert_statuses(server, &self.live.state, &[200]).await;
        let revoked = std::mem::take(&mut self.revoked);
        let revoked = revoked.iter().filter(|id| !self.live.state.contains(*id));
        self.assert_statuses(server, revoked, &REFUSED).await;
        is_applied
    }

    async fn list_ids(&self, server: &Server) -> Vec<String> {
        let list = send(self.writer.request(server, "GET", KEYS, None)).await.json();
        let ids = list["tokens"].as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap().to_owned());
        ids.collect()
    }

    /// Asserts that all revoked keys are refused. Returns their number.
    pub(crate) async fn check_revoked(&self, server: &Server) -> usize {
        let revoked: Vec<&String> = self.tokens.keys().filter(|id| !self.live.state.contains(*id)).collect();
        self.assert_statuses(server, revoked.iter().copied(), &REFUSED).await;
        revoked.len()
    }

    async fn assert_statuses(&self, server: &Server, ids: impl IntoIterator<Item = &String>, statuses: &[u16]) {
        for id in ids {
            let answer = with_token(server, &self.tokens[id], "GET", "/api/v1/me", None).await;
            assert!(statuses.contains(&answer.status), "{id} {answer:?}");
        }
    }
}
