//! `get_task`: returns one task.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, ID};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::instant::local_time;
use crate::mcp::records::{TaskItem, name, schema};
use crate::mcp::text_part::{OFFSET, TextPart};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[ID, OFFSET];

/// Returns one task.
pub(super) struct GetTask;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    #[serde(flatten)]
    task: TaskItem,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Not the whole description: do not write it back.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    order: i64,
    is_private: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    creator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<String>,
    created_at: String,
    updated_at: String,
    etag: String,
}

#[async_trait]
impl Tool for GetTask {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "get_task",
            title: "Get a task",
            description: "Returns one task with its description, and its etag for if_match.",
            effect: Effect::Read(&[ResourceKind::Tasks]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let reads = call.api().read(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let found = reads.get_task(&id).await.map_err(|error| ToolError::of_read(error, RecordKind::Task))?;
        let zone = call.caller().zone();
        let task = found.record.task.clone();
        let mut output = Output {
            time_zone: zone.as_str().to_owned(),
            task: TaskItem::new(found.record, zone),
            description: None,
            cut: false,
            next_offset: None,
            order: task.order,
            is_private: task.is_private,
            creator: task.creator.map(|creator| name(&creator.name)),
            completed_at: task.completed_at.map(|at| local_time(at, zone)),
            created_at: local_time(task.created_at, zone),
            updated_at: local_time(task.updated_at, zone),
            etag: found.tag.as_str().trim_matches('"').to_owned(),
        };
        let mut text = output.task.line();
        let _ = writeln!(text, "etag {}. Times are in {}.", output.etag, output.time_zone);
        let description = task.description.as_deref();
        let part = TextPart::new(description.unwrap_or_default(), &arguments, &Answer::new(&output, text.clone())?)?;
        if description.is_some() {
            output.description = Some(part.text.to_owned());
            output.cut = part.is_cut();
            output.next_offset = part.next_offset();
            text.push_str(&part.lines("Description", "update_task"));
        }
        Answer::new(&output, text)
    }
}
