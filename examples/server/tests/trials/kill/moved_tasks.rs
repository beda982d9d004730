//! Tasks that are moved. A move also shifts the tasks below the moved task. Both changes must be applied, or neither.

use std::collections::BTreeMap;

use serde_json::json;

use crate::kill::documents::Documents;
use crate::kill::writer::{InDoubtCounts, Writer};
use crate::sandbox::Server;

/// The column and the order of each task.
type Positions = BTreeMap<String, (String, i64)>;

pub(crate) struct MovedTasks {
    positions: Positions,
    /// The positions if the move in doubt was applied.
    in_doubt: Option<Positions>,
    columns: [&'static str; 2],
    writer: Writer,
    rng: fastrand::Rng,
}

impl MovedTasks {
    /// Creates the tasks with their writer. All tasks start at order 0 of the first column.
    pub(crate) fn new(ids: &[&str], columns: [&'static str; 2], writer: Writer, rng: fastrand::Rng) -> Self {
        let positions = ids.iter().map(|id| ((*id).to_owned(), (columns[0].to_owned(), 0))).collect();
        Self { positions, in_doubt: None, columns, writer, rng }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let task = self.rng.choice(self.positions.keys()).unwrap().clone();
        let (column, order) = (self.columns[self.rng.usize(0..2)], self.rng.i64(0..4));
        let next = after_move(&self.positions, &task, column, order);
        self.in_doubt = Some(next.clone());
        let body = json!({ "type": "move-task", "columnId": column, "order": order });
        let Some(answer) = self.writer.attempt(server, "PATCH", &format!("/api/v1/tasks/{task}"), Some(body)).await
        else {
            return false;
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        self.positions = next;
        self.in_doubt = None;
        true
    }

    pub(crate) fn check_after_restart(&mut self, documents: &Documents, in_doubt_counts: &mut InDoubtCounts) {
        let position = |id: &String| {
            let task = &documents.tasks[id];
            (task["columnId"].as_str().unwrap().to_owned(), task["order"].as_i64().unwrap())
        };
        let stored: Positions = self.positions.keys().map(|id| (id.clone(), position(id))).collect();
        let in_doubt = self.in_doubt.take();
        assert!(
            stored == self.positions || Some(&stored) == in_doubt.as_ref(),
            "{stored:?}, expected {:?}",
            self.positions
        );
        if in_doubt.is_some() {
            in_doubt_counts.record(stored != self.positions);
        }
        self.positions = stored;
    }
}

/// Returns the positions after a move (HTTP reference, "Moving a task").
fn after_move(positions: &Positions, task: &str, column: &str, order: i64) -> Positions {
    let mut next = positions.clone();
    next.remove(task);
    if next.values().any(|(in_column, at)| (in_column.as_str(), *at) == (column, order)) {
        for (_, at) in next.values_mut().filter(|(in_column, at)| in_column == column && *at >= order) {
            *at += 1;
        }
    }
    next.insert(task.to_owned(), (column.to_owned(), order));
    next
}
