//! `get_overview`: what is going on now, and the ids that other tools need.

use std::fmt::Write;
use std::ops::Not;

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::query::{BoardSummary, FoundOverview, ListSummary};
use family_api_core::resource::{Person, ResourceKind};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, MAX_BYTES, one_line};
use crate::arguments::Arguments;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::instant::local_time;
use crate::read::part::Part;
use crate::records::{EventItem, TaskItem, name, private_mark, schema};

/// Maximum length of a name in the text, in characters.
const MAX_NAME: usize = 80;

/// The records of each list while the answer is too long: half of these, a quarter, and so on.
const MAX_ITEMS: usize = 64;

/// Returns an overview.
pub(crate) struct GetOverview;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    me: String,
    now: String,
    today: String,
    weekday: String,
    time_zone: String,
    /// Mine, overdue ones first.
    open_tasks: Part<TaskItem>,
    overdue_count: usize,
    events: Part<EventItem>,
    // True if events may be missing.
    events_cut: bool,
    boards: Part<Board>,
    shopping_lists: Part<List>,
    members: Part<Named>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Board {
    id: String,
    name: String,
    // Omitted if false.
    #[serde(skip_serializing_if = "Not::not")]
    is_private: bool,
    columns: Part<Counted>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct List {
    id: String,
    name: String,
    // Omitted if false.
    #[serde(skip_serializing_if = "Not::not")]
    is_private: bool,
    open: usize,
}

/// A column, with the number of its open tasks.
type Counted = List;

#[derive(Serialize, JsonSchema)]
struct Named {
    id: String,
    name: String,
}

#[async_trait]
impl ToolHandler for GetOverview {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "get_overview",
            title: "Get an overview",
            description: "Returns today's date in the user's time zone, the user's open and overdue tasks, the events of \
                          the next 7 days, and the ids of boards, columns, shopping lists and members. Call it first.",
            effect: Effect::Read(&ResourceKind::ALL),
            arguments: &[],
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        Arguments::read(&[], arguments)?;
        let mut output = Output::new(reads.find_overview().await?);
        let mut max = MAX_ITEMS;
        loop {
            let answer = Answer::new(&output, output.text())?;
            if answer.size() <= MAX_BYTES || max == 1 {
                return Ok(answer);
            }
            max /= 2;
            output.truncate(max);
        }
    }
}

impl Output {
    fn new(found: FoundOverview) -> Self {
        let zone: &Zone = &found.zone;
        let column = |column: family_api_core::query::ColumnSummary| Counted {
            id: column.id.to_string(),
            name: name(&column.name),
            is_private: false,
            open: column.open_count,
        };
        let board = |board: BoardSummary| Board {
            id: board.id.to_string(),
            name: name(&board.name),
            is_private: board.is_private,
            columns: Part::new(board.columns, column),
        };
        let list = |list: ListSummary| List {
            id: list.id.to_string(),
            name: name(&list.name),
            is_private: list.is_private,
            open: list.open_count,
        };
        let member = |member: Person| Named { id: member.id.to_string(), name: name(&member.name) };
        Self {
            me: found.user.to_string(),
            now: local_time(found.now, zone),
            today: found.today.to_string(),
            weekday: found.today.strftime("%A").to_string(),
            time_zone: zone.as_str().to_owned(),
            open_tasks: Part::new(found.open_tasks, |task| TaskItem::new(task, zone)),
            overdue_count: found.overdue_tasks.total,
            events_cut: found.are_occurrences_cut,
            events: Part::new(found.occurrences, |item| EventItem::new(item, &found.participants, zone)),
            boards: Part::new(found.boards, board),
            shopping_lists: Part::new(found.lists, list),
            members: Part::new(found.members, member),
        }
    }

    /// Keeps the first `max` records of each list.
    fn truncate(&mut self, max: usize) {
        self.open_tasks.items.truncate(max);
        self.events.items.truncate(max);
        self.boards.items.truncate(max);
        self.boards.items.iter_mut().for_each(|board| board.columns.items.truncate(max));
        self.shopping_lists.items.truncate(max);
        self.members.items.truncate(max);
    }

    fn text(&self) -> String {
        let Self { me, now, today, weekday, time_zone, open_tasks, overdue_count, events, events_cut, .. } = self;
        let mut text =
            format!("Today is {weekday}, {today}, now {now} in {time_zone}. You act for the member [{me}].\n");
        let _ = writeln!(text, "My open tasks: {}; overdue: {overdue_count}", open_tasks.shown());
        text.extend(open_tasks.items.iter().map(TaskItem::line));
        let may_miss = if *events_cut { ", may be incomplete" } else { "" };
        let _ = writeln!(text, "Events of the next 7 days: {}{may_miss}", events.shown());
        text.extend(events.items.iter().map(EventItem::line));
        let _ = writeln!(text, "Boards: {}", self.boards.shown());
        for board in &self.boards.items {
            let columns: Vec<String> = board.columns.items.iter().map(List::text).collect();
            let (name, total) = (one_line(&board.name, MAX_NAME), board.columns.shown());
            let private = private_mark(board.is_private);
            let _ = writeln!(text, "- {name} [{}]{private}, columns {total}: {}", board.id, columns.join(", "));
        }
        let _ = writeln!(text, "Shopping lists: {}", self.shopping_lists.shown());
        for list in &self.shopping_lists.items {
            let _ = writeln!(text, "- {}", list.text());
        }
        let members = self.members.items.iter();
        let members: Vec<String> =
            members.map(|member| format!("{} [{}]", one_line(&member.name, MAX_NAME), member.id)).collect();
        let _ = writeln!(text, "Members: {}: {}", self.members.shown(), members.join(", "));
        text
    }
}

impl List {
    fn text(&self) -> String {
        let private = private_mark(self.is_private);
        format!("{} [{}]{private} {} open", one_line(&self.name, MAX_NAME), self.id, self.open)
    }
}
