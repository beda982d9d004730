//! `move_task`: moves a task to a column.

use async_trait::async_trait;
use family_api_core::change::Editable;
use family_api_core::resource::{RecordKind, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition};

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, ID, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::records::{ChangeableRecord, change};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    ID,
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
            effect: Effect::Write(Verb::Update, &[RecordKind::Task]),
            arguments: ARGUMENTS,
            fields: None,
            output: Task::change_schema(),
        }
    }

    fn field(&self) -> Option<(RecordKind, &'static str)> {
        Some((RecordKind::Task, "columnId"))
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let records = call.api().records::<Task>(call.caller(), Verb::Update)?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let text = |value: &str| Json::String(value.to_owned());
        let mut body = vec![("columnId".to_owned(), text(arguments.text("column_id").unwrap_or_default()))];
        if let Some(order) = arguments.integer("order") {
            body.push(("type".to_owned(), text("move-task")));
            body.push(("order".to_owned(), Json::Integer(order)));
        }
        let update = Task::parse_update(Json::Object(body)).map_err(Error::InvalidField)?;
        let id = arguments.text("id").unwrap_or_default().into();
        change(call, &records, &id, update, &Precondition::None, &["column_id"]).await
    }
}
