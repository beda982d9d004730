//! Tasks that are moved. A move also shifts tasks below the moved task. Both changes must be applied, or neither.

use std::collections::BTreeMap;

use serde_json::json;

use crate::credential::Credential;
use crate::kill::documents::Documents;
use crate::kill::writer::Expected;
use crate::sandbox::Server;

/// The column and the order of each task.
type Positions = BTreeMap<String, (String, i64)>;

pub(crate) struct MovedTasks {
    positions: Expected<Positions>,
    columns: [&'static str; 2],
    writer: Credential,
    rng: fastrand::Rng,
}

impl MovedTasks {
    /// Creates the tasks with their writer. All tasks start at order 0 of the first column.
    pub(crate) fn new(ids: &[&str], columns: [&'static str; 2], writer: Credential, rng: fastrand::Rng) -> Self {
        let positions = ids.iter().map(|id| ((*id).to_owned(), (columns[0].to_owned(), 0))).collect();
        Self { positions: Expected::new(positions), columns, writer, rng }
    }

    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let task = self.rng.choice(self.positions.state.keys()).unwrap().clone();
        let (column, order) = (self.columns[self.rng.usize(0..2)], self.rng.i64(0..4));
        let next = after_move(&self.positions.state, &task, column, order);
        let body = json!({ "type": "move-task", "columnId": column, "order": order });
        let request = self.writer.request(server, "PATCH", &format!("/api/v1/tasks/{task}"), Some(body));
        self.positions.write(next, request, 200).await.is_some()
    }

    pub(crate) fn check_after_restart(&mut self, documents: &Documents) -> Option<bool> {
        let position = |id: &String| {
            let task = &documents.tasks[id];
            (task["columnId"].as_str().unwrap().to_owned(), task["order"].as_i64().unwrap())
        };
        let stored = self.positions.state.keys().map(|id| (id.clone(), position(id))).collect();
        self.positions.check(stored)
    }
}

/// Returns the positions after a move (HTTP reference, "Moving a task").
fn after_move(positions: &Positions, task: &str, column: &str, order: i64) -> Positions {
    let mut next = positions.clone();
    next.remove(task);
    let orders: Vec<i64> = next.values().filter(|(in_column, _)| in_column == column).map(|(_, at)| *at).collect();
    let mut free = order;
    while orders.contains(&free) {
        free += 1;
    }
    for (_, at) in next.values_mut().filter(|(in_column, at)| in_column == column && (order..free).contains(at)) {
        *at += 1;
    }
    next.insert(task.to_owned(), (column.to_owned(), order));
    next
}
