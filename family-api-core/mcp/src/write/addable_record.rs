//! The kinds of records that tools add.

use std::future::ready;

use family_api_core::Error;
use family_api_core::change::{New, ShoppingItemUpdate, TaskUpdate};
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};

use crate::context::ToolContext;
use crate::names::Target;
use crate::write::tool_record::ToolRecord;

/// A kind of record that tools add.
pub(crate) trait AddableRecord: ToolRecord {
    /// What a model should know about a field, in addition to its name and type.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];

    /// The argument that names the column or list of all records.
    const CONTAINER: Option<(&'static str, Target)> = None;

    /// Returns the lists with their items if every record needs a list, so that the first one is the default, and what
    /// is on it already is not added. `None` for any other kind.
    ///
    /// # Errors
    /// The error of the read.
    fn lists(_: &ToolContext) -> impl Future<Output = Result<Option<Vec<ShoppingList>>, Error>> + Send {
        ready(Ok(None))
    }

    /// Returns the item, if this is the kind of items.
    fn into_item(self) -> Option<ShoppingItem> {
        None
    }

    /// Returns the event, if this is the kind of events.
    fn as_event(&self) -> Option<&Event> {
        None
    }

    /// Puts a new record into the column or list with an id, if its fields do not name one.
    fn put_in(new: New<Self::Update>, _container: &str) -> New<Self::Update> {
        new
    }
}

impl AddableRecord for Task {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("dueDate", "A day or a local time."),
        ("recurrence", "RRULE (RFC 5545). The task is due again when completed."),
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
        ("startDate", "A local time, or the first day of an all-day event."),
        ("endDate", "A local time, or the last day of an all-day event."),
        ("allDay", "true if startDate and endDate are days."),
        ("recurrence", "RRULE (RFC 5545)."),
        ("assignee", "A member: name, id or me."),
        ("participants", "Members: names or ids."),
    ];

    fn as_event(&self) -> Option<&Event> {
        Some(self)
    }
}

impl AddableRecord for Note {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Name or id.")];
}

impl AddableRecord for ShoppingItem {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Such as dairy.")];

    const CONTAINER: Option<(&'static str, Target)> = Some(("list", Target::List));

    async fn lists(context: &ToolContext) -> Result<Option<Vec<ShoppingList>>, Error> {
        context.api().read(context.caller())?.shopping_lists().await.map(Some)
    }

    fn into_item(self) -> Option<ShoppingItem> {
        Some(self)
    }

    fn put_in(new: New<ShoppingItemUpdate>, container: &str) -> New<ShoppingItemUpdate> {
        new.in_list(container.into())
    }
}

impl AddableRecord for ShoppingList {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("isPrivate", "true: only you see the list.")];
}
