//! `delete_tasks` and `delete_notes`: delete records, each with its own outcome.

use std::marker::PhantomData;

use async_trait::async_trait;
use family_api_core::resource::{Note, RecordKind, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Precondition, RecordService};

use crate::answer::Answer;
use crate::arguments::{Argument, Arguments, IDS, IF_MATCH};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::write::fields;
use crate::write::outcomes::{AGAIN, Outcome, Outcomes};
use crate::write::tool_record::ToolRecord;

pub(crate) const DELETE_TASKS: Delete<Task> = Delete {
    name: "delete_tasks",
    title: "Delete tasks",
    description: "Deletes 1 to 50 tasks for the whole family. To finish a task, complete it.",
    heading: "Tasks deleted",
    record: PhantomData,
};

pub(crate) const DELETE_NOTES: Delete<Note> = Delete {
    name: "delete_notes",
    title: "Delete notes",
    description: "Deletes 1 to 50 notes for the whole family.",
    heading: "Notes deleted",
    record: PhantomData,
};

const ARGUMENTS: &[Argument] = &[IDS, IF_MATCH];

/// Deletes records.
pub(crate) struct Delete<R> {
    name: &'static str,
    title: &'static str,
    /// Without the sentence whether the deletion can be undone.
    description: &'static str,
    heading: &'static str,
    record: PhantomData<fn() -> R>,
}

#[async_trait]
impl<R: ToolRecord> ToolHandler for Delete<R> {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: Effect::Write(Verb::Delete, const { &[R::KIND] }),
            arguments: ARGUMENTS,
            fields: None,
            output: Outcomes::schema_with_notices(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Delete)?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let precondition = fields::precondition(arguments.if_match()?);
        let outcomes = delete_all(context, &records, arguments.ids(), &precondition).await?;
        outcomes.into_answer(self.heading, "deleted", &how_to_undo(context, R::KIND))
    }
}

/// Deletes records, each with its own outcome.
///
/// # Errors
/// The fault of the service if nothing was deleted.
pub(crate) async fn delete_all<R: ToolRecord>(
    context: &ToolContext,
    records: &RecordService<'_, R>,
    ids: Vec<&str>,
    precondition: &Precondition,
) -> Result<Outcomes, ToolError> {
    let mut outcomes = Outcomes::default();
    for id in ids {
        let failed = |reason| Outcome::failed(id, reason);
        if outcomes.skips(failed) {
            continue;
        }
        let deleted = records.take(&id.into(), precondition).await.map(|record| Outcome::deleted(&record));
        let deleted = deleted.map_err(|error| ToolError::of_change(error, R::KIND));
        outcomes.add(context, deleted, failed, AGAIN)?;
    }
    Ok(outcomes)
}

/// Returns the line that says how the deletion of a record is undone. It is empty if it cannot be undone.
pub(crate) fn how_to_undo(context: &ToolContext, kind: RecordKind) -> String {
    if context.can_write(kind, Verb::Restore) {
        format!("restore with kind {} and the id brings it back for 30 days.\n", kind.as_str())
    } else if context.api().capabilities().supports(kind, Verb::Restore) {
        "It can be restored for 30 days, but not with this connection.\n".to_owned()
    } else {
        String::new()
    }
}
