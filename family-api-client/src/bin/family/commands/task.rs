//! `family task …`

use clap::Subcommand;
use family_api_client::change::TaskChange;
use family_api_client::id::{ColumnId, TaskId};

use crate::context::Context;
use crate::failure::Failure;
use crate::show::Columns;

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Mark a task as done
    Done {
        /// Which task; `family read tasks` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
    },
    /// Mark a task as open again
    Reopen {
        /// Which task; `family read tasks` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
    },
    /// Put a task into a column
    Move {
        /// Which task; `family read tasks` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
        /// The column; `family task columns` lists them
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        column: ColumnId,
        /// The place that others make room for, 0 to 1,000,000; without it, the column's end
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        order: Option<i64>,
    },
    /// List the columns that tasks can stand in
    Columns,
}

pub(crate) fn run(context: &Context, command: &TaskCommand) -> Result<(), Failure> {
    let client = context.client()?;
    let (task, change) = match command {
        TaskCommand::Done { id } => (id, TaskChange::new().complete()),
        TaskCommand::Reopen { id } => (id, TaskChange::new().reopen()),
        TaskCommand::Move { id, column, order: None } => (id, TaskChange::new().column(column)),
        TaskCommand::Move { id, column, order: Some(order) } => {
            let call = client.tasks().move_to(id, column, *order);
            return context.output.answer(call, Some(client.profile().get()));
        }
        TaskCommand::Columns => return context.output.record(&Columns(client.read().tasks().wait()?), None),
    };
    context.output.answer(client.tasks().update(task, change), Some(client.profile().get()))
}
