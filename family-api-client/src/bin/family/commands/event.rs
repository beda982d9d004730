//! `family event …`

use clap::{Args, Subcommand, ValueEnum};
use family_api_client::api::ReadApi;
use family_api_client::calendar::parse_date;
use family_api_client::change::{DateOrInstant, EventChange};
use family_api_client::id::EventId;
use family_api_client::resource::Event;
use family_api_client::{Error, FamilyClient, OccurrenceScope, OccurrenceStart};

use crate::commands::record::{RecordId, RecordName, Records, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Nameable, Named, Prefer};
use crate::output::{Output, print_line};
use crate::when::parse_when;

#[derive(Debug, Subcommand)]
pub(crate) enum EventCommand {
    /// Add an event
    #[command(after_help = "\
Examples:
  family event add \"Parents' evening\" --start \"2026-12-10 18:00\" --end \"2026-12-10 19:30\"
  family event add Football --start \"2026-12-01 17:00\" --end \"2026-12-01 18:00\" --repeat \"FREQ=WEEKLY;BYDAY=TU\"
  family event add Holidays --start 2026-12-23 --end 2027-01-06")]
    Add(AddArguments),
    /// Change an event, or one occurrence of it. Without --on, a recurring event changes as a whole
    #[command(after_help = "\
Examples:
  family event change Football --location \"Town hall\"
  family event change Football --on 2026-12-08 --start \"2026-12-09 17:00\" --end \"2026-12-09 18:00\"
  family event change Football --on 2026-12-08 --following --location \"Sports hall\"")]
    Change(ChangeArguments),
    /// Delete an event, which can be restored for 30 days, or skip one occurrence of it
    #[command(after_help = "\
Examples:
  family event delete Football
  family event delete Football --on 2026-12-08
  family event delete Football --on 2026-12-08 --following")]
    Delete(DeleteArguments),
    /// Restore an occurrence that was skipped or changed
    #[command(after_help = "Example: family event unskip Football --on 2026-12-08")]
    Unskip(UnskipArguments),
    /// Restore a deleted event
    #[command(after_help = "Example: family event restore 0197…")]
    Restore(RecordId<EventId>),
    /// Show an event with its entity tag for `--if-match`. Needs a key that can write
    Etag(RecordName),
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// What happens
    #[arg(required = true)]
    title: Vec<String>,
    /// When the event begins: YYYY-MM-DDTHH:MM in the time zone of your profile, or an RFC 3339 time. YYYY-MM-DD is the
    /// first day of an event that lasts whole days
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    start: DateOrInstant,
    /// When the event ends, in the same form as --start. If it lasts whole days, this is the last day. Default: the day
    /// of --start
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    end: Option<DateOrInstant>,
    #[command(flatten)]
    fields: Fields,
}

#[derive(Debug, Args)]
pub(crate) struct ChangeArguments {
    #[command(flatten)]
    target: Target,
    /// Change only the occurrence on this day, or with this id
    #[arg(long, value_name = "DATE|ID", value_parser = parse_occurrence)]
    on: Option<On>,
    #[command(flatten)]
    others: Others,
    /// What happens
    #[arg(long)]
    title: Option<String>,
    /// When the event begins, as for `family event add`. Without --end, the event keeps its length
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    start: Option<DateOrInstant>,
    /// When the event ends. If the event lasts whole days, the last day
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    end: Option<DateOrInstant>,
    /// The event lasts whole days
    #[arg(long, conflicts_with = "timed")]
    all_day: bool,
    /// The event has times of day
    #[arg(long)]
    timed: bool,
    /// A value to remove. Can be repeated
    #[arg(long, value_name = "FIELD")]
    remove: Vec<Removable>,
    #[command(flatten)]
    fields: Fields,
}

/// The occurrences that change with the one of --on.
#[derive(Debug, Args)]
struct Others {
    /// Change every occurrence as the one of --on: they all move if it moves
    #[arg(long, requires = "on", conflicts_with = "following")]
    all: bool,
    /// Change also all later occurrences: another event of its own starts at the one of --on
    #[arg(long, requires = "on")]
    following: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArguments {
    #[command(flatten)]
    target: Target,
    /// Skip only the occurrence on this day, or with this id
    #[arg(long, value_name = "DATE|ID", value_parser = parse_occurrence)]
    on: Option<On>,
    /// Skip also all later occurrences: the event ends before the one of --on
    #[arg(long, requires = "on")]
    following: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UnskipArguments {
    #[command(flatten)]
    target: Target,
    /// The day of the occurrence, or its id
    #[arg(long, value_name = "DATE|ID", value_parser = parse_occurrence)]
    on: On,
}

/// A value that an event need not have.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Removable {
    Description,
    Location,
    Repeat,
    Assignee,
}

#[derive(Debug, Args)]
struct Fields {
    /// Where it happens
    #[arg(long, value_name = "PLACE")]
    location: Option<String>,
    /// How the event recurs, as an RRULE (RFC 5545)
    #[arg(long, value_name = "RRULE")]
    repeat: Option<String>,
    /// Whose event it is: `me`, or a member by name or id
    #[arg(long, value_name = "NAME")]
    assignee: Option<String>,
    /// More about the event
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

impl Fields {
    fn apply(&self, mut change: EventChange, client: &FamilyClient) -> Result<EventChange, Failure> {
        if let Some(assignee) = &self.assignee {
            change = change.assignee(&find::member(client, assignee)?);
        }
        change = self.location.iter().fold(change, EventChange::location);
        change = self.repeat.iter().fold(change, EventChange::recurrence);
        Ok(self.description.iter().fold(change, EventChange::description))
    }
}

pub(crate) fn run(context: &Context, command: &EventCommand) -> Result<(), Failure> {
    let events = Records::new(context, FamilyClient::events)?;
    match command {
        EventCommand::Add(arguments) => events.print(events.api.create(new_event(&events.client, arguments)?)),
        EventCommand::Change(arguments) => {
            let change = change(&events.client, arguments)?;
            let scope = match (arguments.others.all, arguments.others.following) {
                (true, _) => OccurrenceScope::All,
                (false, true) => OccurrenceScope::Following,
                (false, false) => OccurrenceScope::This,
            };
            match &arguments.on {
                Some(on) => events.with_id(&arguments.target.record, Prefer::Open, |id| {
                    let call = events.api.update_occurrence(id, on.of(id)?, scope, change.clone());
                    events.print(arguments.target.if_match.apply(call))
                }),
                None => events.update(&arguments.target, &change),
            }
        }
        EventCommand::Delete(DeleteArguments { target, on: Some(on), following: false }) => skip(&events, target, on),
        EventCommand::Delete(DeleteArguments { target, on: Some(on), .. }) => {
            events.with_id(&target.record, Prefer::Neither, |id| {
                let call = events.api.delete_occurrence(id, on.of(id)?, OccurrenceScope::Following);
                events.context.output.print_response(target.if_match.apply(call), None)
            })
        }
        EventCommand::Delete(DeleteArguments { target, on: None, .. }) => events.delete(target),
        EventCommand::Unskip(UnskipArguments { target, on }) => events.with_id(&target.record, Prefer::Open, |id| {
            events.print(target.if_match.apply(events.api.restore_occurrence(id, on.of(id)?)))
        }),
        EventCommand::Restore(record) => events.restore(record),
        EventCommand::Etag(record) => events.print_etag(record),
    }
}

/// Skips an occurrence. Prints its id, and to people the command that restores it.
fn skip(events: &Records<'_, Event>, target: &Target, on: &On) -> Result<(), Failure> {
    events.with_id(&target.record, Prefer::Neither, |id| {
        let start = on.of(id)?;
        let call = target.if_match.apply(events.api.delete_occurrence(id, start, OccurrenceScope::This));
        events.context.output.print_response(call, None)?;
        if events.context.output == Output::Table {
            print_line(&format!("Restore  family event unskip {id} --on {id}@{start}"))?;
        }
        Ok(())
    })
}

/// An occurrence, by its day or its id.
#[derive(Debug, Clone, PartialEq, Eq)]
struct On {
    /// The event in the id.
    event: Option<String>,
    start: OccurrenceStart,
}

impl On {
    /// Returns the start of the occurrence of an event. Fails if the id is that of an occurrence of another event.
    fn of(&self, event: &EventId) -> Result<OccurrenceStart, Failure> {
        match &self.event {
            Some(other) if other != event.as_str() => {
                Err(Failure::Usage(format!("--on: this is an occurrence of the event {other}, not of {event}")))
            }
            _ => Ok(self.start),
        }
    }
}

/// Parses the day or the id of an occurrence.
fn parse_occurrence(text: &str) -> Result<On, &'static str> {
    let day = parse_date(text).map(|day| On { event: None, start: OccurrenceStart::Day(day) });
    let by_id = || {
        let (event, start) = text.rsplit_once('@')?;
        Some(On { event: Some(event.to_owned()), start: start.parse().ok()? })
    };
    day.or_else(by_id).ok_or("expected a day, YYYY-MM-DD, or the id of an occurrence")
}

/// An event from one day to another lasts whole days.
fn new_event(client: &FamilyClient, arguments: &AddArguments) -> Result<EventChange, Failure> {
    let event = EventChange::new().title(arguments.title.join(" "));
    let event = match (arguments.start, arguments.end) {
        (DateOrInstant::On(start), None) => event.all_day().start_date(start).end_date(start),
        (DateOrInstant::On(start), Some(DateOrInstant::On(end))) => event.all_day().start_date(start).end_date(end),
        (DateOrInstant::On(_), Some(_)) | (_, Some(DateOrInstant::On(_))) => {
            return Err(Failure::Usage("--start and --end must both be days or both have a time of day".to_owned()));
        }
        (_, None) => return Err(Failure::Usage("--end is missing: when does the event end?".to_owned())),
        (start, Some(end)) => event.start_date(start).end_date(end),
    };
    arguments.fields.apply(event, client)
}

fn change(client: &FamilyClient, arguments: &ChangeArguments) -> Result<EventChange, Failure> {
    let event = arguments.title.iter().fold(EventChange::new(), EventChange::title);
    let event = if arguments.all_day { event.all_day() } else { event };
    let event = if arguments.timed { event.timed() } else { event };
    let event = arguments.remove.iter().fold(event, |event, field| match field {
        Removable::Description => event.clear_description(),
        Removable::Location => event.clear_location(),
        Removable::Repeat => event.clear_recurrence(),
        Removable::Assignee => event.clear_assignee(),
    });
    let event = arguments.start.into_iter().fold(event, EventChange::start_date);
    let event = arguments.end.into_iter().fold(event, EventChange::end_date);
    arguments.fields.apply(event, client)
}

impl Nameable for Event {
    const NAME: &'static str = "event";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<EventId>>, Error> {
        Ok(api.events().wait()?.into_iter().map(|event| Named::new(event.id, event.title)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_occurrence_is_named_by_its_day_or_its_id() {
        let start = OccurrenceStart::Day(parse_date("2026-12-08").unwrap());
        assert_eq!(parse_occurrence("2026-12-08"), Ok(On { event: None, start }));
        assert_eq!(parse_occurrence("trip@20261208"), Ok(On { event: Some("trip".to_owned()), start }));
        let start = OccurrenceStart::At("2026-12-08T16:30:00Z".parse().unwrap());
        let piano = On { event: Some("piano".to_owned()), start };
        assert_eq!(parse_occurrence("piano@20261208T163000Z"), Ok(piano.clone()));
        assert_eq!(piano.of(&"piano".parse().unwrap()).ok(), Some(start));
        assert!(piano.of(&"football".parse().unwrap()).is_err());
        for bad in ["", "8", "tomorrow", "20261208", "piano", "piano@", "piano@2026-12-08", "2026-02-30"] {
            assert!(parse_occurrence(bad).is_err(), "{bad}");
        }
    }
}
