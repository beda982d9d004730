//! Notes that a writer deletes one by one.

use std::collections::VecDeque;

use crate::kill::documents::Documents;
use crate::kill::writer::{InDoubtCounts, Writer};
use crate::sandbox::Server;

pub(crate) struct DeletedNotes {
    remaining: VecDeque<String>,
    acknowledged: Vec<String>,
    in_doubt: Option<String>,
    writer: Writer,
}

impl DeletedNotes {
    pub(crate) fn new(remaining: impl Iterator<Item = String>, writer: Writer) -> Self {
        Self { remaining: remaining.collect(), acknowledged: Vec::new(), in_doubt: None, writer }
    }

    /// Deletes the next note. Returns `false` if no note is left or the write is in doubt.
    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let Some(id) = self.remaining.pop_front() else {
            return false;
        };
        let answer = self.writer.attempt(server, "DELETE", &format!("/api/v1/notes/{id}"), None).await;
        let Some(answer) = answer else {
            self.in_doubt = Some(id);
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        self.acknowledged.push(id);
        true
    }

    pub(crate) fn check_after_restart(&mut self, documents: &Documents, in_doubt_counts: &mut InDoubtCounts) {
        if let Some(id) = self.in_doubt.take() {
            let is_applied = !documents.notes.contains_key(&id);
            in_doubt_counts.record(is_applied);
            if is_applied { self.acknowledged.push(id) } else { self.remaining.push_front(id) }
        }
        for id in &self.acknowledged {
            assert!(!documents.notes.contains_key(id), "deleted note {id} still exists");
        }
        for id in &self.remaining {
            assert!(documents.notes.contains_key(id), "note {id} is lost");
        }
    }
}
