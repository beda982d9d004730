//! `family task …`

use clap::{Args, Subcommand, ValueEnum};
use family_api_client::api::ReadApi;
use family_api_client::change::{DateOrInstant, TaskChange};
use family_api_client::id::{ColumnId, TaskId};
use family_api_client::resource::{Board, Column, Priority, Task, TaskFilter};
use family_api_client::{Error, FamilyClient};

use crate::commands::record::{RecordId, RecordName, Records, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Nameable, Named, Prefer};
use crate::show::Columns;
use crate::when::parse_when;

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Add a task. Default column: the first one
    #[command(after_help = "\
Examples:
  family task add \"Call the plumber\" --due 2026-12-24 --assignee me
  family task add Bins --repeat \"FREQ=WEEKLY;BYDAY=MO\"")]
    Add(AddArguments),
    /// Change a task
    #[command(after_help = "Example: family task change \"Call the plumber\" --priority high --remove due")]
    Change(ChangeArguments),
    /// Mark a task as done. One that recurs is due again
    #[command(after_help = "Example: family task done \"Call the plumber\"")]
    Done(Target),
    /// Mark a task as open again
    Reopen(Target),
    /// Move a task to a column
    #[command(after_help = "Example: family task move \"Call the plumber\" --column Doing")]
    Move {
        #[command(flatten)]
        target: Target,
        /// The column, by name or id, as listed by `family task columns`
        #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
        column: String,
        /// The board of the column, by name or id. Default: all boards
        #[arg(long, value_name = "NAME")]
        board: Option<String>,
        /// The position in the column, 0 to 1,000,000: the task takes exactly this one. If another task has it, that
        /// task and the tasks after it get higher ones, as far as the first free one. Default: the end of the column
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        order: Option<i64>,
    },
    /// Delete a task. It can be restored for 30 days
    #[command(after_help = "Example: family task delete \"Call the plumber\"")]
    Delete(Target),
    /// Restore a deleted task
    #[command(after_help = "Example: family task restore 0197…")]
    Restore(RecordId<TaskId>),
    /// Show a task with its entity tag for `--if-match`. Needs a key that can write
    Etag(RecordName),
    /// List the columns of all boards
    Columns,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// What is to be done
    #[arg(required = true)]
    title: Vec<String>,
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
    target: Target,
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
    Repeat,
    Assignee,
    Labels,
}

#[derive(Debug, Args)]
struct Fields {
    /// When the task is due: YYYY-MM-DD, or YYYY-MM-DDTHH:MM in the time zone of your profile, or an RFC 3339 time
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    due: Option<DateOrInstant>,
    /// How the task recurs, as an RRULE (RFC 5545). It is due first at the first time of the rule from --due on, or from
    /// today on
    #[arg(long, value_name = "RRULE")]
    repeat: Option<String>,
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
            change = change.due_date(due);
        }
        if let Some(assignee) = &self.assignee {
            change = change.assignee(&find::member(client, assignee)?);
        }
        if !self.labels.is_empty() {
            change = change.labels(&self.labels);
        }
        let change = self.repeat.iter().fold(change, TaskChange::recurrence);
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
        TaskCommand::Done(target) => tasks.update(target, &TaskChange::new().complete()),
        TaskCommand::Reopen(target) => {
            tasks.write(target, Prefer::Done, |id| tasks.api.update(id, TaskChange::new().reopen()))
        }
        TaskCommand::Move { target, column, board, order } => {
            let column = find_column(&tasks.client, board.as_deref(), Some(column))?;
            tasks.write(target, Prefer::Open, |id| match order {
                Some(order) => tasks.api.move_to(id, &column, *order),
                None => tasks.api.update(id, TaskChange::new().column(&column)),
            })
        }
        TaskCommand::Delete(target) => tasks.delete(target),
        TaskCommand::Restore(record) => tasks.restore(record),
        TaskCommand::Etag(record) => tasks.print_etag(record),
        TaskCommand::Columns => context.output.print_record(&Columns(tasks.client.read().tasks().wait()?), None),
    }
}

fn add(tasks: &Records<'_, Task>, arguments: &AddArguments) -> Result<(), Failure> {
    let mut task = TaskChange::new().title(arguments.title.join(" "));
    if arguments.board.is_some() || arguments.column.is_some() {
        task = task.column(&find_column(&tasks.client, arguments.board.as_deref(), arguments.column.as_deref())?);
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
        Removable::Repeat => task.clear_recurrence(),
        Removable::Assignee => task.clear_assignee(),
        Removable::Labels => task.labels::<String>([]),
    });
    tasks.update(&arguments.target, &arguments.fields.apply(task, &tasks.client)?)
}

/// Returns the column with this name or id on this board. Default: any board, and the first column.
fn find_column(client: &FamilyClient, board: Option<&str>, column: Option<&str>) -> Result<ColumnId, Failure> {
    let boards = client.read().tasks().wait()?;
    let boards: Vec<&Board> = match board {
        Some(text) => vec![find::by_id_or_name("board", text, &boards, |board| (&board.id, &board.name))?],
        None => boards.iter().collect(),
    };
    let mut columns = boards.iter().flat_map(|board| &board.columns);
    let column: &Column = match column {
        Some(text) => find::by_id_or_name("column", text, columns, |column| (&column.id, &column.name))?,
        None => columns.next().ok_or_else(|| Failure::Usage("the board has no column".to_owned()))?,
    };
    Ok(column.id.clone())
}

impl Nameable for Task {
    const NAME: &'static str = "task";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<TaskId>>, Error> {
        let boards = api.tasks().filter(TaskFilter::All).wait()?;
        let tasks = boards.into_iter().flat_map(|board| board.columns).flat_map(|column| column.tasks);
        Ok(tasks.map(|task| Named { is_done: task.completed, ..Named::new(task.id, task.title) }).collect())
    }
}
