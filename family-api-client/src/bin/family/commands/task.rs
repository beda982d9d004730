//! `family task …`

use clap::{Args, Subcommand, ValueEnum};
use family_api_client::FamilyClient;
use family_api_client::change::TaskChange;
use family_api_client::id::{ColumnId, TaskId};
use family_api_client::resource::{Board, Column, Priority, Task};

use crate::commands::record::{RecordId, Records, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::show::Columns;
use crate::when::{When, parse_when};

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Add a task. Default column: the first one
    #[command(after_help = "Example: family task add \"Call the plumber\" --due 2026-12-24 --assignee me")]
    Add(AddArguments),
    /// Change a task
    #[command(after_help = "Example: family task change 0197… --priority high --remove due")]
    Change(ChangeArguments),
    /// Mark a task as done
    Done(Target<TaskId>),
    /// Mark a task as open again
    Reopen(Target<TaskId>),
    /// Move a task to a column
    #[command(after_help = "Example: family task move 0197… --column 0197… --order 0")]
    Move {
        #[command(flatten)]
        target: Target<TaskId>,
        /// The column's id, as listed by `family task columns`
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        column: ColumnId,
        /// The position in the column, 0 to 1,000,000: the task takes exactly this one. If another task has it, that
        /// task and all later tasks of the column move by one. Default: the end of the column
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        order: Option<i64>,
    },
    /// Delete a task. It can be restored for 30 days
    #[command(after_help = "Example: family task delete 0197…")]
    Delete(Target<TaskId>),
    /// Restore a deleted task
    #[command(after_help = "Example: family task restore 0197…")]
    Restore(RecordId<TaskId>),
    /// Show a task with its entity tag for `--if-match`. Needs a key that can write
    Etag(RecordId<TaskId>),
    /// List the columns of all boards
    Columns,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// What is to be done
    title: String,
    /// The board, by name or id. The task goes to its first column unless --column is set
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
    /// The column, by name or id
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    /// Only you can see the task
    #[arg(long)]
    private: bool,
    #[command(flatten)]
    fields: Fields,
}

#[derive(Debug, Args)]
pub(crate) struct ChangeArguments {
    #[command(flatten)]
    target: Target<TaskId>,
    /// What is to be done
    #[arg(long)]
    title: Option<String>,
    /// A value to remove. Can be repeated
    #[arg(long, value_name = "FIELD")]
    remove: Vec<Removable>,
    #[command(flatten)]
    fields: Fields,
}

/// A value that a task need not have.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Removable {
    Description,
    Due,
    Assignee,
    Labels,
}

#[derive(Debug, Args)]
struct Fields {
    /// When the task is due: YYYY-MM-DD, or YYYY-MM-DDTHH:MM in the time zone of your profile, or an RFC 3339 time
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    due: Option<When>,
    /// How urgent the task is: low, medium, high or urgent
    #[arg(long, value_parser = parse_priority)]
    priority: Option<Priority>,
    /// Who is to do it: `me`, or a member by name or id
    #[arg(long, value_name = "NAME")]
    assignee: Option<String>,
    /// A label. Can be repeated. The labels replace all labels of the task
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
    /// More about the task
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

impl Fields {
    fn apply(&self, mut change: TaskChange, client: &FamilyClient) -> Result<TaskChange, Failure> {
        if let Some(due) = self.due {
            change = change.due_date(due.resolve(|| client.profile().get())?);
        }
        if let Some(assignee) = &self.assignee {
            change = change.assignee(&find::member(client, assignee)?);
        }
        if !self.labels.is_empty() {
            change = change.labels(&self.labels);
        }
        let change = self.priority.into_iter().fold(change, TaskChange::priority);
        Ok(self.description.iter().fold(change, TaskChange::description))
    }
}

fn parse_priority(name: &str) -> Result<Priority, &'static str> {
    name.to_uppercase().parse().map_err(|_| "expected low, medium, high or urgent")
}

pub(crate) fn run(context: &Context, command: &TaskCommand) -> Result<(), Failure> {
    let tasks = Records::new(context, FamilyClient::tasks)?;
    match command {
        TaskCommand::Add(arguments) => add(&tasks, arguments),
        TaskCommand::Change(arguments) => change(&tasks, arguments),
        TaskCommand::Done(target) => tasks.update(target, TaskChange::new().complete()),
        TaskCommand::Reopen(target) => tasks.update(target, TaskChange::new().reopen()),
        TaskCommand::Move { target, column, order: None } => tasks.update(target, TaskChange::new().column(column)),
        TaskCommand::Move { target, column, order: Some(order) } => {
            tasks.print(target.if_match.apply(tasks.api.move_to(&target.record.id, column, *order)))
        }
        TaskCommand::Delete(target) => tasks.delete(target),
        TaskCommand::Restore(record) => tasks.restore(record),
        TaskCommand::Etag(record) => tasks.print_etag(record),
        TaskCommand::Columns => context.output.print_record(&Columns(tasks.client.read().tasks().wait()?), None),
    }
}

fn add(tasks: &Records<'_, Task>, arguments: &AddArguments) -> Result<(), Failure> {
    let mut task = TaskChange::new().title(&arguments.title);
    if let Some(column) = named_column(&tasks.client, arguments)? {
        task = task.column(&column);
    }
    if arguments.private {
        task = task.make_private();
    }
    tasks.print(tasks.api.create(arguments.fields.apply(task, &tasks.client)?))
}

fn change(tasks: &Records<'_, Task>, arguments: &ChangeArguments) -> Result<(), Failure> {
    let task = arguments.title.iter().fold(TaskChange::new(), TaskChange::title);
    let task = arguments.remove.iter().fold(task, |task, field| match field {
        Removable::Description => task.clear_description(),
        Removable::Due => task.clear_due_date(),
        Removable::Assignee => task.clear_assignee(),
        Removable::Labels => task.labels::<String>([]),
    });
    tasks.update(&arguments.target, arguments.fields.apply(task, &tasks.client)?)
}

/// Returns the column of `--column` and `--board`. `None` if neither is set.
fn named_column(client: &FamilyClient, arguments: &AddArguments) -> Result<Option<ColumnId>, Failure> {
    if arguments.board.is_none() && arguments.column.is_none() {
        return Ok(None);
    }
    let boards = client.read().tasks().wait()?;
    let boards: Vec<&Board> = match &arguments.board {
        Some(text) => vec![find::by_id_or_name("board", text, &boards, |board| (&board.id, &board.name))?],
        None => boards.iter().collect(),
    };
    let mut columns = boards.iter().flat_map(|board| &board.columns);
    let column: &Column = match &arguments.column {
        Some(text) => find::by_id_or_name("column", text, columns, |column| (&column.id, &column.name))?,
        None => columns.next().ok_or_else(|| Failure::Usage("the board has no column".to_owned()))?,
    };
    Ok(Some(column.id.clone()))
}
