//! `delete_event`: deletes an event, or skips an occurrence.

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::change::{EventUpdate, OccurrenceScope};
use family_api_core::occurrences::find_occurrence;
use family_api_core::resource::{Event, RecordKind, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::{MAX_LINE, When, schema, title};
use crate::write::delete::how_to_undo;
use crate::write::event_target::{EventTarget, SCOPE, TargetOccurrence};

const ARGUMENTS: &[Argument] = &[ID, SCOPE];

/// Deletes an event, or skips an occurrence.
pub(crate) struct DeleteEvent;

#[derive(Serialize, JsonSchema)]
struct Output {
    id: String,
    deleted: bool,
    // The occurrences that were deleted: `this`, `following` or `all`. Absent if the event does not recur.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    title: String,
    start: String,
    // The day in words, if an occurrence was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
}

#[async_trait]
impl ToolHandler for DeleteEvent {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "delete_event",
            title: "Delete an event",
            description: "Deletes an event with all its occurrences for the whole family. The id of an occurrence: skips \
                          only this one.",
            effect: Effect::Write(Verb::Delete, &[RecordKind::Event]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let events = context.api().records::<Event>(context.caller(), Verb::Delete)?;
        let target = EventTarget::of(&Arguments::read(ARGUMENTS, arguments)?)?;
        match &target.occurrence {
            Some(occurrence) if occurrence.scope != OccurrenceScope::All => skip(context, &target, occurrence).await,
            _ => {
                if let Some(occurrence) = &target.occurrence {
                    check(context, &target, occurrence).await?;
                }
                let deleted = events.take(&target.event, &Precondition::None).await;
                let event = deleted.map_err(|error| target.failed(error))?;
                let is_recurring = event.recurrence.is_some();
                let output = Output {
                    id: event.id.to_string(),
                    deleted: true,
                    scope: is_recurring.then_some(OccurrenceScope::All.as_str()),
                    title: title(&event.title),
                    start: When::from(&event).days_or_times(context.zone()).0,
                    when: None,
                };
                let all = if is_recurring { ", all occurrences" } else { "" };
                let (title, undo) = (one_line(&output.title, MAX_LINE), how_to_undo(context, RecordKind::Event));
                let text = format!("Deleted the event {title} [{}]{all}, from {}.\n{undo}", output.id, output.start);
                Answer::new(&output, text)
            }
        }
    }
}

/// Checks that the event has the occurrence, before all of them are deleted.
async fn check(context: &ToolContext, target: &EventTarget, occurrence: &TargetOccurrence) -> Result<(), ToolError> {
    let found = context.api().read(context.caller())?.get_event(&target.event).await;
    let event = found.map_err(|error| target.failed(error))?.record;
    match find_occurrence(&event, context.zone(), occurrence.start, &[]) {
        Some(_) => Ok(()),
        None => Err(target.failed(Error::NotFound)),
    }
}

/// Skips an occurrence, or ends its event before it.
async fn skip(context: &ToolContext, target: &EventTarget, occurrence: &TargetOccurrence) -> Result<Answer, ToolError> {
    let TargetOccurrence { start, scope } = occurrence;
    let events = context.api().records::<Event>(context.caller(), Verb::Update)?;
    let update = EventUpdate::skip_occurrence(*start, *scope);
    let updated = events.update(&target.event, update, &Precondition::None).await;
    let event = updated.map_err(|error| target.failed(error))?.before;
    let zone: &Zone = context.zone();
    let Some(skipped) = find_occurrence(&event, zone, *start, &[]) else {
        return Err(target.failed(Error::NotFound));
    };
    let when = When::from(&skipped);
    let output = Output {
        id: skipped.id.to_string(),
        deleted: true,
        scope: Some(scope.as_str()),
        title: title(&skipped.title),
        start: when.days_or_times(zone).0,
        when: Some(when.day_in_words(zone)),
    };
    let (title, day) = (one_line(&output.title, MAX_LINE), when.day_in_words(zone));
    let text = if *scope == OccurrenceScope::This {
        let can_restore = context.can_write(RecordKind::Event, Verb::Restore);
        let undo = if can_restore { "restore with kind event and this id brings it back.\n" } else { "" };
        format!("Skipped {title} on {day} [{}], {}.\n{undo}", output.id, output.start)
    } else {
        let undo = "restore does not bring them back.";
        let Output { id, start, .. } = &output;
        format!("Deleted {title} on {day} [{id}], {start}, and all following occurrences.\n{undo}\n")
    };
    Answer::new(&output, text)
}
