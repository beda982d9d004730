//! Boards, columns and tasks.

use std::io::{self, Write};

use serde_json::json;

use super::Family;
use super::people::COLOURS;

const COLUMNS: [&str; 4] = ["To do", "In progress", "Waiting", "Someday"];
const PRIORITIES: [&str; 5] = ["LOW", "MEDIUM", "MEDIUM", "HIGH", "URGENT"];
pub(super) const LABELS: [&str; 6] = ["home", "kids", "urgent", "weekend", "shop", "car"];

impl<W: Write> Family<'_, W> {
    pub(super) fn write_tasks(&mut self) -> io::Result<()> {
        let mut columns = vec![];
        for order in 0..self.size.boards {
            self.write_board(order, &mut columns)?;
        }
        for task in 0..self.size.open_tasks + self.size.done_tasks {
            let (index, done) = (usize::from(task), task >= self.size.open_tasks);
            self.write_task(&columns[index % columns.len()], index / columns.len(), done)?;
        }
        Ok(())
    }

    fn write_board(&mut self, order: u16, columns: &mut Vec<String>) -> io::Result<()> {
        let (board, created_at) = (self.random.id(), self.random.instant(-300..-200));
        self.lines.push(&json!({
            "type": "board", "id": board, "familyId": self.id, "name": self.random.text(1..3), "emoji": "📋",
            "color": self.random.one_of(&COLOURS), "order": order, "isPrivate": false, "createdAt": created_at,
            "updatedAt": created_at,
        }))?;
        for (order, name) in COLUMNS.iter().take(self.size.columns.into()).enumerate() {
            let column = self.random.id();
            self.lines.push(&json!({
                "type": "column", "id": column, "familyId": self.id, "boardId": board, "name": name, "emoji": "📝",
                "color": "#e7e5e4", "order": order, "createdAt": created_at,
            }))?;
            columns.push(column);
        }
        Ok(())
    }

    fn write_task(&mut self, column: &str, order: usize, done: bool) -> io::Result<()> {
        let (created_at, private) = (self.random.instant(-120..-1), self.random.happens(5));
        // Private tasks belong to the first member, who therefore sees all tasks.
        let creator = if private { &self.members[0] } else { self.random.one_of(&self.members) };
        self.lines.push(&json!({
            "type": "task", "id": self.random.id(), "familyId": self.id, "columnId": column,
            "title": self.random.text(2..8), "description": self.random.happens(50).then(|| self.random.text(5..31)),
            "priority": self.random.one_of(&PRIORITIES),
            "dueDate": if self.random.happens(60) { self.random.instant(-5..30) } else { None },
            "completedAt": if done { self.random.instant(-30..0) } else { None }, "order": order,
            "labels": self.random.some_of(&LABELS), "isPrivate": private,
            "assigneeId": self.random.happens(80).then(|| self.random.one_of(&self.members)), "creatorId": creator,
            "createdAt": created_at, "updatedAt": created_at,
        }))
    }
}
