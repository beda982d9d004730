//! Tasks that a writer creates with idempotency keys, deletes and restores. Each one exists exactly once, or not at all.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::credential::Credential;
use crate::kill::documents::Documents;
use crate::kill::writer::Expected;
use crate::sandbox::Server;

/// The maximum number of tasks that exist at once.
const MAX_TASKS: usize = 30;
/// How many of the deleted tasks can be restored. The server forgets the oldest ones if a family has too many.
const MAX_RESTORABLE: usize = 30;

pub(crate) struct CreatedTasks {
    /// The number of creations. It is part of the title and of the idempotency key.
    count: u64,
    /// The titles of the tasks that exist.
    present: Expected<BTreeSet<String>>,
    /// The ids of all tasks, by title. Those of a creation in doubt are not known.
    ids: BTreeMap<String, String>,
    /// The titles of deleted tasks, the latest last.
    deleted: Vec<String>,
    /// The title of the task of the last write.
    last: String,
    writer: Credential,
    rng: fastrand::Rng,
}

impl CreatedTasks {
    pub(crate) fn new(writer: Credential, rng: fastrand::Rng) -> Self {
        let (present, ids) = (Expected::new(BTreeSet::new()), BTreeMap::new());
        Self { count: 0, present, ids, deleted: Vec::new(), last: String::new(), writer, rng }
    }

    /// Creates, deletes or restores a task. Returns `false` if the write is in doubt.
    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        match self.rng.u8(0..4) {
            0 | 1 if self.present.state.len() < MAX_TASKS => self.create(server).await,
            2 if !self.deleted.is_empty() => self.restore(server).await,
            _ if self.present.state.is_empty() => self.create(server).await,
            _ => self.delete(server).await,
        }
    }

    async fn create(&mut self, server: &Server) -> bool {
        self.count += 1;
        self.last = format!("created-{}", self.count);
        // Some clients repeat a request although it succeeded.
        for _ in 0..self.rng.usize(1..3) {
            if !self.send_creation(server).await {
                return false;
            }
        }
        true
    }

    /// Sends a creation of the last task. Its idempotency key is the title.
    async fn send_creation(&mut self, server: &Server) -> bool {
        let title = self.last.clone();
        let body = json!({ "title": title, "description": title, "columnId": "todo" });
        let request = self.writer.request(server, "POST", "/api/v1/tasks", Some(body));
        let mut next = self.present.state.clone();
        next.insert(title.clone());
        let Some(answer) = self.present.write(next, request.header("idempotency-key", &title), 201).await else {
            return false;
        };
        let task = answer.json();
        assert_eq!((&task["title"], &task["description"]), (&json!(title), &json!(title)));
        self.know(&title, task["id"].as_str().unwrap());
        true
    }

    /// Asserts that the title always belongs to the same task.
    fn know(&mut self, title: &str, id: &str) {
        let first = self.ids.entry(title.to_owned()).or_insert_with(|| id.to_owned());
        assert_eq!(first, id, "{title} was created twice");
    }

    async fn delete(&mut self, server: &Server) -> bool {
        self.last.clone_from(self.rng.choice(&self.present.state).unwrap());
        let mut next = self.present.state.clone();
        next.remove(&self.last);
        let id = &self.ids[&self.last];
        let request = self.writer.request(server, "DELETE", &format!("/api/v1/tasks/{id}"), None);
        let Some(answer) = self.present.write(next, request, 200).await else {
            return false;
        };
        assert_eq!(answer.json(), json!({ "success": true, "id": id }));
        self.keep_deleted();
        true
    }

    async fn restore(&mut self, server: &Server) -> bool {
        self.last = self.deleted.swap_remove(self.rng.usize(..self.deleted.len()));
        let mut next = self.present.state.clone();
        next.insert(self.last.clone());
        let path = format!("/api/v1/tasks/{}/restore", self.ids[&self.last]);
        let Some(answer) = self.present.write(next, self.writer.request(server, "POST", &path, None), 200).await else {
            return false;
        };
        assert_eq!(answer.json()["title"], self.last.as_str());
        true
    }

    /// Keeps the last task, which is deleted.
    fn keep_deleted(&mut self) {
        if self.deleted.len() == MAX_RESTORABLE {
            self.deleted.remove(0);
        }
        self.deleted.push(self.last.clone());
    }

    pub(crate) async fn check_after_restart(&mut self, server: &Server, documents: &Documents) -> Option<bool> {
        let is_new = !self.ids.contains_key(&self.last);
        let mut stored = BTreeSet::new();
        for (id, task) in &documents.tasks {
            let title = task["title"].as_str().unwrap();
            if title.starts_with("created-") {
                assert!(stored.insert(title.to_owned()), "{title} was created twice");
                self.know(title, id);
            }
        }
        let is_applied = self.present.check(stored)?;
        if is_new {
            // The repeated request returns the task of the first one, or creates it now.
            assert!(self.send_creation(server).await);
        } else if !self.present.state.contains(&self.last) {
            self.keep_deleted();
        }
        Some(is_applied)
    }
}
