//! `get_task`: returns one task.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, one_line, size};
use crate::arguments::{Argument, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::instant::local_time;
use crate::read::text_part::{OFFSET, TextPart};
use crate::records::{MAX_LINE, TaskItem, name, schema};

const ARGUMENTS: &[Argument] = &[ID, OFFSET];

/// Returns one task.
pub(crate) struct GetTask;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    task: Whole,
    // The part of the description that begins at the argument `offset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    description_length: usize,
    // True if the description is a part.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    etag: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
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

#[async_trait]
impl ToolHandler for GetTask {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "get_task",
            title: "Get a task",
            description: "Returns a task, and its etag for ifMatch.",
            effect: Effect::Read(&[ResourceKind::Tasks]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let found = reads.get_task(&id).await.map_err(|error| ToolError::of_lookup(error, RecordKind::Task))?;
        let zone = context.zone();
        let mut record = found.record;
        let task = &mut record.task;
        let (description, creator) = (task.description.take(), task.creator.take());
        let (order, created_at, updated_at) = (task.order, task.created_at, task.updated_at);
        let mut output = Output {
            time_zone: zone.as_str().to_owned(),
            task: Whole {
                item: TaskItem::new(record, zone),
                order,
                creator: creator.map(|creator| name(&creator.name)),
                created_at: local_time(created_at, zone),
                updated_at: local_time(updated_at, zone),
            },
            description: None,
            description_length: 0,
            cut: false,
            next_offset: None,
            etag: found.tag.as_str().trim_matches('"').to_owned(),
            notices: Vec::new(),
        };
        let mut text = output.task.item.line();
        text.push_str(&output.details());
        let description = description.as_deref();
        let part = TextPart::new(description.unwrap_or_default(), &arguments, size(&output, &text)?)?;
        if description.is_some() {
            output.description = Some(part.structured());
            output.description_length = part.total;
            output.cut = part.is_cut();
            output.next_offset = part.next_offset();
            output.notices.extend(part.notice("update_task", "etag"));
            text.push_str(&part.lines("Description", &output.notices));
        }
        Answer::new(&output, text)
    }
}

impl Output {
    /// Returns the lines about the task that lists do not contain.
    fn details(&self) -> String {
        let Whole { order, creator, created_at, updated_at, .. } = &self.task;
        let mut lines = format!("At {order} in its column. Created {created_at}");
        if let Some(creator) = creator {
            let _ = write!(lines, " by {}", one_line(creator, MAX_LINE));
        }
        let Self { etag, time_zone, .. } = self;
        let _ = writeln!(lines, ", changed {updated_at}.\netag {etag}. Times are in {time_zone}.");
        lines
    }
}
