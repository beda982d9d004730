//! The records that a write refers to.

use crate::change::{ColumnUpdate, Editable, EventUpdate, NoteUpdate, ShoppingItemUpdate, TaskUpdate};
use crate::id::{BoardId, CategoryId, ColumnId, ListId, UserId};
use crate::resource::{Column, Event, Note, ShoppingItem, Task};

/// The record of a write. The rules of the write also need the records that its update, or a deleted record, names.
pub(super) enum Target<'a, R: Editable> {
    /// A stored record, and its update unless the record is only read or deleted.
    Stored(&'a R::Id, Option<&'a R::Update>),
    /// A record to create, with its fields.
    New(&'a R::Id, &'a R::Update),
    /// A deleted record to restore.
    Deleted(&'a R),
}

impl<'a, R: Editable> Target<'a, R> {
    /// Returns the record that the update names, or that the deleted record refers to.
    fn named<I>(&self, update: fn(&R::Update) -> Option<&I>, deleted: fn(&R) -> Option<&I>) -> Option<&'a I> {
        match self {
            Self::Stored(_, named) => named.and_then(update),
            Self::New(_, named) => update(named),
            Self::Deleted(record) => deleted(record),
        }
    }
}

impl<'a> Target<'a, Task> {
    pub(super) fn column(&self) -> Option<&'a ColumnId> {
        self.named(TaskUpdate::named_column, |task| Some(&task.column_id))
    }

    /// Returns whether the task goes to the first column that the user sees.
    pub(super) fn takes_first_column(&self) -> bool {
        matches!(self, Self::New(_, update) if update.named_column().is_none())
    }

    pub(super) fn assignee(&self) -> Option<&'a UserId> {
        self.named(TaskUpdate::named_assignee, |task| task.assignee_id.as_ref())
    }
}

impl<'a> Target<'a, Note> {
    pub(super) fn category(&self) -> Option<&'a CategoryId> {
        self.named(NoteUpdate::named_category, |note| note.category_id.as_ref())
    }
}

impl<'a> Target<'a, Event> {
    pub(super) fn assignee(&self) -> Option<&'a UserId> {
        self.named(EventUpdate::named_assignee, |event| event.assignee_id.as_ref())
    }
}

impl<'a> Target<'a, ShoppingItem> {
    pub(super) fn list(&self) -> Option<&'a ListId> {
        self.named(ShoppingItemUpdate::named_list, |item| Some(&item.list_id))
    }
}

impl<'a> Target<'a, Column> {
    pub(super) fn board(&self) -> Option<&'a BoardId> {
        self.named(ColumnUpdate::named_board, |column| Some(&column.board_id))
    }
}
