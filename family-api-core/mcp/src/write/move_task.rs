//! `move_task`: moves a task to a column.

use async_trait::async_trait;
use family_api_core::change::TaskUpdate;
use family_api_core::resource::{RecordKind, Task, Verb};
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition};

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::write::changed::{ChangeableRecord, change};

const ARGUMENTS: &[Argument] = &[
    ID,
    Argument::required("column_id", ArgumentType::Id, "The column, on any board."),
    Argument::optional("order", ArgumentType::Integer(0, 1_000_000), "The position in the column. Default: its end."),
];

/// Moves a task.
pub(crate) struct MoveTask;

#[async_trait]
impl ToolHandler for MoveTask {
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

    fn required_field(&self) -> Option<(RecordKind, &'static str)> {
        Some((RecordKind::Task, "columnId"))
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<Task>(context.caller(), Verb::Update)?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let column = arguments.text("column_id").unwrap_or_default().into();
        let update = match arguments.integer("order") {
            Some(order) => TaskUpdate::to_position(column, order).map_err(Error::InvalidField)?,
            None => TaskUpdate::to_column(column),
        };
        let id = arguments.text("id").unwrap_or_default().into();
        change(context, &records, &id, update, &Precondition::None, &["column_id"]).await
    }
}
