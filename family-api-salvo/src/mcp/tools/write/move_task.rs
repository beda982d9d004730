//! `move_task`: moves a task to a column.

use async_trait::async_trait;
use family_api_core::change::TaskUpdate;
use family_api_core::resource::{RecordKind, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition};

use crate::mcp::tools::answer::Answer;
use crate::mcp::tools::arguments::{Argument, Arguments, ID, Kind};
use crate::mcp::tools::call::Call;
use crate::mcp::tools::error::ToolError;
use crate::mcp::tools::tool::{Effect, Tool, ToolInfo};
use crate::mcp::tools::write::changed::{ChangeableRecord, change};

const ARGUMENTS: &[Argument] = &[
    ID,
    Argument::required("column_id", Kind::Id, "The column, on any board."),
    Argument::optional("order", Kind::Integer(0, 1_000_000), "The position in the column. Default: its end."),
];

/// Moves a task.
pub(crate) struct MoveTask;

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
        let column = arguments.text("column_id").unwrap_or_default().into();
        let update = match arguments.integer("order") {
            Some(order) => TaskUpdate::to_position(column, order).map_err(Error::InvalidField)?,
            None => TaskUpdate::to_column(column),
        };
        let id = arguments.text("id").unwrap_or_default().into();
        change(call, &records, &id, update, &Precondition::None, &["column_id"]).await
    }
}
