//! The kinds of records that tools add.

use std::future::ready;

use family_api_core::Error;
use family_api_core::change::{New, ShoppingItemUpdate, TaskUpdate};
use family_api_core::query::{BoardOutline, ColumnOutline, ListOutline};
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};

use crate::context::ToolContext;
use crate::write::container::Container;
use crate::write::tool_record::ToolRecord;

/// A kind of record that tools add.
pub(crate) trait AddableRecord: ToolRecord {
    /// What a model should know about a field, in addition to its name and type.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];

    /// The argument that names the column or list of all records.
    const CONTAINER: Option<&'static str> = None;

    /// Returns whether every record needs a column or list, so that the first one is the default.
    const NEEDS_CONTAINER: bool = false;

    /// The field or argument that a message names if the column or list is unknown.
    const CONTAINER_REFERENCE: Option<&'static str> = None;

    /// Puts a new record into the column or list with an id, if its fields do not name one.
    fn put_in(new: New<Self::Update>, _container: &str) -> New<Self::Update> {
        new
    }

    /// Returns the columns or lists that the caller sees.
    ///
    /// # Errors
    /// The error of the read.
    fn containers(_: &ToolContext) -> impl Future<Output = Result<Vec<Container>, Error>> + Send {
        ready(Ok(Vec::new()))
    }
}

impl AddableRecord for Task {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] =
        &[("dueDate", "A day or a local time."), ("isPrivate", "true: only you see the task.")];

    const CONTAINER: Option<&'static str> = Some("column");

    const CONTAINER_REFERENCE: Option<&'static str> = Some("columnId");

    fn put_in(new: New<TaskUpdate>, container: &str) -> New<TaskUpdate> {
        new.or_in_column(container.into())
    }

    /// A column is found by its own name, and with the name of its board before it. The first column of a board is also
    /// found by the name of the board.
    async fn containers(context: &ToolContext) -> Result<Vec<Container>, Error> {
        let boards = context.api().read(context.caller())?.board_outlines().await?;
        let columns =
            boards.iter().flat_map(|board| board.columns.iter().enumerate().map(move |column| (board, column)));
        let container = |(board, (index, column)): (&BoardOutline, (usize, &ColumnOutline))| Container {
            id: column.id.to_string(),
            name: format!("{} / {}", board.name, column.name),
            other_names: (index == 0).then(|| board.name.clone()).into_iter().chain([column.name.clone()]).collect(),
        };
        Ok(columns.map(container).collect())
    }
}

impl AddableRecord for Event {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("startDate", "A local time, or the first day of an all-day event."),
        ("endDate", "A local time, or the last day of an all-day event."),
        ("allDay", "true if startDate and endDate are days."),
        ("recurrence", "RRULE (RFC 5545)."),
    ];
}

impl AddableRecord for Note {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[];
}

impl AddableRecord for ShoppingItem {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Such as dairy.")];

    const CONTAINER: Option<&'static str> = Some("list");

    const NEEDS_CONTAINER: bool = true;

    const CONTAINER_REFERENCE: Option<&'static str> = Self::CONTAINER;

    fn put_in(new: New<ShoppingItemUpdate>, container: &str) -> New<ShoppingItemUpdate> {
        new.in_list(container.into())
    }

    async fn containers(context: &ToolContext) -> Result<Vec<Container>, Error> {
        let lists = context.api().read(context.caller())?.list_outlines().await?;
        let container =
            |list: ListOutline| Container { id: list.id.to_string(), name: list.name, other_names: Vec::new() };
        Ok(lists.into_iter().map(container).collect())
    }
}

impl AddableRecord for ShoppingList {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("isPrivate", "true: only you see the list.")];
}
