//! A family with the largest document that the API permits.

use std::io::{self, Write};

use serde_json::json;

use super::Family;

/// The number of the family. Its first two members have keys like those of every other family.
pub(crate) const LARGEST_FAMILY: u32 = 1;

/// The id of the family's only column.
pub(crate) const LARGEST_COLUMN: &str = "largest-column";

/// The maximum number of tasks of a family.
const TASKS: u32 = 20_000;

/// The character with the longest form in JSON: six bytes (`\u0001`) for one.
const LONGEST_IN_JSON: &str = "\u{1}";

/// Returns the id of a task, whose number is its position in the column.
pub(crate) fn largest_task(number: u32) -> String {
    format!("largest-task-{number:05}")
}

impl<W: Write> Family<'_, W> {
    /// Writes a column with as many and as long tasks as the API permits.
    pub(super) fn write_largest_column(&mut self) -> io::Result<()> {
        let created_at = self.random.instant(-300..-200);
        self.lines.push(&json!({
            "type": "board", "id": "largest-board", "familyId": self.id, "name": "Board", "order": 0,
            "isPrivate": false, "createdAt": created_at, "updatedAt": created_at,
        }))?;
        self.lines.push(&json!({
            "type": "column", "id": LARGEST_COLUMN, "familyId": self.id, "boardId": "largest-board", "name": "Column",
            "order": 0, "createdAt": created_at,
        }))?;
        // With quotation marks and empty labels, these have 1,023 bytes as JSON. With one more, a task counts twice.
        let title = LONGEST_IN_JSON.repeat(50);
        let description = LONGEST_IN_JSON.repeat(119) + &"x".repeat(3);
        for number in 0..TASKS {
            self.lines.push(&json!({
                "type": "task", "id": largest_task(number), "familyId": self.id, "columnId": LARGEST_COLUMN,
                "title": title, "description": description, "priority": "MEDIUM", "completedAt": null,
                "order": number, "labels": [], "isPrivate": false, "assigneeId": self.random.one_of(&self.members),
                "creatorId": self.random.one_of(&self.members), "createdAt": created_at, "updatedAt": created_at,
            }))?;
        }
        Ok(())
    }
}
