//! `family overview`

use clap::Args;
use family_api_client::id::UserId;
use family_api_client::resource::{AssigneeFilter, DaysAhead, Excerpt, OverviewQuery, PersonSummary};
use family_api_client::{FamilyClient, Surface};

use crate::commands::read::PathOption;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

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
    let surface = arguments.path.surface();
    let client = context.client_over(surface)?;
    let person = arguments.person.as_deref().map(|person| Person::find(&client, surface, person)).transpose()?;
    let (assignee, unchecked) = person.map(|person| (person.assignee, person.unchecked)).unzip();
    let query = OverviewQuery { assignee, days: arguments.days.unwrap_or_default() };
    // The overview has the local times of the profile.
    match (context.output.print_response(client.read().overview(&query), None), unchecked.flatten()) {
        (Err(Failure::Call(error)), Some(message)) if error.status() == Some(400) => {
            Err(Failure::UnknownName { error, message })
        }
        (result, _) => result,
    }
}

/// Whose tasks and events are shown.
struct Person {
    assignee: AssigneeFilter,
    /// The message if the service does not know the person: the text was taken as an id, because names are missing.
    unchecked: Option<String>,
}

impl Person {
    fn find(client: &FamilyClient, surface: Surface, text: &str) -> Result<Self, Failure> {
        let (assignee, unchecked) = match (text, surface) {
            ("me", _) => (AssigneeFilter::Me, None),
            ("unassigned", _) => (AssigneeFilter::Unassigned, None),
            (text, Surface::ReadPath) => {
                // The read path has no other list of members.
                let members = client.read().overview(&OverviewQuery::default()).wait()?.members;
                let (user, unchecked) = member_of_excerpt(text, &members)?;
                (AssigneeFilter::User(user), unchecked)
            }
            (text, _) => (AssigneeFilter::User(find::member(client, text)?), None),
        };
        Ok(Self { assignee, unchecked })
    }
}

/// Returns the id of the member with this name or id. A name counts only if the excerpt has the whole names of all
/// members, because otherwise another member could have the same name. The message is for a text that is no known id.
fn member_of_excerpt(text: &str, members: &Excerpt<PersonSummary>) -> Result<(UserId, Option<String>), Failure> {
    let listed = || members.items.iter().map(|member| (&member.id, member.name.as_deref().unwrap_or_default()));
    if !members.is_cut() && !listed().any(|(_, name)| name.ends_with('…')) {
        return Ok((find::member_of(text, listed())?, None));
    }
    let message = format!("the read path does not list all names of this family: use the id of `{text}`, not the name");
    if let Some((id, _)) = listed().find(|(id, _)| id.as_str() == text) {
        return Ok((id.clone(), None));
    }
    match text.parse() {
        Ok(id) => Ok((id, Some(message))),
        Err(_) => Err(Failure::Usage(message)),
    }
}
