//! What the rules of a change need to know.

use crate::change::{BoardOwner, Destination, NoteChange, NoteFacts, TaskFacts, TaskUpdate};
use crate::id::{ColumnId, NoteId, TaskId, UserId};
use crate::storage::FamilyData;

impl FamilyData {
    /// What [`TaskUpdate::judge`] needs; `None` where the user does not see the task.
    #[must_use]
    pub fn find_task_facts(&self, user: &UserId, task: &TaskId, update: &TaskUpdate) -> Option<TaskFacts> {
        let record = self.tasks.iter().find(|other| other.id == *task).filter(|task| self.sees_task(user, task))?;
        Some(TaskFacts {
            task: self.task(record),
            board: self.owner_of(user, &record.column_id)?,
            destination: update.named_column().and_then(|column| self.destination(user, column, task)),
            assignee: self.person(update.named_assignee()),
        })
    }

    /// What [`NoteChange::judge`] needs; `None` where there is no such note.
    #[must_use]
    pub fn find_note_facts(&self, note: &NoteId, change: &NoteChange) -> Option<NoteFacts> {
        let note = self.notes.iter().find(|other| other.id == *note)?;
        Some(NoteFacts { note: self.note(note), category: self.category(change.named_category()) })
    }

    /// Every other task of the column counts, seen by the user or not.
    fn destination(&self, user: &UserId, column: &ColumnId, task: &TaskId) -> Option<Destination> {
        let board = self.owner_of(user, column)?;
        let others = self.tasks.iter().filter(|other| other.column_id == *column && other.id != *task);
        let end = others.map(|other| other.order.saturating_add(1)).max().unwrap_or(0);
        Some(Destination { column: column.clone(), board, end })
    }

    /// Who owns the board of the column, if the user sees it: a private one that they see is their own.
    fn owner_of(&self, user: &UserId, column: &ColumnId) -> Option<BoardOwner> {
        let board = self.board_of(user, column)?;
        Some(if board.is_private { BoardOwner::User(user.clone()) } else { BoardOwner::Family })
    }
}
