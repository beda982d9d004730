//! `family task …`

use clap::Subcommand;
use family_api_client::change::TaskChange;
use family_api_client::id::{ColumnId, TaskId};

use crate::commands::if_match::IfMatch;
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
        #[command(flatten)]
        if_match: IfMatch,
    },
    /// Mark a task as open again
    Reopen {
        /// Which task; `family read tasks` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
        #[command(flatten)]
        if_match: IfMatch,
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
        #[command(flatten)]
        if_match: IfMatch,
    },
    /// Show a task with the entity tag of its version, which `--if-match` takes; needs a key that may write
    Etag {
        /// Which task; `family read tasks` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
    },
    /// List the columns that tasks can stand in
    Columns,
}

pub(crate) fn run(context: &Context, command: &TaskCommand) -> Result<(), Failure> {
    let client = context.client()?;
    let tasks = client.tasks();
    let (call, etag) = match command {
        TaskCommand::Done { id, if_match } => (tasks.update(id, TaskChange::new().complete()), &if_match.etag),
        TaskCommand::Reopen { id, if_match } => (tasks.update(id, TaskChange::new().reopen()), &if_match.etag),
        TaskCommand::Move { id, column, order: None, if_match } => {
            (tasks.update(id, TaskChange::new().column(column)), &if_match.etag)
        }
        TaskCommand::Move { id, column, order: Some(order), if_match } => {
            (tasks.move_to(id, column, *order), &if_match.etag)
        }
        // Only updates return the tag of a record: this one changes nothing.
        TaskCommand::Etag { id } => (tasks.update(id, TaskChange::new()), &None),
        TaskCommand::Columns => return context.output.record(&Columns(client.read().tasks().wait()?), None),
    };
    let call = match etag {
        Some(etag) => call.if_match(etag),
        None => call,
    };
    context.output.versioned(call, client.profile().get())
}
