//! `update_events`: changes fields of events, or of their occurrences, each with its own outcome.

use std::fmt::Write;
use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::calendar::{Zone, ZoneName};
use family_api_core::change::{Editable, OccurrenceScope};
use family_api_core::id::UserId;
use family_api_core::occurrences::find_occurrence;
use family_api_core::query::ClashQuery;
use family_api_core::resource::{Event, Occurrence, Person, RecordKind, Verb};
use family_api_core::storage::StorageError;
use family_api_core::validation::Json;
use family_api_core::{Error, Updated};
use serde::Serialize;
use serde_json::json;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, ArgumentType, IDS, IF_MATCH};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names::Directory;
use crate::records::{MAX_LINE, Span, When, person, title};
use crate::write::before::{Before, Values};
use crate::write::changed::{Change, has_new_value, update_completed};
use crate::write::event_target::{EventTarget, SCOPE, scope_words};
use crate::write::kept_time;
use crate::write::outcomes::{AGAIN, Outcome, Outcomes};
use crate::write::update::{names_of, read_fields, schema_of_fields};

const ARGUMENTS: &[Argument] = &[Argument { accepts: ArgumentType::Ids(20), ..IDS }, SCOPE, IF_MATCH];

/// What a model should know about a field, in addition to its name and type.
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("start", "A local time, or a day, on which a timed event keeps its time. Without end, the length stays."),
    ("end", "A local time, or the last day of an all-day event."),
    ("recurrence", "RRULE (RFC 5545)."),
    ("assignee", "A member: name, id or me."),
    ("participants", "Members: names or ids. Replaces all participants."),
];

/// The arguments for the fields.
static FIELDS: LazyLock<Vec<String>> = LazyLock::new(names_of::<Event>);

/// The fields that say when an event takes time, and of whom.
const COMPARED: [&str; 7] =
    ["startDate", "endDate", "allDay", "timeZone", "recurrence", "assigneeId", "participantIds"];

/// Changes fields of events, or of their occurrences.
pub(crate) struct UpdateEvents;

// An event or an occurrence after a change.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownEvent {
    id: String,
    // The occurrences that were written: `this`, `following` or `all`. Absent if the event does not recur.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    title: String,
    #[serde(flatten)]
    span: Span,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    participants: Vec<String>,
}

#[async_trait]
impl ToolHandler for UpdateEvents {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "update_events",
            title: "Update events",
            description: "Changes the given fields of 1 to 20 events in the same way. The id of an event means all its \
                          occurrences, the id of an occurrence only this one.",
            effect: Effect::Write(Verb::Update, &[RecordKind::Event]),
            arguments: ARGUMENTS,
            fields: Some(schema_of_fields::<Event>(DESCRIPTIONS)),
            output: Outcomes::schema(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let events = context.api().records::<Event>(context.caller(), Verb::Update)?;
        let (arguments, fields) = read_fields::<Event>(context, ARGUMENTS, &FIELDS, arguments)?;
        let targets = EventTarget::all(&arguments)?;
        let if_match = arguments.if_match()?;
        let is_given = |names: &[&str]| fields.iter().any(|(name, _)| names.contains(&name.as_str()));
        let mut names = Names { directory: Directory::new(context), members: None };
        let mut outcomes = Outcomes::default();
        let mut compared: Vec<(usize, ClashQuery)> = Vec::new();
        for (id, target) in arguments.ids().into_iter().zip(&targets) {
            let failed = |reason| Outcome::failed(id, reason);
            if outcomes.skips(failed) {
                continue;
            }
            let complete = || kept_time::of_event(context, target, fields.clone());
            let parse = |fields| target.narrow(Event::parse_update(Json::Object(fields)).map_err(Error::InvalidField)?);
            let of_change = |error| target.failed(error);
            let reference = (&target.event, if_match);
            let updated = update_completed(&mut names.directory, &events, reference, complete, parse, of_change).await;
            let changed = match outcomes.unless_argument(updated)? {
                Ok((updated, notices)) => {
                    if is_given(&COMPARED) {
                        // A split leaves the earlier occurrences to the event. The created one has the others.
                        let event = updated.created.clone().unwrap_or_else(|| updated.after.clone());
                        let query = ClashQuery { event, occurrence: target.only_start() };
                        compared.push((outcomes.len(), query));
                    }
                    names.outcome(context, target, updated, notices, is_given(&["recurrence"])).await
                }
                Err(error) => Err(error),
            };
            outcomes.add(context, changed, failed, AGAIN)?;
        }
        outcomes.check_clashes(context, compared).await;
        outcomes.into_answer("Events changed", "changed", "")
    }
}

/// The names that the arguments and the answer need.
struct Names<'a> {
    directory: Directory<'a>,
    /// The members, if an answer needed them.
    members: Option<Vec<Person>>,
}

impl Names<'_> {
    /// Returns the outcome of the change of an event.
    async fn outcome(
        &mut self,
        context: &ToolContext,
        target: &EventTarget,
        updated: Updated<Event>,
        notices: Vec<String>,
        has_rule: bool,
    ) -> Result<Outcome, ToolError> {
        let Updated { before, after, created, .. } = updated;
        let is_changed = has_new_value(before.clone(), &after);
        let is_split = created.is_some();
        let after = created.unwrap_or(after);
        let zone = context.zone();
        let earlier = target.first_start().and_then(|start| find_occurrence(&before, zone, start, &[]));
        let earlier = earlier.unwrap_or_else(|| Occurrence::of_single(&before));
        let written = target.shown_in(&after, zone).unwrap_or_else(|| Occurrence::of_single(&after));
        if self.members.is_none() && [&earlier, &written].into_iter().any(needs_members) {
            self.members = Some(members(context).await);
        }
        let members = self.members.as_deref().unwrap_or_default();
        let scope = target.scope(&after).map(OccurrenceScope::as_str);
        let shown = ShownEvent { scope, ..ShownEvent::new(&written, members, zone) };
        let mut replaced = Before::of(values(&earlier, members, zone), &values(&written, members, zone));
        if is_split && !has_rule {
            // The end of the rule depends on where the event was split.
            replaced.remove("recurrence");
        }
        let line = shown.line();
        Change { is_changed, shown, replaced, notices }.outcome(&line)
    }
}

/// Returns whether the answer names people of an occurrence that the occurrence has only by their ids.
fn needs_members(occurrence: &Occurrence) -> bool {
    let is_unknown = occurrence.assignee_id.is_some() && occurrence.assignee.is_none();
    is_unknown || !occurrence.participant_ids.is_empty()
}

/// Returns the members. If they cannot be read, people are shown by their ids: the event is written in any case.
async fn members(context: &ToolContext) -> Vec<Person> {
    let read = async || {
        let members = context.api().read(context.caller())?.members().await?;
        members.parse().map_err(|error| Error::from(StorageError::from(error)))
    };
    read().await.unwrap_or_else(|error| {
        context.log(&error);
        Vec::new()
    })
}

/// Returns the whole values of the fields, as the arguments set them.
fn values(event: &Occurrence, members: &[Person], zone: &Zone) -> Values {
    let (start, end) = When::from(event).days_or_times(zone);
    let (assignee, participants) = people(event, members);
    vec![
        ("title", json!(event.title)),
        ("start", json!(start)),
        ("end", json!(end)),
        ("allDay", json!(event.all_day)),
        ("recurrence", json!(event.recurrence)),
        ("location", json!(event.location)),
        ("description", json!(event.description)),
        ("assignee", json!(assignee)),
        ("participants", json!(participants)),
        ("emoji", json!(event.emoji)),
        ("color", json!(event.color)),
        ("timeZone", json!(event.time_zone.as_ref().map(ZoneName::as_str))),
    ]
}

/// Returns the assignee and the participants. A person who is not one of the members is shown by the id.
fn people(event: &Occurrence, members: &[Person]) -> (Option<String>, Vec<String>) {
    let member = |id: &UserId| members.iter().find(|member| member.id == *id).cloned();
    let assignee = event.assignee.clone().or_else(|| event.assignee_id.as_ref().and_then(member));
    let participants = event.participant_ids.iter().filter_map(|id| person(member(id), Some(id.clone())));
    (person(assignee, event.assignee_id.clone()), participants.collect())
}

impl ShownEvent {
    /// Describes an occurrence, or an event.
    fn new(event: &Occurrence, members: &[Person], zone: &Zone) -> Self {
        let (assignee, participants) = people(event, members);
        Self {
            scope: None,
            span: When::from(event).span(zone),
            id: event.id.to_string(),
            title: title(&event.title),
            recurrence: event.recurrence.as_deref().map(title),
            location: event.location.as_deref().map(title),
            assignee,
            participants,
        }
    }

    /// Returns the event as one line.
    fn line(&self) -> String {
        let title = one_line(&self.title, MAX_LINE);
        let scope = self.scope.and_then(|scope| scope.parse().ok());
        let scope = scope.map(|scope| format!(", {}", scope_words(scope))).unwrap_or_default();
        let mut line = format!("Event {title} [{}]{scope}: {}", self.id, self.span.words());
        if let Some(recurrence) = &self.recurrence {
            let _ = write!(line, ", repeated by {}", one_line(recurrence, MAX_LINE));
        }
        if let Some(location) = &self.location {
            let _ = write!(line, ", at {}", one_line(location, MAX_LINE));
        }
        if let Some(assignee) = &self.assignee {
            let _ = write!(line, ", for {}", one_line(assignee, MAX_LINE));
        }
        if !self.participants.is_empty() {
            let _ = write!(line, ", with {}", one_line(&self.participants.join(", "), MAX_LINE));
        }
        line.push('\n');
        line
    }
}
