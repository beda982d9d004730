//! `list_tasks`: finds tasks.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::query::{AssigneeFilter, TaskQuery};
use family_api_core::resource::{ResourceKind, TaskFilter};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::read::page;
use crate::records::{TaskItem, schema};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("board_id", ArgumentType::Id, ""),
    Argument::optional("column_id", ArgumentType::Id, ""),
    Argument::optional("assignee", ArgumentType::Id, "me, unassigned, or the id of a member."),
    Argument::optional("status", ArgumentType::Choice(&["open", "done", "all"]), "Default: open."),
    Argument::optional("due_from", ArgumentType::Date, "First due day."),
    Argument::optional("due_to", ArgumentType::Date, "Last due day, inclusive."),
    Argument::optional("overdue", ArgumentType::Boolean, "true: only open tasks whose due date has passed."),
    Argument::optional("text", ArgumentType::Text(200), "Words in the title, description or labels."),
    page::LIMIT,
    page::CURSOR,
];

/// Finds tasks.
pub(crate) struct ListTasks;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    tasks: Vec<TaskItem>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[async_trait]
impl ToolHandler for ListTasks {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "list_tasks",
            title: "List tasks",
            description: "Finds tasks by board, assignee, state, due date or text, ordered by due date. Every condition \
                          that is given must match.",
            effect: Effect::Read(&[ResourceKind::Tasks]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let query = query(&arguments)?;
        let zone = context.caller().zone();
        let found = reads.find_tasks(&query, &page::request(&arguments)?).await?;
        let mut page = found.map(|task| TaskItem::new(task, zone));
        let lines = page::fit(&mut page, TaskItem::line)?;
        let mut text = format!("Tasks: {}. Times are in {}.\n", page.total, zone.as_str());
        text.push_str(&lines);
        text.push_str(&page::rest_line(&page));
        let next_cursor = page.next.map(|next| next.to_string());
        let output = Output { time_zone: zone.as_str().to_owned(), tasks: page.items, total: page.total, next_cursor };
        Answer::new(&output, text)
    }
}

fn query(arguments: &Arguments) -> Result<TaskQuery, ToolError> {
    Ok(TaskQuery {
        board: arguments.id("board_id", "the id of a board")?,
        column: arguments.id("column_id", "the id of a column")?,
        assignee: match arguments.text("assignee") {
            None => None,
            Some("me") => Some(AssigneeFilter::Me),
            Some("unassigned") => Some(AssigneeFilter::Unassigned),
            Some(_) => arguments
                .id("assignee", "me, unassigned, or the id of a member from get_overview")?
                .map(AssigneeFilter::User),
        },
        status: match arguments.text("status") {
            Some("done") => TaskFilter::Done,
            Some("all") => TaskFilter::All,
            _ => TaskFilter::Open,
        },
        due_from: arguments.date("due_from"),
        due_to: arguments.date("due_to"),
        overdue: arguments.boolean("overdue").unwrap_or_default(),
        text: arguments.text("text").map(str::parse).transpose().map_err(Error::from)?,
    })
}
