//! Tasks that a writer creates with idempotency keys, deletes and restores. Each one exists exactly once, or not at all.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::kill::documents::Documents;
use crate::kill::writer::{InDoubtCounts, Writer};
use crate::sandbox::Server;

/// The maximum number of tasks that exist at once.
const MAX_TASKS: usize = 30;
/// How many of the deleted tasks can be restored. The server forgets the oldest ones if a family has too many.
const MAX_RESTORABLE: usize = 30;

pub(crate) struct CreatedTasks {
    /// The number of creations. It is part of the title and of the idempotency key.
    count: u64,
    /// Ids of the tasks that exist, by title.
    present: BTreeMap<String, String>,
    /// Titles and ids of deleted tasks, the latest last.
    deleted: Vec<(String, String)>,
    in_doubt: Option<InDoubt>,
    writer: Writer,
    rng: fastrand::Rng,
}

/// An operation without an acknowledgement. Contains the title of the task, and its id if it is known.
enum InDoubt {
    Creation(String),
    Deletion(String, String),
    Restoration(String, String),
}

impl CreatedTasks {
    pub(crate) fn new(writer: Writer, rng: fastrand::Rng) -> Self {
        Self { count: 0, present: BTreeMap::new(), deleted: Vec::new(), in_doubt: None, writer, rng }
    }

    /// Creates, deletes or restores a task. Returns `false` if the write is in doubt.
    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        match self.rng.u8(0..4) {
            0 | 1 if self.present.len() < MAX_TASKS => self.create(server).await,
            2 if !self.deleted.is_empty() => self.restore(server).await,
            _ if self.present.is_empty() => self.create(server).await,
            _ => self.delete(server).await,
        }
    }

    async fn create(&mut self, server: &Server) -> bool {
        self.count += 1;
        let title = format!("created-{}", self.count);
        // Some clients repeat a request although it succeeded.
        for _ in 0..self.rng.usize(1..3) {
            let Some(id) = self.send_creation(server, &title).await else {
                self.in_doubt = Some(InDoubt::Creation(title));
                return false;
            };
            let first = self.present.entry(title.clone()).or_insert_with(|| id.clone());
            assert_eq!(*first, id, "a repeated creation of {title} returned another task");
        }
        true
    }

    /// Sends a creation. Its idempotency key is the title. Returns the id of the task.
    async fn send_creation(&self, server: &Server, title: &str) -> Option<String> {
        let body = json!({ "title": title, "description": title, "columnId": "todo" });
        let key = [("idempotency-key", title)];
        let answer = self.writer.attempt_with(server, "POST", "/api/v1/tasks", &key, Some(body)).await?;
        assert_eq!(answer.status, 201, "{answer:?}");
        let task = answer.json();
        assert_eq!((&task["title"], &task["description"]), (&json!(title), &json!(title)));
        Some(task["id"].as_str().unwrap().to_owned())
    }

    async fn delete(&mut self, server: &Server) -> bool {
        let title = self.rng.choice(self.present.keys()).unwrap().clone();
        let id = self.present.remove(&title).unwrap();
        let Some(answer) = self.writer.attempt(server, "DELETE", &format!("/api/v1/tasks/{id}"), None).await else {
            self.in_doubt = Some(InDoubt::Deletion(title, id));
            return false;
        };
        assert_eq!((answer.status, answer.json()), (200, json!({ "success": true, "id": id })));
        self.keep_deleted(title, id);
        true
    }

    async fn restore(&mut self, server: &Server) -> bool {
        let (title, id) = self.deleted.swap_remove(self.rng.usize(..self.deleted.len()));
        let path = format!("/api/v1/tasks/{id}/restore");
        let Some(answer) = self.writer.attempt(server, "POST", &path, None).await else {
            self.in_doubt = Some(InDoubt::Restoration(title, id));
            return false;
        };
        assert_eq!((answer.status, &answer.json()["title"]), (200, &Value::from(title.clone())), "{answer:?}");
        self.present.insert(title, id);
        true
    }

    fn keep_deleted(&mut self, title: String, id: String) {
        if self.deleted.len() == MAX_RESTORABLE {
            self.deleted.remove(0);
        }
        self.deleted.push((title, id));
    }

    pub(crate) async fn check_after_restart(
        &mut self,
        server: &Server,
        documents: &Documents,
        in_doubt_counts: &mut InDoubtCounts,
    ) {
        let mut stored = BTreeMap::new();
        for (id, task) in &documents.tasks {
            let title = task["title"].as_str().unwrap();
            if title.starts_with("created-") {
                assert_eq!(stored.insert(title.to_owned(), id.clone()), None, "{title} was created twice");
            }
        }
        match self.in_doubt.take() {
            Some(InDoubt::Creation(title)) => {
                let created = stored.get(&title).cloned();
                in_doubt_counts.record(created.is_some() && !self.present.contains_key(&title));
                // The repeated request returns the task of the first one, or creates it now.
                let repeated = self.send_creation(server, &title).await.unwrap();
                assert!(created.is_none_or(|id| id == repeated), "the repetition created {title} again");
                stored.insert(title.clone(), repeated.clone());
                self.present.insert(title, repeated);
            }
            Some(InDoubt::Deletion(title, id)) => {
                let is_applied = !stored.contains_key(&title);
                in_doubt_counts.record(is_applied);
                if is_applied { self.keep_deleted(title, id) } else { drop(self.present.insert(title, id)) }
            }
            Some(InDoubt::Restoration(title, id)) => {
                let is_applied = stored.contains_key(&title);
                in_doubt_counts.record(is_applied);
                if is_applied { drop(self.present.insert(title, id)) } else { self.keep_deleted(title, id) }
            }
            None => {}
        }
        assert_eq!(stored, self.present, "the tasks that exist, expected those that were acknowledged");
    }
}
