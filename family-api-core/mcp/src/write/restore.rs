//! `restore`: restores deleted records.

use std::iter;

use async_trait::async_trait;
use family_api_core::change::EventUpdate;
use family_api_core::occurrences::find_occurrence;
use family_api_core::resource::{Event, Note, RecordKind, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{CreateOutcome, Error, Precondition, Updated};
use futures_util::future::BoxFuture;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments, IDS};
use crate::context::ToolContext;
use crate::error::{ToolError, noun};
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::When;
use crate::write::event_target::{EventTarget, TargetOccurrence};
use crate::write::outcomes::{AGAIN, Outcome, Outcomes};
use crate::write::tool_record::ToolRecord;

const RESTORABLE: [Restorable; 4] = [
    Restorable::of::<Task>(),
    Restorable::of::<Note>(),
    Restorable { restore: |context, id| Box::pin(restore_event(context, id)), ..Restorable::of::<Event>() },
    Restorable::of::<ShoppingItem>(),
];

const KINDS: [RecordKind; 4] = [RESTORABLE[0].kind, RESTORABLE[1].kind, RESTORABLE[2].kind, RESTORABLE[3].kind];

const EFFECT: Effect = Effect::Write(Verb::Restore, &KINDS);

const ARGUMENTS: &[Argument] = &[
    Argument::required(
        "kind",
        ArgumentType::Choice(&[KINDS[0].as_str(), KINDS[1].as_str(), KINDS[2].as_str(), KINDS[3].as_str()]),
        "",
    ),
    IDS,
];

/// A kind of record that can be restored.
struct Restorable {
    kind: RecordKind,
    /// Checks whether the caller may restore records of the kind.
    check: fn(&ToolContext) -> Result<(), Error>,
    restore: for<'a> fn(&'a ToolContext, &'a str) -> BoxFuture<'a, Result<Outcome, ToolError>>,
}

impl Restorable {
    const fn of<R: ToolRecord>() -> Self {
        Self {
            kind: R::KIND,
            check: |context| context.api().records::<R>(context.caller(), Verb::Restore).map(drop),
            restore: |context, id| Box::pin(restore::<R>(context, id)),
        }
    }
}

/// Restores deleted records.
pub(crate) struct Restore;

#[async_trait]
impl ToolHandler for Restore {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "restore",
            title: "Restore deleted records",
            description: "Brings 1 to 50 records back that were deleted in the last 30 days. The id of an occurrence: \
                          undoes that it was skipped or changed.",
            effect: EFFECT,
            arguments: ARGUMENTS,
            fields: None,
            output: Outcomes::schema(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let is_supported = |kind: &Restorable| context.api().capabilities().supports(kind.kind, Verb::Restore);
        let supported: Vec<Restorable> = RESTORABLE.into_iter().filter(is_supported).collect();
        let allowed = EFFECT.kinds(context);
        if let Some(first) = supported.first()
            && allowed.is_empty()
        {
            (first.check)(context)?;
        }
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let Some(found) = supported.iter().find(|kind| Some(kind.kind.as_str()) == arguments.text("kind")) else {
            let names: Vec<&str> = allowed.into_iter().map(RecordKind::as_str).collect();
            let fault = format!("kind: expected one of {}", names.join(", "));
            return Err(ToolError::of_arguments(iter::once(fault), 1, ""));
        };
        (found.check)(context)?;
        let mut outcomes = Outcomes::default();
        for id in arguments.ids() {
            let failed = |reason| Outcome::failed(id, reason);
            if outcomes.skips(failed) {
                continue;
            }
            let restored = (found.restore)(context, id).await;
            outcomes.add(context, restored, failed, AGAIN)?;
        }
        outcomes.into_answer("Restored", "restored", "")
    }
}

async fn restore<R: ToolRecord>(context: &ToolContext, id: &str) -> Result<Outcome, ToolError> {
    let records = context.api().records::<R>(context.caller(), Verb::Restore)?;
    let outcome = records.restore(&id.into()).await.map_err(|error| match error {
        Error::NotFound => ToolError::Correctable(format!(
            "no deleted {} with this id is visible to you. It may have been deleted more than 30 days ago, or the \
             column or list that contained it may be gone",
            noun(R::KIND)
        )),
        other => other.into(),
    })?;
    let is_restored = matches!(outcome, CreateOutcome::New(_));
    let record = outcome.into_record();
    let reason = (!is_restored).then_some("is not deleted");
    Ok(Outcome::restored(&record.id().to_string(), record.title(), reason))
}

/// Restores a deleted event, or an occurrence that was skipped or changed.
async fn restore_event(context: &ToolContext, id: &str) -> Result<Outcome, ToolError> {
    let target = EventTarget::parse(id, None)?;
    let Some(TargetOccurrence { start, .. }) = target.occurrence else {
        return restore::<Event>(context, id).await;
    };
    let events = context.api().records::<Event>(context.caller(), Verb::Update)?;
    let updated = events.update(&target.event, EventUpdate::restore_occurrence(start), &Precondition::None).await;
    let Updated { before, after, .. } = updated.map_err(|error| {
        match error {
        Error::NotFound => ToolError::Correctable(
            "the event is not visible to you, or its rule makes no occurrence then. Restore a deleted event by its own \
             id first"
                .to_owned(),
        ),
        other => other.into(),
    }
    })?;
    let is_restored = (before.recurrence, before.overrides) != (after.recurrence.clone(), after.overrides.clone());
    let zone = context.zone();
    let occurrence = find_occurrence(&after, zone, start, &[]);
    let when = occurrence.as_ref().map_or_else(|| When::from(&after), When::from);
    let id = occurrence.as_ref().map_or_else(|| after.id.to_string(), |occurrence| occurrence.id.to_string());
    let title = occurrence.as_ref().map_or(&after.title, |occurrence| &occurrence.title);
    let reason = (!is_restored).then_some("is neither skipped nor changed");
    Ok(Outcome::restored(&id, title, reason).on(when.day_in_words(zone)))
}
