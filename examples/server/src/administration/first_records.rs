//! The first board and the first shopping list of a new family.

use clap::Args;
use family_api_core::Timestamp;
use family_api_core::change::{BoardChange, ColumnChange, ShoppingListChange};
use family_api_core::id::{BoardId, ColumnId, FamilyId, ListId};
use serde_json::{Value, json};

use crate::administration::record;
use crate::error::CommandError;

/// What a new family begins with, so that members and assistants can add a task and an item at once.
#[derive(Debug, Args)]
pub(crate) struct FirstRecords {
    /// Name of the first board.
    #[arg(long, value_name = "NAME", default_value = "Home", value_parser = board_name)]
    board: String,
    /// Name of a column of the first board; repeatable, in their order.
    #[arg(long = "column", value_name = "NAME", default_values = ["To do", "In progress", "Done"])]
    #[arg(value_parser = column_name)]
    columns: Vec<String>,
    /// Name of the first shopping list.
    #[arg(long, value_name = "NAME", default_value = "Shopping", value_parser = list_name)]
    list: String,
    /// Adds neither a board nor a list.
    #[arg(long, conflicts_with_all = ["board", "columns", "list"])]
    empty: bool,
}

impl FirstRecords {
    /// Returns the records in the import format, parents before children.
    pub(super) fn of_family(&self, family: &FamilyId, now: Timestamp) -> Result<Vec<Value>, CommandError> {
        if self.empty {
            return Ok(Vec::new());
        }
        let board: BoardId = record::new_id(now)?;
        let list: ListId = record::new_id(now)?;
        let mut records = vec![json!({
            "type": "board", "id": board, "familyId": family, "name": self.board, "order": 0, "isPrivate": false,
            "createdAt": now, "updatedAt": now,
        })];
        for (order, name) in self.columns.iter().enumerate() {
            let column: ColumnId = record::new_id(now)?;
            records.push(json!({
                "type": "column", "id": column, "familyId": family, "boardId": board, "name": name, "order": order,
                "createdAt": now,
            }));
        }
        records.push(json!({
            "type": "shoppingList", "id": list, "familyId": family, "name": self.list, "sortOrder": 0,
            "isPrivate": false, "createdAt": now, "updatedAt": now,
        }));
        Ok(records)
    }

    /// Describes the records after the name of the family.
    pub(super) fn description(&self) -> String {
        if self.empty { String::new() } else { format!(", with the board {} and the list {}", self.board, self.list) }
    }
}

/// Returns a name as the API stores it, if the API accepts it.
fn name(text: &str, is_valid: bool) -> Result<String, &'static str> {
    if is_valid { Ok(text.trim().to_owned()) } else { Err("expected 1 to 200 characters") }
}

fn board_name(text: &str) -> Result<String, &'static str> {
    name(text, BoardChange::new().name(text).build().is_ok())
}

fn column_name(text: &str) -> Result<String, &'static str> {
    name(text, ColumnChange::new().name(text).build().is_ok())
}

fn list_name(text: &str) -> Result<String, &'static str> {
    name(text, ShoppingListChange::new().name(text).build().is_ok())
}
