//! Tasks that change places: those that make room for one another do so in the same step.

use std::collections::BTreeMap;

use serde_json::json;

use crate::kill::attempt::{Doubts, Writer};
use crate::kill::documents::Documents;
use crate::sandbox::Server;

/// The column and the order of each task.
type Places = BTreeMap<String, (String, i64)>;

pub(crate) struct Moved {
    places: Places,
    /// As they are if the move that is in doubt was made.
    doubtful: Option<Places>,
    columns: [&'static str; 2],
    writer: Writer,
    chance: fastrand::Rng,
}

impl Moved {
    /// All of them stand in the first column, at its beginning.
    pub(crate) fn new(ids: &[&str], columns: [&'static str; 2], writer: Writer, chance: fastrand::Rng) -> Self {
        let places = ids.iter().map(|id| ((*id).to_owned(), (columns[0].to_owned(), 0))).collect();
        Self { places, doubtful: None, columns, writer, chance }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let task = self.chance.choice(self.places.keys()).unwrap().clone();
        let (column, order) = (self.columns[self.chance.usize(0..2)], self.chance.i64(0..4));
        let next = moved(&self.places, &task, column, order);
        self.doubtful = Some(next.clone());
        let body = json!({ "type": "move-task", "columnId": column, "order": order });
        let Some(answer) = self.writer.attempt(server, "PATCH", &format!("/api/v1/tasks/{task}"), Some(body)).await
        else {
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        (self.places, self.doubtful) = (next, None);
        true
    }

    pub(crate) fn check(&mut self, documents: &Documents, doubts: &mut Doubts) {
        let place = |id: &String| {
            let task = &documents.tasks[id];
            (task["columnId"].as_str().unwrap().to_owned(), task["order"].as_i64().unwrap())
        };
        let found: Places = self.places.keys().map(|id| (id.clone(), place(id))).collect();
        let doubtful = self.doubtful.take();
        assert!(found == self.places || Some(&found) == doubtful.as_ref(), "{found:?}, not {:?}", self.places);
        if doubtful.is_some() {
            doubts.count(found != self.places);
        }
        self.places = found;
    }
}

/// The places after a move (HTTP reference, "Moving a task").
fn moved(places: &Places, task: &str, column: &str, order: i64) -> Places {
    let mut next = places.clone();
    next.remove(task);
    if next.values().any(|(there, at)| (there.as_str(), *at) == (column, order)) {
        for (_, at) in next.values_mut().filter(|(there, at)| there == column && *at >= order) {
            *at += 1;
        }
    }
    next.insert(task.to_owned(), (column.to_owned(), order));
    next
}
