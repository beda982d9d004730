//! The task that `get_task` returns.

use std::fmt::Write;

use family_api_core::resource::{RecordKind, ResourceKind, Task};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::one_line;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::instant::local_time;
use crate::read::get::{Description, Found, TextRecord};
use crate::records::{MAX_LINE, TaskItem, name};

#[derive(Serialize, JsonSchema)]
pub(crate) struct TaskWithout {
    task: Whole,
}

// A task without its description.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Whole {
    #[serde(flatten)]
    item: TaskItem,
    order: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    creator: Option<String>,
    created_at: String,
    updated_at: String,
}

impl TextRecord for Task {
    type Whole = TaskWithout;
    type Text = Description;

    const RESOURCE: ResourceKind = ResourceKind::Tasks;
    const HEADING: &'static str = "Description";

    async fn find(context: &ToolContext, id: &str) -> Result<Found<TaskWithout>, ToolError> {
        let found = context.api().read(context.caller())?.get_task(&id.into()).await;
        let found = found.map_err(|error| ToolError::of_lookup(error, RecordKind::Task))?;
        let zone = context.zone();
        let mut record = found.record;
        let task = &mut record.task;
        let (text, creator) = (task.description.take(), task.creator.take());
        let (order, created_at, updated_at) = (task.order, task.created_at, task.updated_at);
        let task = Whole {
            item: TaskItem::new(record, zone),
            order,
            creator: creator.map(|creator| name(&creator.name)),
            created_at: local_time(created_at, zone),
            updated_at: local_time(updated_at, zone),
        };
        Ok(Found { lines: task.lines(), whole: TaskWithout { task }, text, tag: found.tag })
    }
}

impl Whole {
    fn lines(&self) -> String {
        let Self { item, order, creator, created_at, updated_at } = self;
        let mut lines = item.line();
        let _ = write!(lines, "At {order} in its column. Created {created_at}");
        if let Some(creator) = creator {
            let _ = write!(lines, " by {}", one_line(creator, MAX_LINE));
        }
        let _ = writeln!(lines, ", changed {updated_at}.");
        lines
    }
}
