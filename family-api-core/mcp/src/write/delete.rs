//! `delete_task` and `delete_note`: delete a record.

use std::marker::PhantomData;

use async_trait::async_trait;
use family_api_core::resource::{Note, RecordKind, Task, Verb};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, ArgumentType, Arguments, ID};
use crate::context::ToolContext;
use crate::error::{ToolError, noun};
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::records::{MAX_LINE, schema, title};
use crate::write::fields;
use crate::write::tool_record::ToolRecord;

pub(crate) const DELETE_TASK: Delete<Task> = Delete {
    name: "delete_task",
    title: "Delete a task",
    description: "Deletes a task for the whole family. To finish a task, complete it.",
    arguments: &[ID, Argument::optional("ifMatch", ArgumentType::Tag, "An etag: only this version.")],
    record: PhantomData,
};

pub(crate) const DELETE_NOTE: Delete<Note> = Delete {
    name: "delete_note",
    title: "Delete a note",
    description: "Deletes a note for the whole family.",
    arguments: &[ID, Argument::optional("ifMatch", ArgumentType::Tag, "The etag of get_note: only this version.")],
    record: PhantomData,
};

/// Deletes a record.
pub(crate) struct Delete<R> {
    name: &'static str,
    title: &'static str,
    /// Without the sentence whether the deletion can be undone.
    description: &'static str,
    arguments: &'static [Argument],
    record: PhantomData<fn() -> R>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    id: String,
    deleted: bool,
    title: String,
}

#[async_trait]
impl<R: ToolRecord> ToolHandler for Delete<R> {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: Effect::Write(Verb::Delete, const { &[R::KIND] }),
            arguments: self.arguments,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<R>(context.caller(), Verb::Delete)?;
        let arguments = Arguments::read(self.arguments, arguments)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let precondition = fields::precondition(arguments.text("ifMatch"));
        let deleted = records.take(&id, &precondition).await;
        let record = deleted.map_err(|error| ToolError::of_change(error, R::KIND))?;
        let output = Output { id: record.id().to_string(), deleted: true, title: title(record.title()) };
        let (noun, shown) = (noun(R::KIND), one_line(&output.title, MAX_LINE));
        let text = format!("Deleted the {noun} {shown} [{}].\n{}", output.id, how_to_undo(context, R::KIND));
        Answer::new(&output, text)
    }
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
