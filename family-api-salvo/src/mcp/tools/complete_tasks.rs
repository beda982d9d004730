//! `complete_tasks`: completes or reopens tasks, each with its own outcome.

use std::collections::BTreeSet;
use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::change::TaskChange;
use family_api_core::id::TaskId;
use family_api_core::validation::{Json, Reference};
use family_api_core::{Error, Precondition, TaskService};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::mcp::answer::{Answer, one_line};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::records::schema;
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::required("ids", Kind::Ids(50), ""),
    Argument::optional("completed", Kind::Boolean, "false reopens the tasks. Default: true."),
];

/// Maximum length of an id in the answer, in characters. Only an invalid id is longer.
const MAX_ID: usize = 100;

/// Maximum length of a title, in characters. 50 titles of this length fit into the answer.
const MAX_TITLE: usize = 120;

/// Completes or reopens tasks.
pub(super) struct CompleteTasks;

#[derive(Serialize, JsonSchema)]
struct Output {
    changed: usize,
    outcomes: Vec<Outcome>,
}

#[derive(Serialize, JsonSchema)]
struct Outcome {
    id: String,
    result: Kept,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kept {
    Changed,
    Unchanged,
    Failed,
}

#[async_trait]
impl Tool for CompleteTasks {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "complete_tasks",
            title: "Complete tasks",
            description: "Completes or reopens 1 to 50 tasks. Each task has its own outcome: a failed one does not stop \
                          the others.",
            effect: Effect::UpdateTasks,
            arguments: ARGUMENTS,
            fields: Map::new(),
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let tasks = call.api().tasks(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let completed = arguments.boolean("completed").unwrap_or(true);
        let already: BTreeSet<String> = call.tasks_with_state(completed).await?;
        let mut output = Output { changed: 0, outcomes: Vec::new() };
        let mut seen = BTreeSet::new();
        for id in arguments.ids("ids").filter(|id| seen.insert(*id)) {
            let outcome = if already.contains(id) {
                Ok(Outcome::unchanged(id, completed))
            } else {
                update(&tasks, id, completed).await
            };
            match outcome {
                Ok(outcome) => output.outcomes.push(outcome),
                // Nothing was changed yet, so the whole call fails, like the first PATCH of a series.
                Err(fault) if output.changed == 0 => return Err(fault),
                Err(_) => output.outcomes.push(Outcome::failed(id, "the service failed; repeat the call with this id")),
            }
            output.changed = output.outcomes.iter().filter(|outcome| outcome.result == Kept::Changed).count();
        }
        let text = output.text(completed);
        if output.outcomes.iter().all(|outcome| outcome.result == Kept::Failed) {
            return Err(ToolError::Correctable(text));
        }
        Answer::new(&output, text)
    }
}

/// Updates one task with the service that PATCH uses.
async fn update(tasks: &TaskService<'_>, id: &str, completed: bool) -> Result<Outcome, ToolError> {
    let change = if completed { TaskChange::new().complete() } else { TaskChange::new().reopen() };
    let change = change.build().map_err(Error::InvalidField)?;
    let reference: Reference<TaskId> = id.into();
    match tasks.update(&reference, change, &Precondition::None).await {
        Ok(task) => Ok(Outcome {
            id: id.to_owned(),
            result: Kept::Changed,
            title: Some(one_line(&task.title, MAX_TITLE)),
            reason: None,
        }),
        Err(error) => match ToolError::of_read(error, RecordKind::Task) {
            ToolError::Correctable(reason) => Ok(Outcome::failed(id, &reason)),
            fault @ ToolError::Fault(_) => Err(fault),
        },
    }
}

impl Outcome {
    fn unchanged(id: &str, completed: bool) -> Self {
        let reason = if completed { "was already completed" } else { "was already open" };
        Self { id: id.to_owned(), result: Kept::Unchanged, title: None, reason: Some(reason.to_owned()) }
    }

    fn failed(id: &str, reason: &str) -> Self {
        Self { id: one_line(id, MAX_ID), result: Kept::Failed, title: None, reason: Some(reason.to_owned()) }
    }
}

impl Output {
    fn text(&self, completed: bool) -> String {
        let verb = if completed { "completed" } else { "reopened" };
        let mut text = match self.changed {
            0 => "Nothing changed.\n".to_owned(),
            changed => format!("Tasks {verb}: {changed} of {}.\n", self.outcomes.len()),
        };
        for Outcome { id, result, title, reason } in &self.outcomes {
            let result = match result {
                Kept::Changed => verb,
                Kept::Unchanged => "unchanged",
                Kept::Failed => "failed",
            };
            let title = title.as_deref().map(|title| format!(" {title}")).unwrap_or_default();
            let reason = reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            let _ = writeln!(text, "- [{id}] {result}{title}{reason}");
        }
        text
    }
}
