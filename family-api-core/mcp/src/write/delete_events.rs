//! `delete_events`: deletes events, or skips occurrences, each with its own outcome.

use async_trait::async_trait;
use family_api_core::change::{EventUpdate, OccurrenceScope};
use family_api_core::occurrences::find_occurrence;
use family_api_core::resource::{Event, RecordKind, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition, RecordService};
use serde::Serialize;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, Arguments, IDS};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::{MAX_LINE, When, title};
use crate::write::delete::how_to_undo;
use crate::write::event_target::{EventTarget, SCOPE, TargetOccurrence, scope_words};
use crate::write::outcomes::{AGAIN, Outcome, OutcomeResult, Outcomes};

const ARGUMENTS: &[Argument] = &[IDS, SCOPE];

/// Deletes events, or skips occurrences.
pub(crate) struct DeleteEvents;

// What was deleted.
#[derive(Serialize)]
struct Deleted {
    id: String,
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
impl ToolHandler for DeleteEvents {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "delete_events",
            title: "Delete events",
            description: "Deletes 1 to 50 events with all their occurrences. The id of an occurrence: skips only this one.",
            effect: Effect::Write(Verb::Delete, &[RecordKind::Event]),
            arguments: ARGUMENTS,
            fields: None,
            output: Outcomes::schema_with_notices(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let events = context.api().records::<Event>(context.caller(), Verb::Delete)?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let targets = EventTarget::all(&arguments)?;
        let (mut outcomes, mut undo) = (Outcomes::default(), String::new());
        for (id, target) in arguments.ids().into_iter().zip(&targets) {
            let failed = |reason| Outcome::failed(id, reason);
            if outcomes.skips(failed) {
                continue;
            }
            let deleted = match &target.occurrence {
                Some(occurrence) if occurrence.scope != OccurrenceScope::All => skip(context, target, occurrence).await,
                _ => delete(context, &events, target).await,
            };
            let line = how_to_undo_in(context, target);
            if deleted.is_ok() && !undo.contains(&line) {
                undo.push_str(&line);
            }
            outcomes.add(context, deleted, failed, AGAIN)?;
        }
        outcomes.into_answer("Events deleted", "deleted", &undo)
    }
}

/// Deletes an event with all its occurrences.
async fn delete(
    context: &ToolContext,
    events: &RecordService<'_, Event>,
    target: &EventTarget,
) -> Result<Outcome, ToolError> {
    if let Some(occurrence) = &target.occurrence {
        check(context, target, occurrence).await?;
    }
    let deleted = events.take(&target.event, &Precondition::None).await;
    let event = deleted.map_err(|error| target.failed(error))?;
    let scope = event.recurrence.is_some().then_some(OccurrenceScope::All);
    let deleted = Deleted {
        id: event.id.to_string(),
        scope: scope.map(OccurrenceScope::as_str),
        title: title(&event.title),
        start: When::from(&event).days_or_times(context.zone()).0,
        when: None,
    };
    let all = scope.map(|scope| format!(", {}", scope_words(scope))).unwrap_or_default();
    let line = format!("{} [{}]{all}, from {}\n", one_line(&deleted.title, MAX_LINE), deleted.id, deleted.start);
    Outcome::detailed(OutcomeResult::Deleted, &deleted, line)
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
async fn skip(
    context: &ToolContext,
    target: &EventTarget,
    occurrence: &TargetOccurrence,
) -> Result<Outcome, ToolError> {
    let TargetOccurrence { start, scope } = occurrence;
    let events = context.api().records::<Event>(context.caller(), Verb::Update)?;
    let update = EventUpdate::skip_occurrence(*start, *scope);
    let updated = events.update(&target.event, update, &Precondition::None).await;
    let event = updated.map_err(|error| target.failed(error))?.before;
    let Some(skipped) = find_occurrence(&event, context.zone(), *start, &[]) else {
        return Err(target.failed(Error::NotFound));
    };
    let when = When::from(&skipped);
    let day = when.day_in_words(context.zone());
    let deleted = Deleted {
        id: skipped.id.to_string(),
        scope: Some(scope.as_str()),
        title: title(&skipped.title),
        start: when.days_or_times(context.zone()).0,
        when: Some(day.clone()),
    };
    let (title, scope) = (one_line(&deleted.title, MAX_LINE), scope_words(*scope));
    let line = format!("{title} on {day} [{}], {}: {scope}\n", deleted.id, deleted.start);
    Outcome::detailed(OutcomeResult::Deleted, &deleted, line)
}

/// Returns the line that says how the deletion of a target is undone.
fn how_to_undo_in(context: &ToolContext, target: &EventTarget) -> String {
    match target.occurrence.as_ref().map(|occurrence| occurrence.scope) {
        Some(OccurrenceScope::Following) => "restore does not bring following occurrences back.\n".to_owned(),
        Some(OccurrenceScope::This) if context.can_write(RecordKind::Event, Verb::Restore) => {
            "restore with kind event and the id brings it back.\n".to_owned()
        }
        Some(OccurrenceScope::This) => String::new(),
        _ => how_to_undo(context, RecordKind::Event),
    }
}
