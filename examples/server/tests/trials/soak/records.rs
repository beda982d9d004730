//! Members who create, change, delete and restore records. The number of records stays the same.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::header::{COOKIE, IF_MATCH};
use serde_json::{Value, json};

use crate::client::{Response, request, with_body};
use crate::session::{create_key, session_cookie};
use crate::soak::load::{Actor, Load};

/// The number of records of a kind that one member keeps.
pub(super) const KEPT: usize = 10;

/// The keys with which one member writes records of a kind, in turn.
const KEYS: usize = 3;

/// The pause between two new records of a kind and a member. In the first half hour, the tables of deleted records and
/// of idempotency keys then reach their maximum. Each record takes five requests.
const PAUSE: Duration = Duration::from_millis(500);

/// The pause between two containers. A user may make 60 writes per minute in sessions.
const CONTAINER_PAUSE: Duration = Duration::from_secs(10);

/// A kind of record: its table, the paths of its collection and its records, and the field that is changed.
pub(super) struct Kind {
    pub(super) table: &'static str,
    collection: &'static str,
    records: &'static str,
    changed: &'static str,
}

pub(super) const KINDS: [Kind; 4] = [
    Kind { table: "tasks", collection: "/api/v1/tasks", records: "/api/v1/tasks", changed: "description" },
    Kind { table: "notes", collection: "/api/v1/notes", records: "/api/v1/notes", changed: "content" },
    Kind { table: "events", collection: "/api/v1/events", records: "/api/v1/events", changed: "location" },
    Kind {
        table: "shopping_items",
        collection: "/api/v1/shopping-lists/groceries/items",
        records: "/api/v1/shopping-items",
        changed: "quantity",
    },
];

/// The members who write records.
pub(super) const MEMBERS: [&str; 2] = ["ana", "kim"];

pub(super) async fn actors(load: &Load) -> Vec<Actor<'_>> {
    let mut actors: Vec<Actor<'_>> = Vec::new();
    for member in MEMBERS {
        let cookie = session_cookie(&load.server, member).await;
        for kind in &KINDS {
            let mut tokens = Vec::new();
            for _ in 0..KEYS {
                tokens.push(create_key(&load.server, &cookie).await.token);
            }
            let mut writer = Writer { load, kind, member, tokens, sent: 0, created: 0, kept: VecDeque::new() };
            actors.push(Box::pin(async move { load.repeat(PAUSE, async || writer.step().await).await }));
        }
        actors.push(Box::pin(write_containers(load, cookie)));
    }
    actors
}

struct Writer<'a> {
    load: &'a Load,
    kind: &'static Kind,
    member: &'static str,
    tokens: Vec<String>,
    sent: usize,
    created: usize,
    kept: VecDeque<String>,
}

impl Writer<'_> {
    /// Creates a record, changes it, and deletes the oldest one. Some creations are repeated, some deletions reverted.
    async fn step(&mut self) {
        self.created += 1;
        let Some(created) = self.create().await else {
            return;
        };
        let id = created["id"].as_str().unwrap().to_owned();
        if self.created.is_multiple_of(3) && self.create().await.is_some_and(|again| again["id"] != created["id"]) {
            self.load.report(format_args!("a repeated creation created another record than {created}"));
        }
        let path = format!("{}/{id}", self.kind.records);
        let change = json!({ self.kind.changed: format!("changed {}", self.created) });
        self.send("PATCH", &path, None, Some(&change), &[200]).await;
        self.send("PATCH", &path, Some((IF_MATCH.as_str(), r#""outdated""#)), Some(&change), &[412]).await;
        self.kept.push_back(id);
        if self.kept.len() >= KEPT {
            let oldest = self.kept.pop_front().unwrap();
            self.delete(&oldest).await;
            if self.created.is_multiple_of(4) {
                let path = format!("{}/{oldest}/restore", self.kind.records);
                self.send("POST", &path, None, None, &[200]).await;
                self.delete(&oldest).await;
            }
        }
    }

    async fn create(&mut self) -> Option<Value> {
        let name = format!("{}-{}-{}", self.member, self.kind.table, self.created);
        let mut body = json!({ "title": name });
        match self.kind.table {
            "shopping_items" => body = json!({ "name": name }),
            "events" => {
                body["startDate"] = json!("2026-11-20");
                body["endDate"] = json!("2026-11-21");
                body["recurrence"] = json!("FREQ=WEEKLY;COUNT=10");
            }
            "notes" => body["content"] = json!("text ".repeat(400)),
            _ => body["labels"] = json!(["kids", "school"]),
        }
        self.load.add_rows("idempotency_keys", 1);
        let key = Some(("idempotency-key", name.as_str()));
        let answer = self.send("POST", self.kind.collection, key, Some(&body), &[201]).await?;
        Some(answer.json())
    }

    async fn delete(&mut self, id: &str) {
        self.load.add_rows("deleted_records", 1);
        self.send("DELETE", &format!("{}/{id}", self.kind.records), None, None, &[200]).await;
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        header: Option<(&str, &str)>,
        body: Option<&Value>,
        expected: &[u16],
    ) -> Option<Response> {
        self.sent += 1;
        let token = &self.tokens[self.sent % self.tokens.len()];
        let request = with_body(request(&self.load.server, method, path).bearer_auth(token), body.cloned());
        let request = header.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        self.load.send(request, expected).await
    }
}

/// Creates and deletes a board with a column, a list and a category.
async fn write_containers(load: &Load, cookie: String) {
    let send = async |method, path: &str, body, expected| {
        load.send(with_body(request(&load.server, method, path).header(COOKIE, &cookie), body), &[expected]).await
    };
    load.repeat(CONTAINER_PAUSE, async || {
        let mut created = Vec::new();
        for collection in ["boards", "shopping-lists", "note-categories"] {
            let path = format!("/api/{collection}");
            if let Some(answer) = send("POST", &path, Some(json!({ "name": "short-lived" })), 201).await {
                created.push(format!("{path}/{}", answer.json()["id"].as_str().unwrap()));
            }
        }
        for path in created {
            send("DELETE", &path, None, 200).await;
        }
    })
    .await;
}
