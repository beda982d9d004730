//! Tasks that are moved. A move and the shift of the tasks after it must be atomic.

use std::collections::BTreeMap;

use serde_json::json;

use crate::kill::attempt::{InDoubtCounts, Writer};
use crate::kill::documents::Documents;
use crate::sandbox::Server;

/// The column and the order of each task.
type Places = BTreeMap<String, (String, i64)>;

pub(crate) struct Moved {
    places: Places,
    /// The places if the move in doubt was applied.
    in_doubt: Option<Places>,
    columns: [&'static str; 2],
    writer: Writer,
    rng: fastrand::Rng,
}

impl Moved {
    /// Creates the writer. All tasks start at order 0 of the first column.
    pub(crate) fn new(ids: &[&str], columns: [&'static str; 2], writer: Writer, rng: fastrand::Rng) -> Self {
        let places = ids.iter().map(|id| ((*id).to_owned(), (columns[0].to_owned(), 0))).collect();
        Self { places, in_doubt: None, columns, writer, rng }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let task = self.rng.choice(self.places.keys()).unwrap().clone();
        let (column, order) = (self.columns[self.rng.usize(0..2)], self.rng.i64(0..4));
        let next = after_move(&self.places, &task, column, order);
        self.in_doubt = Some(next.clone());
        let body = json!({ "type": "move-task", "columnId": column, "order": order });
        let Some(answer) = self.writer.attempt(server, "PATCH", &format!("/api/v1/tasks/{task}"), Some(body)).await
        else {
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        self.places = next;
        self.in_doubt = None;
        true
    }

    pub(crate) fn check(&mut self, documents: &Documents, in_doubt_counts: &mut InDoubtCounts) {
        let place = |id: &String| {
            let task = &documents.tasks[id];
            (task["columnId"].as_str().unwrap().to_owned(), task["order"].as_i64().unwrap())
        };
        let found: Places = self.places.keys().map(|id| (id.clone(), place(id))).collect();
        let in_doubt = self.in_doubt.take();
        assert!(found == self.places || Some(&found) == in_doubt.as_ref(), "{found:?}, not {:?}", self.places);
        if in_doubt.is_some() {
            in_doubt_counts.record(found != self.places);
        }
        self.places = found;
    }
}

/// Returns the places after a move (HTTP reference, "Moving a task").
fn after_move(places: &Places, task: &str, column: &str, order: i64) -> Places {
    let mut next = places.clone();
    next.remove(task);
    if next.values().any(|(in_column, at)| (in_column.as_str(), *at) == (column, order)) {
        for (_, at) in next.values_mut().filter(|(in_column, at)| in_column == column && *at >= order) {
            *at += 1;
        }
    }
    next.insert(task.to_owned(), (column.to_owned(), order));
    next
}
