//! `restore`: restores a deleted record.

use std::iter;

use async_trait::async_trait;
use family_api_core::change::EventUpdate;
use family_api_core::occurrences::find_occurrence;
use family_api_core::resource::{Event, Note, RecordKind, ShoppingItem, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{CreateOutcome, Error, Precondition, Updated};
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, ArgumentType, Arguments, ID};
use crate::context::ToolContext;
use crate::error::{ToolError, noun};
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::{MAX_LINE, When, schema, title};
use crate::write::event_target::{EventTarget, TargetOccurrence};
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
    ID,
];

/// A kind of record that can be restored.
struct Restorable {
    kind: RecordKind,
    /// Checks whether the caller may restore records of the kind.
    check: fn(&ToolContext) -> Result<(), Error>,
    restore: for<'a> fn(&'a ToolContext, &'a str) -> BoxFuture<'a, Result<Answer, ToolError>>,
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

/// Restores a deleted record.
pub(crate) struct Restore;

#[derive(Serialize, JsonSchema)]
struct Output {
    kind: &'static str,
    id: String,
    title: String,
    // When the restored occurrence of an event starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    // False if the record was not deleted.
    changed: bool,
}

#[async_trait]
impl ToolHandler for Restore {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "restore",
            title: "Restore a deleted record",
            description: "Brings a record back as it was, if it was deleted within the last 30 days. The id of an \
                          occurrence: undoes that it was skipped or changed.",
            effect: EFFECT,
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
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
        let id = arguments.text("id").unwrap_or_default();
        let Some(found) = supported.iter().find(|kind| Some(kind.kind.as_str()) == arguments.text("kind")) else {
            let names: Vec<&str> = allowed.into_iter().map(RecordKind::as_str).collect();
            let fault = format!("kind: expected one of {}", names.join(", "));
            return Err(ToolError::of_arguments(iter::once(fault), 1, ""));
        };
        (found.restore)(context, id).await
    }
}

async fn restore<R: ToolRecord>(context: &ToolContext, id: &str) -> Result<Answer, ToolError> {
    let records = context.api().records::<R>(context.caller(), Verb::Restore)?;
    let outcome = records.restore(&id.into()).await.map_err(|error| match error {
        Error::NotFound => ToolError::Correctable(format!(
            "Nothing was restored: no deleted {} with this id is visible to you. It may have been deleted more than 30 \
             days ago, or the column or list that contained it may be gone.",
            noun(R::KIND)
        )),
        other => other.into(),
    })?;
    let changed = matches!(outcome, CreateOutcome::New(_));
    let record = outcome.into_record();
    let (id, title) = (record.id().to_string(), title(record.title()));
    let output = Output { kind: R::KIND.as_str(), id, title, start: None, changed };
    let record = format!("the {} {} [{}]", noun(R::KIND), output.title, output.id);
    let text = if output.changed {
        format!("Restored {record}.\n")
    } else {
        format!("Nothing changed: {record} is not deleted.\n")
    };
    Answer::new(&output, text)
}

/// Restores a deleted event, or an occurrence that was skipped or changed.
async fn restore_event(context: &ToolContext, id: &str) -> Result<Answer, ToolError> {
    context.api().records::<Event>(context.caller(), Verb::Restore)?;
    let target = EventTarget::parse(id, None)?;
    let Some(TargetOccurrence { start, .. }) = target.occurrence else {
        return restore::<Event>(context, id).await;
    };
    let events = context.api().records::<Event>(context.caller(), Verb::Update)?;
    let updated = events.update(&target.event, EventUpdate::restore_occurrence(start), &Precondition::None).await;
    let Updated { before, after, .. } = updated.map_err(|error| match error {
        Error::NotFound => ToolError::Correctable(
            "Nothing was restored: the event is not visible to you, or its rule makes no occurrence then. Restore a \
             deleted event by its own id first."
                .to_owned(),
        ),
        other => other.into(),
    })?;
    let changed = (before.recurrence, before.overrides) != (after.recurrence.clone(), after.overrides.clone());
    let zone = context.zone();
    let restored = find_occurrence(&after, zone, start, &[]);
    let when = restored.as_ref().map_or_else(|| When::from(&after), When::from);
    let id = restored.as_ref().map_or_else(|| after.id.to_string(), |restored| restored.id.to_string());
    let title = title(restored.as_ref().map_or(&after.title, |restored| &restored.title));
    let (shown, day) = (one_line(&title, MAX_LINE), when.day_in_words(zone));
    let text = if changed {
        format!("Restored {shown} on {day} [{id}], as its rule makes it.\n")
    } else {
        format!("Nothing changed: {shown} on {day} [{id}] is neither skipped nor changed.\n")
    };
    let start = Some(when.days_or_times(zone).0);
    Answer::new(&Output { kind: RecordKind::Event.as_str(), id, title, start, changed }, text)
}
