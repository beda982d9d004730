//! `update_event`: changes fields of an event, or of its occurrences.

use std::fmt::Write;
use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::change::{Editable, OccurrenceScope};
use family_api_core::query::ClashQuery;
use family_api_core::resource::{Event, RecordKind, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition, Updated};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::instructions::capitalized;
use crate::records::{MAX_LINE, When, schema, title};
use crate::write::changed::{first_lines, update};
use crate::write::clash_report::ClashReport;
use crate::write::event_target::{EventTarget, SCOPE, scope_words};
use crate::write::kept_time;
use crate::write::update::{names_of, read_fields, schema_of_fields};

const ARGUMENTS: &[Argument] = &[ID, SCOPE];

/// What a model should know about a field, in addition to its name and type.
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("startDate", "A local time, or a day, on which a timed event keeps its time. Without endDate, the length stays."),
    ("endDate", "A local time, or the last day of an all-day event."),
    ("recurrence", "RRULE (RFC 5545)."),
    ("assignee", "A member: name, id or me."),
    ("participants", "Members: names or ids. Replaces all participants."),
];

/// The arguments for the fields.
static FIELDS: LazyLock<Vec<String>> = LazyLock::new(names_of::<Event>);

/// The fields that say when an event takes time, and of whom.
const COMPARED: [&str; 7] =
    ["startDate", "endDate", "allDay", "timeZone", "recurrence", "assigneeId", "participantIds"];

/// Changes fields of an event, or of its occurrences.
pub(crate) struct UpdateEvent;

// An event or an occurrence after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    id: String,
    // False if no field has a new value.
    changed: bool,
    // The occurrences that were written: `this`, `following` or `all`. Absent if the event does not recur.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    title: String,
    start: String,
    end: String,
    all_day: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    participant_ids: Vec<String>,
    // What is special about the times of the change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    // What the event overlaps with, if its time or its people were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    clashes: Option<ClashReport>,
}

#[async_trait]
impl ToolHandler for UpdateEvent {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "update_event",
            title: "Update an event",
            description: "Changes the given fields of an event. Other fields keep their values. The id of an event means \
                          all its occurrences, the id of an occurrence only this one.",
            effect: Effect::Write(Verb::Update, &[RecordKind::Event]),
            arguments: ARGUMENTS,
            fields: Some(schema_of_fields::<Event>(DESCRIPTIONS)),
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let events = context.api().records::<Event>(context.caller(), Verb::Update)?;
        let (arguments, mut fields) = read_fields::<Event>(context, ARGUMENTS, &FIELDS, arguments)?;
        let target = EventTarget::of(&arguments)?;
        let mut notices = Vec::new();
        kept_time::of_event(context, &target, &mut fields, &mut notices).await?;
        let parse = |fields| target.narrow(Event::parse_update(Json::Object(fields)).map_err(Error::InvalidField)?);
        let failed = |error| target.failed(error);
        let updated = update(context, &events, &target.event, &fields, &Precondition::None, parse, failed).await?;
        let (Updated { before, after, created, .. }, of_times) = updated;
        notices.extend(of_times);
        let (updated_at, sequence) = (after.updated_at, after.sequence);
        let changed = Event { updated_at, sequence, ..before } != after;
        // A split leaves the earlier occurrences to the event. The created one has those that were changed.
        let after = created.unwrap_or(after);
        let clashes = if fields.iter().any(|(name, _)| COMPARED.contains(&name.as_str())) {
            let query = ClashQuery { event: after.clone(), occurrence: target.only_start() };
            ClashReport::check(context, vec![query]).await.pop()
        } else {
            None
        };
        Output { changed, notices, clashes, ..Output::of(&target, after, context.zone()) }.into_answer()
    }
}

impl Output {
    /// Describes the occurrence if only this one was written, or else the event.
    fn of(target: &EventTarget, event: Event, zone: &Zone) -> Self {
        let scope = target.scope(&event).map(OccurrenceScope::as_str);
        let (changed, notices) = (false, Vec::new());
        let Some(shown) = target.shown_in(&event, zone) else {
            let (start, end) = When::from(&event).days_or_times(zone);
            return Self {
                changed,
                scope,
                start,
                end,
                notices,
                clashes: None,
                id: event.id.to_string(),
                title: title(&event.title),
                all_day: event.all_day,
                recurrence: event.recurrence.map(|recurrence| title(&recurrence)),
                location: event.location.map(|location| title(&location)),
                assignee_id: event.assignee_id.map(|id| id.to_string()),
                participant_ids: event.participant_ids.iter().map(ToString::to_string).collect(),
            };
        };
        let (start, end) = When::from(&shown).days_or_times(zone);
        Self {
            changed,
            scope,
            start,
            end,
            notices,
            clashes: None,
            id: shown.id.to_string(),
            title: title(&shown.title),
            all_day: shown.all_day,
            recurrence: shown.recurrence.map(|recurrence| title(&recurrence)),
            location: shown.location.map(|location| title(&location)),
            assignee_id: shown.assignee_id.map(|id| id.to_string()),
            participant_ids: shown.participant_ids.iter().map(ToString::to_string).collect(),
        }
    }

    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = first_lines((!self.changed).then_some("No field has a new value.\n"), &self.notices);
        let (title, all_day) = (one_line(&self.title, MAX_LINE), if self.all_day { " all day" } else { "" });
        let scope = self.scope.and_then(|scope| scope.parse().ok());
        let scope = scope.map(|scope| format!(", {}", scope_words(scope))).unwrap_or_default();
        let _ = write!(text, "Event {title} [{}]{scope}: {} to {}{all_day}", self.id, self.start, self.end);
        if let Some(recurrence) = &self.recurrence {
            let _ = write!(text, ", repeated by {}", one_line(recurrence, MAX_LINE));
        }
        if let Some(location) = &self.location {
            let _ = write!(text, ", at {}", one_line(location, MAX_LINE));
        }
        if let Some(assignee) = &self.assignee_id {
            let _ = write!(text, ", for [{assignee}]");
        }
        if !self.participant_ids.is_empty() {
            let _ = write!(text, ", with [{}]", self.participant_ids.join("], ["));
        }
        text.push('\n');
        if let Some(clashes) = &self.clashes {
            let _ = writeln!(text, "{}.", capitalized(&clashes.words()));
        }
        Answer::new(&self, text)
    }
}
