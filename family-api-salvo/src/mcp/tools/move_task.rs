//! `move_task`: moves a task to a column.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::change::TaskUpdate;
use family_api_core::validation::Json;
use serde_json::Map;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::fields;
use crate::mcp::records::{ChangedTask, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::required("id", Kind::Id, ""),
    Argument::required("column_id", Kind::Id, "The column, on any board."),
    Argument::optional("order", Kind::Integer(0, 1_000_000), "The position in the column. Default: its end."),
];

/// Moves a task.
pub(super) struct MoveTask;

#[async_trait]
impl Tool for MoveTask {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "move_task",
            title: "Move a task",
            description: "Moves a task to the end of a column, or to a position in it.",
            effect: Effect::UpdateTasks,
            arguments: ARGUMENTS,
            fields: Map::new(),
            output: schema::<ChangedTask>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let tasks = call.api().tasks(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let text = |value: &str| Json::String(value.to_owned());
        let mut body = vec![("columnId".to_owned(), text(arguments.text("column_id").unwrap_or_default()))];
        if let Some(order) = arguments.integer("order") {
            body.push(("type".to_owned(), text("move-task")));
            body.push(("order".to_owned(), Json::Integer(order)));
        }
        let update = TaskUpdate::from_body(Json::Object(body)).map_err(Error::InvalidField)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let before = call.task(&id).await?;
        let after = tasks.update(&id, update, &fields::precondition(None)).await;
        let after =
            after.map_err(|error| ToolError::of_change(error, RecordKind::Task, before.as_ref(), &["column_id"]))?;
        ChangedTask::new(before.as_ref(), &after, call.caller().zone())?.into_answer()
    }
}
