//! The kinds of records that tools add.

use family_api_core::resource::{Board, Column, Event, Note, ShoppingItem, ShoppingList, Task};

use crate::mcp::place::Place;
use crate::mcp::records::ToolRecord;

/// A kind of record that tools add.
pub(in crate::mcp) trait AddableRecord: ToolRecord {
    /// What a model should know about a field, in addition to its name and type.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];

    /// The argument that names the column or list of all records.
    const PLACE: Option<&'static str> = None;

    /// Returns whether every record needs a column or list, so that the first one is the default.
    const NEEDS_PLACE: bool = false;

    /// The field with the id of the column. `None` if the place is not a field.
    const PLACE_FIELD: Option<&'static str> = None;

    /// Returns the columns or lists in a document.
    fn places(_: &Self::Document) -> Vec<Place> {
        Vec::new()
    }
}

impl AddableRecord for Task {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] =
        &[("dueDate", "A day, or a time with its offset."), ("isPrivate", "true: only you see the task.")];

    const PLACE: Option<&'static str> = Some("column");

    const PLACE_FIELD: Option<&'static str> = Some("columnId");

    /// A column is found by its own name, and with the name of its board before it. The first column of a board is also
    /// found by the name of the board.
    fn places(boards: &Vec<Board>) -> Vec<Place> {
        let columns =
            boards.iter().flat_map(|board| board.columns.iter().enumerate().map(move |column| (board, column)));
        let place = |(board, (index, column)): (&Board, (usize, &Column))| Place {
            id: column.id.to_string(),
            name: format!("{} / {}", board.name, column.name),
            other_names: (index == 0).then(|| board.name.clone()).into_iter().chain([column.name.clone()]).collect(),
        };
        columns.map(place).collect()
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

    fn places(lists: &Vec<ShoppingList>) -> Vec<Place> {
        let place =
            |list: &ShoppingList| Place { id: list.id.to_string(), name: list.name.clone(), other_names: Vec::new() };
        lists.iter().map(place).collect()
    }
}
