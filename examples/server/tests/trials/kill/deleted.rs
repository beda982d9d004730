//! Notes that go one after the other.

use std::collections::VecDeque;

use crate::kill::attempt::{Doubts, Writer};
use crate::kill::documents::Documents;
use crate::sandbox::Server;

pub(crate) struct Deleted {
    left: VecDeque<String>,
    gone: Vec<String>,
    doubtful: Option<String>,
    writer: Writer,
}

impl Deleted {
    pub(crate) fn new(left: impl Iterator<Item = String>, writer: Writer) -> Self {
        Self { left: left.collect(), gone: Vec::new(), doubtful: None, writer }
    }

    /// Deletes the next one, if any is left.
    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let Some(id) = self.left.pop_front() else {
            return false;
        };
        let answer = self.writer.attempt(server, "DELETE", &format!("/api/v1/notes/{id}"), None).await;
        let Some(answer) = answer else {
            self.doubtful = Some(id);
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        self.gone.push(id);
        true
    }

    pub(crate) fn check(&mut self, documents: &Documents, doubts: &mut Doubts) {
        if let Some(id) = self.doubtful.take() {
            let is_done = !documents.notes.contains_key(&id);
            doubts.count(is_done);
            if is_done { self.gone.push(id) } else { self.left.push_front(id) }
        }
        for id in &self.gone {
            assert!(!documents.notes.contains_key(id), "{id} has come back");
        }
        for id in &self.left {
            assert!(documents.notes.contains_key(id), "{id} is lost");
        }
    }
}
