//! `list_shopping`: returns shopping lists with their items.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::change::Json;
use family_api_core::query::{FoundList, ShoppingQuery};
use family_api_core::resource::ShoppingItem;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::mcp::answer::{Answer, MAX_BYTES, one_line};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::records::{name, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};
use crate::mcp::tools::list_tasks::id;

const ARGUMENTS: &[Argument] = &[
    Argument::optional("list_id", Kind::Id, "Only this list."),
    Argument::optional("include_checked", Kind::Boolean, "true: checked items too. Default: false."),
];

/// Returns shopping lists with their items.
pub(super) struct ListShopping;

#[derive(Serialize, JsonSchema)]
struct Output {
    lists: Vec<List>,
    /// Items were left out: ask for one list.
    cut: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct List {
    id: String,
    name: String,
    open_count: usize,
    checked_count: usize,
    items: Vec<Item>,
}

#[derive(Serialize, JsonSchema)]
struct Item {
    id: String,
    name: String,
    checked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
}

#[async_trait]
impl Tool for ListShopping {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "list_shopping",
            title: "List shopping",
            description: "Returns the shopping lists with their open items.",
            effect: Effect::Read,
            arguments: ARGUMENTS,
            fields: Map::new(),
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let reads = call.api().read(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let query = ShoppingQuery {
            list: id(&arguments, "list_id", "the id of a shopping list")?,
            include_checked: arguments.boolean("include_checked").unwrap_or_default(),
        };
        let found = reads.list_shopping(&query).await?;
        let mut output = Output { lists: found.lists.into_iter().map(List::new).collect(), cut: found.is_cut };
        loop {
            let answer = Answer::new(&output, text(&output))?;
            if answer.size() <= MAX_BYTES || !halve_longest(&mut output.lists) {
                return Ok(answer);
            }
            output.cut = true;
        }
    }
}

/// Halves the list with the most items. Returns whether a list had items.
fn halve_longest(lists: &mut [List]) -> bool {
    match lists.iter_mut().max_by_key(|list| list.items.len()) {
        Some(list) if !list.items.is_empty() => {
            list.items.truncate(list.items.len() / 2);
            true
        }
        _ => false,
    }
}

impl List {
    fn new(found: FoundList) -> Self {
        Self {
            id: found.list.id.to_string(),
            name: name(&found.list.name),
            open_count: found.open_count,
            checked_count: found.checked_count,
            items: found.list.items.into_iter().map(Item::new).collect(),
        }
    }
}

impl Item {
    fn new(item: ShoppingItem) -> Self {
        Self {
            id: item.id.to_string(),
            name: name(&item.name),
            checked: item.checked,
            quantity: item.quantity.map(|quantity| name(&quantity)),
            category: item.category.map(|category| name(&category)),
        }
    }
}

fn text(output: &Output) -> String {
    let mut text = format!("Shopping lists: {}.\n", output.lists.len());
    for list in &output.lists {
        let (name, open) = (one_line(&list.name, 120), list.open_count);
        let _ = writeln!(text, "{name} [{}]: {open} open, {} checked", list.id, list.checked_count);
        for item in &list.items {
            let quantity = item.quantity.as_ref().map(|text| format!(" ({})", one_line(text, 60))).unwrap_or_default();
            let checked = if item.checked { " checked" } else { "" };
            let _ = writeln!(text, "- {}{quantity} [{}]{checked}", one_line(&item.name, 120), item.id);
        }
    }
    if output.cut {
        text.push_str("Not complete: items were left out. Ask for one list with list_id.\n");
    }
    text
}
