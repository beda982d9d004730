//! `update_task`: changes fields of a task.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::change::{Json, TaskUpdate};

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::fields;
use crate::mcp::records::{ChangedTask, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::required("id", Kind::Id, ""),
    Argument::optional("if_match", Kind::Id, "The etag of get_task: change only this version."),
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
            // The other variant of the body is a move, which is a tool of its own.
            fields: TaskUpdate::schema().pointer("/oneOf/0").map(fields::properties).unwrap_or_default(),
            output: schema::<ChangedTask>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let tasks = call.api().tasks(call.caller())?;
        let (arguments, given) = Arguments::read_some(ARGUMENTS, arguments)?;
        let names = TaskUpdate::schema().pointer("/oneOf/0").map(fields::names).unwrap_or_default();
        fields::check_names(&given, &names)?;
        let update = TaskUpdate::from_body(fields::body(given)).map_err(Error::InvalidField)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let before = call.task(&id).await?;
        let precondition = fields::precondition(arguments.text("if_match"));
        let after = tasks.update(&id, update, &precondition).await;
        let after = after.map_err(|error| ToolError::of_write(error, RecordKind::Task))?;
        ChangedTask::new(before.as_ref(), &after, call.caller().zone())?.into_answer()
    }
}
