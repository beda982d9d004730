//! `search_notes`: finds notes.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::query::NoteQuery;
use family_api_core::resource::ResourceKind;
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::read::page;
use crate::records::{NoteItem, schema};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("text", ArgumentType::Text(200), "Words in the title or content."),
    Argument::optional("tag", ArgumentType::Text(50), "A tag, in exactly this spelling."),
    page::LIMIT,
    page::CURSOR,
];

/// Finds notes.
pub(crate) struct SearchNotes;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    notes: Vec<Found>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    #[serde(flatten)]
    note: NoteItem,
    snippet: String,
}

#[async_trait]
impl ToolHandler for SearchNotes {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "search_notes",
            title: "Search notes",
            description: "Finds notes by text or tag, whole words and the last changed first, with the content around the \
                          match. get_note returns all of it.",
            effect: Effect::Read(&[ResourceKind::Notes]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let query = NoteQuery {
            text: arguments.text("text").map(str::parse).transpose().map_err(Error::from)?,
            tag: arguments.text("tag").map(str::to_owned),
        };
        let zone = context.caller().zone();
        let found = reads.search_notes(&query, &page::request(&arguments)?).await?;
        let mut page = found.map(|found| Found { note: NoteItem::new(found.note, zone), snippet: found.snippet });
        let lines = page::fit(&mut page, Found::line)?;
        let mut text = format!("Notes: {}. Times are in {}.\n", page.total, zone.as_str());
        text.push_str(&lines);
        text.push_str(&page::rest_line(&page));
        let next_cursor = page.next.map(|next| next.to_string());
        let output = Output { time_zone: zone.as_str().to_owned(), notes: page.items, total: page.total, next_cursor };
        Answer::new(&output, text)
    }
}

impl Found {
    /// Returns the note and the snippet as one line.
    fn line(&self) -> String {
        format!("{}: {}\n", self.note.line(), self.snippet)
    }
}
