//! `update_task`: changes fields of a task.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::change::TaskUpdate;
use family_api_core::validation::Json;
use serde_json::Value;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::fields;
use crate::mcp::records::{ChangedTask, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::required("id", Kind::Id, ""),
    Argument::optional("if_match", Kind::Tag, "The etag of get_task: change only this version."),
];

/// What a model should know about a field, in addition to its name and type.
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("dueDate", "A day, or a time with its offset. null removes it."),
    ("assigneeId", "A member. null removes the assignee."),
    ("columnId", "Without order, the task moves to the end of the column."),
    ("labels", "Replaces all labels."),
    ("isPrivate", "true: only the creator sees the task."),
];

/// Changes fields of a task.
pub(super) struct UpdateTask;

#[async_trait]
impl Tool for UpdateTask {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "update_task",
            title: "Update a task",
            description: "Changes the given fields of a task. Other fields keep their values.",
            effect: Effect::UpdateTasks,
            arguments: ARGUMENTS,
            fields: fields::properties(&body(), DESCRIPTIONS),
            output: schema::<ChangedTask>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let tasks = call.api().tasks(call.caller())?;
        let (arguments, given) = Arguments::read_some(ARGUMENTS, arguments)?;
        fields::check_names(&given, &fields::names(&body()))?;
        fields::check_values(&given)?;
        let names = fields::with_value(&given);
        let update = TaskUpdate::from_body(fields::body(given)).map_err(Error::InvalidField)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let before = call.task(&id).await?;
        let precondition = fields::precondition(arguments.text("if_match"));
        let after = tasks.update(&id, update, &precondition).await;
        let after = after.map_err(|error| ToolError::of_change(error, RecordKind::Task, before.as_ref(), &names))?;
        ChangedTask::new(before.as_ref(), &after, call.caller().zone())?.into_answer()
    }
}

/// Returns the schema of a body that changes fields. The other variant is a move, which is a tool of its own.
fn body() -> Value {
    TaskUpdate::schema().pointer("/oneOf/0").cloned().unwrap_or_default()
}
