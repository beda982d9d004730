//! `family overview`

use clap::Args;
use family_api_client::api::ReadApi;
use family_api_client::resource::{AssigneeFilter, DaysAhead, OverviewQuery};

use crate::commands::read::PathOption;
use crate::context::Context;
use crate::failure::Failure;
use crate::find::by_id_or_name;

#[derive(Debug, Args)]
pub(crate) struct OverviewArguments {
    #[command(flatten)]
    path: PathOption,
    /// Show the tasks of one person, and the events of this person and of the whole family: `me`, `unassigned`, or a
    /// member by name or id. Default: those of everybody
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
    /// Show the events of today and of this many days after it, 0 to 31. Default: 7
    #[arg(long, value_name = "N", value_parser = parse_days)]
    days: Option<DaysAhead>,
}

fn parse_days(text: &str) -> Result<DaysAhead, &'static str> {
    text.parse().map_err(|_| "expected a number from 0 to 31")
}

pub(crate) fn run(context: &Context, arguments: &OverviewArguments) -> Result<(), Failure> {
    let api = context.client_over(arguments.path.surface())?.read();
    let assignee = arguments.person.as_deref().map(|person| assignee(&api, person)).transpose()?;
    let query = OverviewQuery { assignee, days: arguments.days.unwrap_or_default() };
    // The overview has the local times of the profile.
    context.output.print_response(api.overview(&query), None)
}

fn assignee(api: &ReadApi, text: &str) -> Result<AssigneeFilter, Failure> {
    Ok(match text {
        "me" => AssigneeFilter::Me,
        "unassigned" => AssigneeFilter::Unassigned,
        text => {
            // The read path has no other list of members.
            let members = api.overview(&OverviewQuery::default()).wait()?.members.items;
            let found = by_id_or_name("member", text, &members, |member| {
                (&member.id, member.name.as_deref().unwrap_or_default())
            });
            AssigneeFilter::User(match found {
                Ok(member) => member.id.clone(),
                // A member who is not among the first ones is known only by id.
                Err(Failure::NotFound(message)) => text.parse().map_err(|_| Failure::NotFound(message))?,
                Err(failure) => return Err(failure),
            })
        }
    })
}
