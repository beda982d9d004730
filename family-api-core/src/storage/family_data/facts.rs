//! Collects the facts that the rules of a change need.

use crate::change::{BoardOwner, Destination, NoteFacts, NoteUpdate, TaskFacts, TaskUpdate};
use crate::id::{ColumnId, NoteId, TaskId, UserId};
use crate::storage::FamilyData;

impl FamilyData {
    /// Collects the facts for [`TaskUpdate::decide`]. Returns `None` if the user does not see the task.
    #[must_use]
    pub fn find_task_facts(&self, user: &UserId, task: &TaskId, update: &TaskUpdate) -> Option<TaskFacts> {
        let record = self.tasks.iter().find(|other| other.id == *task).filter(|task| self.sees_task(user, task))?;
        Some(TaskFacts {
            task: self.task(record),
            board: self.board_owner(user, &record.column_id)?,
            destination: update.named_column().and_then(|column| self.destination(user, column, task)),
            assignee: self.person(update.named_assignee()),
        })
    }

    /// Collects the facts for [`NoteUpdate::decide`]. Returns `None` if the note does not exist.
    #[must_use]
    pub fn find_note_facts(&self, note: &NoteId, update: &NoteUpdate) -> Option<NoteFacts> {
        let note = self.notes.iter().find(|other| other.id == *note)?;
        Some(NoteFacts { note: self.note(note), category: self.category(update.named_category()) })
    }

    /// Finds the column, and the `order` of a task that is appended to it. Tasks that the user does not see count too.
    fn destination(&self, user: &UserId, column: &ColumnId, task: &TaskId) -> Option<Destination> {
        let board = self.board_owner(user, column)?;
        let others = self.tasks.iter().filter(|other| other.column_id == *column && other.id != *task);
        let end = others.map(|other| other.order.saturating_add(1)).max().unwrap_or(0);
        Some(Destination { column: column.clone(), board, end })
    }

    /// Returns the owner of the column's board, if the user sees the board. A user sees only their own private boards.
    fn board_owner(&self, user: &UserId, column: &ColumnId) -> Option<BoardOwner> {
        let board = self.board_of(user, column)?;
        Some(if board.is_private { BoardOwner::User(user.clone()) } else { BoardOwner::Family })
    }
}
