//! `family read …`, `family tasks`, `family events` and `family notes`

use clap::{Args, Subcommand, ValueEnum};
use family_api_client::api::ReadApi;
use family_api_client::resource::{Profile, TaskFilter};
use family_api_client::{Call, Date, FamilyClient, Reading, Surface};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::failure::Failure;
use crate::show::Show;
use crate::when::parse_day;

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    #[command(flatten)]
    path: PathOption,
    #[command(subcommand)]
    resource: Resource,
}

/// Which tasks are read.
#[derive(Debug, Args)]
pub(crate) struct Filter {
    /// Which tasks to show. Default: open tasks
    #[arg(long, value_name = "WHICH")]
    completed: Option<Completed>,
}

#[derive(Debug, Args)]
pub(crate) struct PathOption {
    /// Read over `/api/mcp`, for keys of mode `mcp_read`. Works even if the personal API is off
    #[arg(long, global = true)]
    read_path: bool,
}

impl PathOption {
    pub(crate) fn surface(&self) -> Surface {
        if self.read_path { Surface::ReadPath } else { Surface::V1 }
    }

    /// Returns the call that reads the profile. `None` on the read path, which has no profile.
    pub(crate) fn profile(&self, client: &FamilyClient) -> Option<Call<Profile>> {
        (!self.read_path).then(|| client.profile().get())
    }
}

#[derive(Debug, Subcommand)]
enum Resource {
    /// Tasks
    Tasks(Filter),
    /// Events
    Events(Days),
    /// Shopping lists
    Shopping,
    /// Notes
    Notes,
    /// The numbers of open and completed tasks of the key's user
    #[command(name = "task_stats", alias = "task-stats")]
    TaskStats,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Completed {
    /// Completed tasks
    True,
    /// Open tasks
    False,
    /// All tasks
    All,
}

/// A range of days in the time zone of the user's profile.
#[derive(Debug, Args)]
pub(crate) struct Days {
    /// Show events that begin on this day, YYYY-MM-DD, or later
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Option<Date>,
    /// Show events that end on this day, YYYY-MM-DD, or earlier
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    to: Option<Date>,
    /// Show every occurrence of recurring events that overlaps the days. Needs --from and --to, at most 366 days
    #[arg(long, requires_all = ["from", "to"])]
    expand: bool,
}

pub(crate) fn run(context: &Context, arguments: &ReadArguments) -> Result<(), Failure> {
    let path = &arguments.path;
    match &arguments.resource {
        Resource::Tasks(filter) => tasks(context, path, filter),
        Resource::Events(days) => events(context, path, days),
        Resource::Shopping => read(context, path, ReadApi::shopping),
        Resource::Notes => notes(context, path),
        Resource::TaskStats => read(context, path, ReadApi::task_stats),
    }
}

pub(crate) fn tasks(context: &Context, path: &PathOption, filter: &Filter) -> Result<(), Failure> {
    read(context, path, |api| api.tasks().filter(task_filter(filter.completed)))
}

pub(crate) fn notes(context: &Context, path: &PathOption) -> Result<(), Failure> {
    read(context, path, ReadApi::notes)
}

pub(crate) fn events(context: &Context, path: &PathOption, days: &Days) -> Result<(), Failure> {
    match (days.expand, days.from, days.to) {
        (true, Some(from), Some(to)) => read(context, path, |api| api.occurrences(from, to)),
        (_, from, to) => read(context, path, |api| {
            let events = from.into_iter().fold(api.events(), Call::from);
            to.into_iter().fold(events, Call::to)
        }),
    }
}

fn read<T>(context: &Context, path: &PathOption, call: impl FnOnce(&ReadApi) -> Call<T, Reading>) -> Result<(), Failure>
where
    T: DeserializeOwned + Serialize + Show + Send + 'static,
{
    let client = context.client_over(path.surface())?;
    context.output.print_response(call(&client.read()), path.profile(&client))
}

fn task_filter(completed: Option<Completed>) -> TaskFilter {
    match completed {
        None | Some(Completed::False) => TaskFilter::Open,
        Some(Completed::True) => TaskFilter::Done,
        Some(Completed::All) => TaskFilter::All,
    }
}
