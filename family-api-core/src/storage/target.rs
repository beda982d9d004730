//! The records that a write refers to.

use crate::change::{ColumnUpdate, Editable, EventUpdate, NoteUpdate, ShoppingItemUpdate, TaskUpdate};
use crate::id::{BoardId, CategoryId, ColumnId, ListId, UserId};
use crate::resource::{Column, Event, Note, ShoppingItem, Task};

/// The record of a write, for which a storage finds the facts. The rules of the write also need the records that its
/// update, or a deleted record, names.
#[derive(Debug)]
pub enum Target<'a, R: Editable> {
    /// A stored record, and its update unless the record is only read or deleted.
    Stored(&'a R::Id, Option<&'a R::Update>),
    /// A record to create, with its fields.
    New(&'a R::Id, &'a R::Update),
    /// A deleted record to restore.
    Deleted(&'a R),
}

impl<'a, R: Editable> Target<'a, R> {
    /// Returns the identifier of the record.
    #[must_use]
    pub fn id(&self) -> &'a R::Id {
        match self {
            Self::Stored(id, _) | Self::New(id, _) => id,
            Self::Deleted(record) => record.id(),
        }
    }

    /// Returns the author of a record that is not stored: `user`, or the author of the deleted record.
    #[must_use]
    pub fn author(&self, user: &'a UserId, deleted: fn(&R) -> Option<&UserId>) -> Option<&'a UserId> {
        match self {
            Self::Stored(..) => None,
            Self::New(..) => Some(user),
            Self::Deleted(record) => deleted(record),
        }
    }

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
    /// Returns the column to which the task goes, or `None` if the write names none.
    #[must_use]
    pub fn column(&self) -> Option<&'a ColumnId> {
        self.named(TaskUpdate::named_column, |task| Some(&task.column_id))
    }

    /// Returns whether the task goes to the first column that the user sees.
    #[must_use]
    pub fn takes_first_column(&self) -> bool {
        matches!(self, Self::New(_, update) if update.named_column().is_none())
    }

    /// Returns the assignee that the write names.
    #[must_use]
    pub fn assignee(&self) -> Option<&'a UserId> {
        self.named(TaskUpdate::named_assignee, |task| task.assignee_id.as_ref())
    }
}

impl<'a> Target<'a, Note> {
    /// Returns the category that the write names.
    #[must_use]
    pub fn category(&self) -> Option<&'a CategoryId> {
        self.named(NoteUpdate::named_category, |note| note.category_id.as_ref())
    }
}

impl<'a> Target<'a, Event> {
    /// Returns the assignee that the write names.
    #[must_use]
    pub fn assignee(&self) -> Option<&'a UserId> {
        self.named(EventUpdate::named_assignee, |event| event.assignee_id.as_ref())
    }

    /// Returns whether the rules need the members of the family.
    #[must_use]
    pub fn names_participants(&self) -> bool {
        matches!(self, Self::Stored(_, Some(update)) | Self::New(_, update) if update.names_participants())
    }
}

impl<'a> Target<'a, ShoppingItem> {
    /// Returns the list that the write names.
    #[must_use]
    pub fn list(&self) -> Option<&'a ListId> {
        self.named(ShoppingItemUpdate::named_list, |item| Some(&item.list_id))
    }
}

impl<'a> Target<'a, Column> {
    /// Returns the board that the write names.
    #[must_use]
    pub fn board(&self) -> Option<&'a BoardId> {
        self.named(ColumnUpdate::named_board, |column| Some(&column.board_id))
    }
}
