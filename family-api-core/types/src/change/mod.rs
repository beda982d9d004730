//! Parses the bodies of PATCH and POST requests into valid updates, and applies them by their rules (HTTP reference,
//! "Writes"). [`Editable`] lists the kinds of records.
//!
//! A change, such as [`TaskChange`], is built in code, and its values can be invalid. An update, such as
//! [`TaskUpdate`], is always valid: it comes from a body, or from a change by `build`. A creation is an update of a blank
//! record in which every required field is present ([`New`]).

mod board;
mod column;
mod date_or_instant;
mod editable;
mod event;
mod fields;
mod note;
mod note_category;
mod profile;
mod sequence;
mod shopping_item;
mod shopping_list;
mod task;
#[cfg(test)]
mod tests;
mod time_notice;

pub use board::{BoardChange, BoardFacts, BoardUpdate};
pub use column::{ColumnChange, ColumnFacts, ColumnUpdate};
pub use date_or_instant::DateOrInstant;
pub use editable::{Creator, Editable, New, ValidChange, WriteContext};
pub use event::{EventChange, EventFacts, EventUpdate, MAX_PARTICIPANTS, OccurrenceScope, UnknownOccurrenceScope};
pub use note::{NoteChange, NoteFacts, NoteUpdate};
pub use note_category::{NoteCategoryChange, NoteCategoryFacts, NoteCategoryUpdate};
pub use profile::ProfileChange;
pub use sequence::MAX_SEQUENCE;
pub use shopping_item::{ShoppingItemChange, ShoppingItemFacts, ShoppingItemUpdate};
pub use shopping_list::{ShoppingListChange, ShoppingListFacts, ShoppingListUpdate};
pub use task::{
    BoardOwner, Destination, MAX_SHIFTED, Room, Spread, TaskChange, TaskFacts, TaskMove, TaskUpdate, TaskWrite,
};
pub use time_notice::{TimeNotice, TimeNoticeKind, UnknownTimeNotice};

use crate::validation::FieldFault;

/// The result of checking a change against the stored record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The change is valid. The storage writes this value.
    Write(T),
    /// The change refers to a record that does not exist or that the caller cannot see.
    NotFound,
    /// The record does not allow the change, or an assignee is not in the family. Contains the faults.
    Refused(Vec<FieldFault>),
}

impl<T> Verdict<T> {
    /// Changes what the storage writes.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Self::Write(value) => Verdict::Write(change(value)),
            Self::NotFound => Verdict::NotFound,
            Self::Refused(faults) => Verdict::Refused(faults),
        }
    }
}

/// A record after an update that can split it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split<T> {
    /// The record.
    pub record: T,
    /// The record to create, if the update splits the record.
    pub new: Option<T>,
}

/// The update does not split the record.
impl<T> From<T> for Split<T> {
    fn from(record: T) -> Self {
        Self { record, new: None }
    }
}
