//! The kinds of records that tools add.

use family_api_core::change::{New, ShoppingItemUpdate, TaskUpdate};
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};

use crate::names::Target;
use crate::write::tool_record::ToolRecord;

/// A kind of record that tools add.
pub(crate) trait AddableRecord: ToolRecord {
    /// What a model should know about a field, in addition to its name and type.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];

    /// The argument that names the column or list of all records.
    const CONTAINER: Option<(&'static str, Target)> = None;

    /// Returns whether every record needs a column or list, so that the first one is the default.
    const NEEDS_CONTAINER: bool = false;

    /// Puts a new record into the column or list with an id, if its fields do not name one.
    fn put_in(new: New<Self::Update>, _container: &str) -> New<Self::Update> {
        new
    }
}

impl AddableRecord for Task {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("dueDate", "A day, or a time with its offset."),
        ("isPrivate", "true: only you see the task."),
        ("assignee", "A member: name, id or me."),
    ];

    const CONTAINER: Option<(&'static str, Target)> = Some(("column", Target::Place));

    fn put_in(new: New<TaskUpdate>, container: &str) -> New<TaskUpdate> {
        new.or_in_column(container.into())
    }
}

impl AddableRecord for Event {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("startDate", "A time with its offset, or the first day of an all-day event."),
        ("endDate", "A time with its offset, or the last day of an all-day event."),
        ("allDay", "true if startDate and endDate are days."),
        ("recurrence", "RRULE (RFC 5545)."),
        ("assignee", "A member: name, id or me."),
    ];
}

impl AddableRecord for Note {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Name or id.")];
}

impl AddableRecord for ShoppingItem {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Such as dairy.")];

    const CONTAINER: Option<(&'static str, Target)> = Some(("list", Target::List));

    const NEEDS_CONTAINER: bool = true;

    fn put_in(new: New<ShoppingItemUpdate>, container: &str) -> New<ShoppingItemUpdate> {
        new.in_list(container.into())
    }
}

impl AddableRecord for ShoppingList {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("isPrivate", "true: only you see the list.")];
}
