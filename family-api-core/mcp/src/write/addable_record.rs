//! The kinds of records that tools add.

use std::future::ready;

use family_api_core::Error;
use family_api_core::change::{New, ShoppingItemUpdate, TaskUpdate};
use family_api_core::query::{BoardOutline, ColumnOutline, ListOutline};
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};

use crate::context::ToolContext;
use crate::write::place::Place;
use crate::write::tool_record::ToolRecord;

/// A kind of record that tools add.
pub(crate) trait AddableRecord: ToolRecord {
    /// What a model should know about a field, in addition to its name and type.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];

    /// The argument that names the column or list of all records.
    const PLACE: Option<&'static str> = None;

    /// Returns whether every record needs a column or list, so that the first one is the default.
    const NEEDS_PLACE: bool = false;

    /// The field or argument that a message names if the column or list is unknown.
    const PLACE_REFERENCE: Option<&'static str> = None;

    /// Puts a new record into the column or list with an id, if its fields do not name one.
    fn put_in(new: New<Self::Update>, _place: &str) -> New<Self::Update> {
        new
    }

    /// Returns the columns or lists that the caller sees.
    ///
    /// # Errors
    /// The error of the read.
    fn places(_: &ToolContext) -> impl Future<Output = Result<Vec<Place>, Error>> + Send {
        ready(Ok(Vec::new()))
    }
}

impl AddableRecord for Task {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] =
        &[("dueDate", "A day, or a time with its offset."), ("isPrivate", "true: only you see the task.")];

    const PLACE: Option<&'static str> = Some("column");

    const PLACE_REFERENCE: Option<&'static str> = Some("columnId");

    fn put_in(new: New<TaskUpdate>, place: &str) -> New<TaskUpdate> {
        new.or_in_column(place.into())
    }

    /// A column is found by its own name, and with the name of its board before it. The first column of a board is also
    /// found by the name of the board.
    async fn places(context: &ToolContext) -> Result<Vec<Place>, Error> {
        let boards = context.api().read(context.caller())?.board_outlines().await?;
        let columns =
            boards.iter().flat_map(|board| board.columns.iter().enumerate().map(move |column| (board, column)));
        let place = |(board, (index, column)): (&BoardOutline, (usize, &ColumnOutline))| Place {
            id: column.id.to_string(),
            name: format!("{} / {}", board.name, column.name),
            other_names: (index == 0).then(|| board.name.clone()).into_iter().chain([column.name.clone()]).collect(),
        };
        Ok(columns.map(place).collect())
    }
}

impl AddableRecord for Event {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("startDate", "A time with its offset, or the first day of an all-day event."),
        ("endDate", "A time with its offset, or the last day of an all-day event."),
        ("allDay", "true if startDate and endDate are days."),
        ("recurrence", "RRULE (RFC 5545)."),
    ];
}

impl AddableRecord for Note {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[];
}

impl AddableRecord for ShoppingItem {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Such as dairy.")];

    const PLACE: Option<&'static str> = Some("list");

    const NEEDS_PLACE: bool = true;

    const PLACE_REFERENCE: Option<&'static str> = Self::PLACE;

    fn put_in(new: New<ShoppingItemUpdate>, place: &str) -> New<ShoppingItemUpdate> {
        new.in_list(place.into())
    }

    async fn places(context: &ToolContext) -> Result<Vec<Place>, Error> {
        let lists = context.api().read(context.caller())?.list_outlines().await?;
        let place = |list: ListOutline| Place { id: list.id.to_string(), name: list.name, other_names: Vec::new() };
        Ok(lists.into_iter().map(place).collect())
    }
}

impl AddableRecord for ShoppingList {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("isPrivate", "true: only you see the list.")];
}
