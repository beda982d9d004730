//! Applies writes to rows in memory, after the rules have accepted them.

use crate::change::TaskWrite;
use crate::id::Id;
use crate::resource::{Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task};
use crate::storage::family_data::RowKind;
use crate::storage::{DeletedRecord, FamilyData, IdempotentAnswer};
use crate::validation::MAX_STORED_ORDER;

/// A write that a [`FamilyStore`](crate::storage::FamilyStore) must make. It gets only writes of operations that are in
/// its [`Capabilities`](crate::storage::Capabilities).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FamilyWrite {
    /// Inserts or replaces the task. If [`TaskWrite::makes_room`] is set, first shifts the tasks of the column that
    /// must make room.
    Task(TaskWrite),
    /// Inserts or replaces the note.
    Note(Note),
    /// Inserts or replaces the event.
    Event(Event),
    /// Inserts or replaces the shopping item.
    ShoppingItem(ShoppingItem),
    /// Inserts or replaces the board.
    Board(Board),
    /// Inserts or replaces the column.
    Column(Column),
    /// Inserts or replaces the shopping list.
    ShoppingList(ShoppingList),
    /// Inserts or replaces the category of notes.
    NoteCategory(NoteCategory),
    /// Deletes the record with this id. It contains no other record.
    Delete(RecordKind, String),
    /// Inserts or replaces a deleted record ([`FamilyData::deleted`]). Only a store that can restore records of the
    /// kind gets it.
    KeepDeleted(DeletedRecord),
    /// Removes the deleted record with this id.
    ForgetDeleted(RecordKind, String),
    /// Inserts the answer ([`FamilyData::answers`]), or replaces the answer with the same user and key. Comes before
    /// the write of the record, so a foreign key from the answer to the record must be deferred.
    KeepAnswer(IdempotentAnswer),
}

impl FamilyData {
    /// Applies the write to these rows.
    pub fn apply(&mut self, write: FamilyWrite) {
        match write {
            FamilyWrite::Task(TaskWrite { task, makes_room }) => {
                if makes_room {
                    self.make_room(&task);
                }
                self.replace(task);
            }
            FamilyWrite::Note(note) => self.replace(note),
            FamilyWrite::Event(event) => self.replace(event),
            FamilyWrite::ShoppingItem(item) => self.replace(item),
            FamilyWrite::Board(board) => self.replace(board),
            FamilyWrite::Column(column) => self.replace(column),
            FamilyWrite::ShoppingList(list) => self.replace(list),
            FamilyWrite::NoteCategory(category) => self.replace(category),
            FamilyWrite::Delete(kind, id) => self.delete(kind, &id),
            FamilyWrite::KeepDeleted(deleted) => {
                self.forget_deleted(deleted.kind, &deleted.id);
                self.deleted.push(deleted);
            }
            FamilyWrite::ForgetDeleted(kind, id) => self.forget_deleted(kind, &id),
            FamilyWrite::KeepAnswer(answer) => {
                self.answers.retain(|other| (&other.user_id, &other.key) != (&answer.user_id, &answer.key));
                self.answers.push(answer);
            }
        }
    }

    fn replace<R: RowKind>(&mut self, record: R) {
        let rows = R::rows_mut(self);
        rows.retain(|other| other.id() != record.id());
        rows.push(record);
    }

    fn delete(&mut self, kind: RecordKind, id: &str) {
        match kind {
            RecordKind::Task => self.delete_row::<Task>(id),
            RecordKind::Note => self.delete_row::<Note>(id),
            RecordKind::Event => self.delete_row::<Event>(id),
            RecordKind::ShoppingItem => self.delete_row::<ShoppingItem>(id),
            RecordKind::Board => self.delete_row::<Board>(id),
            RecordKind::Column => self.delete_row::<Column>(id),
            RecordKind::ShoppingList => self.delete_row::<ShoppingList>(id),
            RecordKind::NoteCategory => self.delete_row::<NoteCategory>(id),
        }
    }

    fn delete_row<R: RowKind>(&mut self, id: &str) {
        R::rows_mut(self).retain(|other| other.id().text() != id);
    }

    fn forget_deleted(&mut self, kind: RecordKind, id: &str) {
        self.deleted.retain(|other| (other.kind, other.id.as_str()) != (kind, id));
    }

    /// If another task of the column has the same `order`, adds 1 to the `order` of that task and of all tasks after
    /// it, up to the highest stored position.
    fn make_room(&mut self, task: &Task) {
        let is_other = |other: &Task| other.id != task.id && other.column_id == task.column_id;
        if self.tasks.iter().any(|other| is_other(other) && other.order == task.order) {
            for other in self.tasks.iter_mut().filter(|other| is_other(other) && other.order >= task.order) {
                other.order = other.order.saturating_add(1).min(MAX_STORED_ORDER);
            }
        }
    }
}
