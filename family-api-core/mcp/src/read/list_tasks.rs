//! `list_tasks`: finds tasks.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::query::{AssigneeFilter, TaskQuery, TaskSearch};
use family_api_core::resource::{Priority, ResourceKind, TaskFilter};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names::{ME, Target, is_word};
use crate::read::filters::{Filters, UNASSIGNED};
use crate::read::page;
use crate::records::{TaskItem, schema};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("board", ArgumentType::Text(300), "Name or id."),
    Argument::optional("column", ArgumentType::Text(300), "Name or id."),
    Argument::optional("assignee", ArgumentType::Text(300), "me, unassigned, or a member: name or id."),
    Argument::optional("status", ArgumentType::Choice(&["open", "done", "all"]), "Default: open, with doneFrom all."),
    Argument::optional("priority", ArgumentType::Choice(&PRIORITIES), ""),
    Argument::optional("dueFrom", ArgumentType::Date, "First due day."),
    Argument::optional("dueTo", ArgumentType::Date, "Last due day. Includes later times of recurring tasks."),
    Argument::optional("doneFrom", ArgumentType::Date, "Done on this day or later, the last first."),
    Argument::optional("overdue", ArgumentType::Boolean, "true: only open tasks past their due date."),
    Argument::optional("text", ArgumentType::Text(200), "Words in the title, description or labels."),
    page::LIMIT,
    page::CURSOR,
];

const PRIORITIES: [&str; 4] =
    [Priority::Low.as_str(), Priority::Medium.as_str(), Priority::High.as_str(), Priority::Urgent.as_str()];

const FILTERS: &[(&str, Target)] =
    &[("board", Target::Board), ("column", Target::Column), ("assignee", Target::Member)];

const MAY_BE_INCOMPLETE: &str =
    "May be incomplete: later due dates of recurring tasks may be missing. Ask for fewer days.\n";

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
    // True if later due dates of recurring tasks may be missing.
    cut: bool,
}

#[async_trait]
impl ToolHandler for ListTasks {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "list_tasks",
            title: "List tasks",
            description: "Finds tasks, ordered by due date.",
            effect: Effect::Read(&[ResourceKind::Tasks]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let (zone, page) = (context.caller().zone(), page::request(&arguments)?);
        let mut filters = Filters::given(&arguments, FILTERS);
        let mut found = None;
        if filters.are_ids() {
            found = filters.unless_unknown(reads.search_tasks(&search(&arguments, &filters)?, &page).await)?;
        }
        let found = if let Some(found) = found {
            found
        } else {
            filters.resolve(context).await?;
            reads.search_tasks(&search(&arguments, &filters)?, &page).await?
        };
        let mut page = found.page.map(|task| TaskItem::new(task, zone));
        let lines = page::fit(&mut page, TaskItem::line)?;
        let mut text = format!("Tasks: {}. Times are in {}.\n", page.total, zone.as_str());
        text.push_str(&lines);
        text.push_str(&page::rest_line(&page));
        text.push_str(if found.is_cut { MAY_BE_INCOMPLETE } else { "" });
        let output = Output {
            time_zone: zone.as_str().to_owned(),
            total: page.total,
            next_cursor: page.next.map(|next| next.to_string()),
            tasks: page.items,
            cut: found.is_cut,
        };
        Answer::new(&output, text)
    }
}

fn search(arguments: &Arguments, filters: &Filters) -> Result<TaskSearch, ToolError> {
    let done_from = arguments.date("doneFrom");
    let query = TaskQuery {
        board: filters.id("board"),
        column: filters.id("column"),
        assignee: match arguments.text("assignee") {
            Some(text) if is_word(text, ME) => Some(AssigneeFilter::Me),
            Some(text) if is_word(text, UNASSIGNED) => Some(AssigneeFilter::Unassigned),
            _ => filters.id("assignee").map(AssigneeFilter::User),
        },
        status: match arguments.text("status") {
            Some("done") => TaskFilter::Done,
            Some("open") => TaskFilter::Open,
            None if done_from.is_none() => TaskFilter::Open,
            _ => TaskFilter::All,
        },
        due_from: arguments.date("dueFrom"),
        due_to: arguments.date("dueTo"),
        overdue: arguments.boolean("overdue").unwrap_or_default(),
        text: arguments.text("text").map(str::parse).transpose().map_err(Error::from)?,
    };
    let priority = arguments.text("priority").and_then(|priority| priority.parse().ok());
    Ok(TaskSearch { query, priority, done_from, due_again: true })
}
