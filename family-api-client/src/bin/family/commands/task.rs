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
        /// The task's id, as listed by `family read tasks`
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
        #[command(flatten)]
        if_match: IfMatch,
    },
    /// Mark a task as open again
    Reopen {
        /// The task's id, as listed by `family read tasks`
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
        #[command(flatten)]
        if_match: IfMatch,
    },
    /// Move a task to a column
    Move {
        /// The task's id, as listed by `family read tasks`
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
        /// The column's id, as listed by `family task columns`
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        column: ColumnId,
        /// The position in the column, 0 to 1,000,000. A task at this position and all later tasks move by one.
        /// Default: the end
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        order: Option<i64>,
        #[command(flatten)]
        if_match: IfMatch,
    },
    /// Show a task with its entity tag for `--if-match`. Needs a key that can write
    Etag {
        /// The task's id, as listed by `family read tasks`
        #[arg(allow_hyphen_values = true)]
        id: TaskId,
    },
    /// List the columns of all boards
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
        // The API returns the tag of a single record only after an update, so this update changes no field.
        TaskCommand::Etag { id } => (tasks.update(id, TaskChange::new()), &None),
        TaskCommand::Columns => return context.output.print_record(&Columns(client.read().tasks().wait()?), None),
    };
    let call = match etag {
        Some(etag) => call.if_match(etag),
        None => call,
    };
    context.output.print_versioned(call, client.profile().get())
}
