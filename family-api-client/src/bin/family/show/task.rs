//! Tasks and columns.

use family_api_client::resource::{Board, Column, Task};
use serde::{Serialize, Serializer};

use crate::show::{Show, person_name, with_emoji, yes_or_empty};
use crate::table::Table;
use crate::times::Times;

impl Show for Vec<Board> {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Task", "Priority", "Due", "Done", "Who", "Where", "Id"]);
        for (board, column) in columns(self) {
            for task in &column.tasks {
                table.add_row([
                    task.title.clone(),
                    task.priority.as_str().to_owned(),
                    times.date_and_time_or_empty(task.due_date),
                    times.date_and_time_or_empty(task.completed_at),
                    person_name(task.assignee.as_ref()),
                    board_and_column(board, column),
                    task.id.to_string(),
                ]);
            }
        }
        table
    }
}

impl Show for Task {
    fn show(&self, times: &Times) -> Table {
        Table::of_fields([
            ("Task", self.title.clone()),
            ("Priority", self.priority.as_str().to_owned()),
            ("Due", times.date_and_time_or_empty(self.due_date)),
            ("Repeats", self.rule().unwrap_or_default().to_owned()),
            ("Done", times.date_and_time_or_empty(self.completed_at)),
            ("Last done", times.date_and_time_or_empty(self.last_completed_at)),
            ("Who", person_name(self.assignee.as_ref())),
            ("Labels", self.labels.join(", ")),
            ("Order", self.order.to_string()),
            ("Column id", self.column_id.to_string()),
            ("Id", self.id.to_string()),
        ])
    }
}

impl Show for Board {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([
            ("Board", with_emoji(self.emoji.as_deref(), &self.name)),
            ("Private", yes_or_empty(self.is_private)),
            ("Columns", self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")),
            ("Id", self.id.to_string()),
        ])
    }
}

impl Show for Column {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([
            ("Column", with_emoji(self.emoji.as_deref(), &self.name)),
            ("Order", self.order.to_string()),
            ("Board id", self.board_id.to_string()),
            ("Id", self.id.to_string()),
        ])
    }
}

/// Boards, shown as a list of their columns.
pub(crate) struct Columns(pub(crate) Vec<Board>);

impl Show for Columns {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["Column", "Open tasks", "Id"]);
        for (board, column) in columns(&self.0) {
            table.add_row([board_and_column(board, column), column.tasks.len().to_string(), column.id.to_string()]);
        }
        table
    }
}

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

fn columns(boards: &[Board]) -> impl Iterator<Item = (&Board, &Column)> {
    boards.iter().flat_map(|board| board.columns.iter().map(move |column| (board, column)))
}

fn board_and_column(board: &Board, column: &Column) -> String {
    let board = with_emoji(board.emoji.as_deref(), &board.name);
    format!("{board} / {}", with_emoji(column.emoji.as_deref(), &column.name))
}
