//! `list_shopping`: returns shopping lists with their items.

use std::fmt::Write;
use std::ops::Not;
use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::query::{FoundList, Page, ShoppingEntry, ShoppingQuery};
use family_api_core::resource::{ResourceKind, ShoppingItem};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, one_line};
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names::Target;
use crate::read::filters::Filters;
use crate::read::page;
use crate::records::{name, private_mark, schema};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("list", ArgumentType::Text(300), "Only this list: name or id."),
    Argument::optional("includeChecked", ArgumentType::Boolean, "true: checked items too. Default: false."),
    Argument::optional("text", ArgumentType::Text(200), "Words in the name or category of an item."),
    page::CURSOR,
];

/// Returns shopping lists with their items.
pub(crate) struct ListShopping;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    lists: Vec<List>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct List {
    id: String,
    name: String,
    // Omitted if false.
    #[serde(skip_serializing_if = "Not::not")]
    is_private: bool,
    open_count: usize,
    checked_count: usize,
    items: Vec<Item>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Item {
    id: String,
    name: String,
    // Omitted if false.
    #[serde(skip_serializing_if = "Not::not")]
    is_private: bool,
    checked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
}

/// A list or an item of a list, as a record of a page.
#[derive(Serialize)]
struct Entry {
    #[serde(skip)]
    list: Arc<FoundList>,
    /// The list. `None` for an item.
    head: Option<List>,
    item: Option<Item>,
}

#[async_trait]
impl ToolHandler for ListShopping {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "list_shopping",
            title: "List shopping",
            description: "Returns the shopping lists with their open items.",
            effect: Effect::Read(&[ResourceKind::Shopping]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let mut filters = Filters::given(&arguments, &[("list", Target::List)]);
        let mut query = ShoppingQuery {
            list: filters.id("list"),
            include_checked: arguments.boolean("includeChecked").unwrap_or_default(),
            text: arguments.text("text").map(str::parse).transpose().map_err(Error::from)?,
        };
        let cursor = page::cursor(&arguments)?;
        let mut found = None;
        if filters.are_ids() {
            found = filters.unless_unknown(reads.list_shopping(&query, cursor.clone()).await)?;
        }
        let found = if let Some(found) = found {
            found
        } else {
            filters.resolve(context).await?;
            query.list = filters.id("list");
            reads.list_shopping(&query, cursor).await?
        };
        let mut page = found.map(Entry::new);
        page::fit(&mut page, Entry::line)?;
        let output = Output::new(page);
        let mut text = output.text();
        if output.lists.is_empty()
            && query.text.is_none()
            && let Some(hint) = context.first_list_hint()
        {
            let _ = writeln!(text, "{hint}");
        }
        Answer::new(&output, text)
    }
}

impl Entry {
    fn new(found: ShoppingEntry) -> Self {
        let head = found.item.is_none().then(|| List::new(&found.list));
        Self { head, item: found.item.map(Item::new), list: found.list }
    }

    fn line(&self) -> String {
        let head = self.head.as_ref().map(List::line).unwrap_or_default();
        head + &self.item.as_ref().map(Item::line).unwrap_or_default()
    }
}

impl Output {
    /// Groups the items of a page by their lists. A page can begin within a list.
    fn new(page: Page<Entry>) -> Self {
        let mut lists: Vec<List> = Vec::new();
        for Entry { list, item, .. } in page.items {
            let mut current = match lists.pop_if(|last| last.id == list.list.id.as_str()) {
                Some(last) => last,
                None => List::new(&list),
            };
            current.items.extend(item);
            lists.push(current);
        }
        Self { lists, next_cursor: page.next.map(|next| next.to_string()) }
    }

    fn text(&self) -> String {
        let mut text = format!("Shopping lists: {}.\n", self.lists.len());
        for list in &self.lists {
            text.push_str(&list.line());
            text.extend(list.items.iter().map(Item::line));
        }
        if let Some(next) = &self.next_cursor {
            let _ = writeln!(text, "Not complete. For the next lists and items, repeat the call with cursor {next}");
        }
        text
    }
}

impl List {
    fn new(found: &FoundList) -> Self {
        Self {
            id: found.list.id.to_string(),
            name: name(&found.list.name),
            is_private: found.list.is_private,
            open_count: found.open_count,
            checked_count: found.checked_count,
            items: Vec::new(),
        }
    }

    fn line(&self) -> String {
        let name = one_line(&self.name, 120);
        let private = private_mark(self.is_private);
        format!("{name} [{}]{private}: {} open, {} checked\n", self.id, self.open_count, self.checked_count)
    }
}

impl Item {
    fn new(item: ShoppingItem) -> Self {
        Self {
            id: item.id.to_string(),
            name: name(&item.name),
            is_private: item.is_private,
            checked: item.checked,
            quantity: item.quantity.map(|quantity| name(&quantity)),
            category: item.category.map(|category| name(&category)),
        }
    }

    fn line(&self) -> String {
        let quantity = self.quantity.as_ref().map(|text| format!(" ({})", one_line(text, 60))).unwrap_or_default();
        let checked = if self.checked { " checked" } else { "" };
        let category = self.category.as_ref().map(|text| format!(", {}", one_line(text, 60))).unwrap_or_default();
        let private = private_mark(self.is_private);
        format!("- {}{quantity}{category} [{}]{private}{checked}\n", one_line(&self.name, 120), self.id)
    }
}
