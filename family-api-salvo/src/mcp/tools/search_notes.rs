//! `search_notes`: finds notes.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::change::Json;
use family_api_core::query::NoteQuery;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::page::{self, Paging};
use crate::mcp::records::{NoteItem, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("text", Kind::Text(200), "A text in the title or content."),
    Argument::optional("tag", Kind::Text(50), "A tag, in exactly this spelling."),
    page::LIMIT,
    page::CURSOR,
];

/// Finds notes.
pub(super) struct SearchNotes;

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
impl Tool for SearchNotes {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "search_notes",
            title: "Search notes",
            description: "Finds notes by text or tag, the last changed first, with the part of the content around the \
                          match. get_note returns the whole content.",
            effect: Effect::Read,
            arguments: ARGUMENTS,
            fields: Map::new(),
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let reads = call.api().read(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let query = NoteQuery {
            text: arguments.text("text").map(str::parse).transpose().map_err(Error::from)?,
            tag: arguments.text("tag").map(str::to_owned),
        };
        let mut paging = Paging::new(&arguments)?;
        let zone = call.caller().zone();
        loop {
            let page = reads.search_notes(&query, &paging.request()?).await?;
            let found = page.items.into_iter();
            let notes: Vec<Found> =
                found.map(|found| Found { note: NoteItem::new(found.note, zone), snippet: found.snippet }).collect();
            let mut text = format!("Notes: {}. Times are in {}.\n", page.total, zone.as_str());
            for found in &notes {
                let _ = writeln!(text, "{}: {}", found.note.line(), found.snippet);
            }
            text.push_str(&page::rest_line(notes.len(), page.total, page.next.as_ref()));
            let next_cursor = page.next.map(|next| next.to_string());
            let output = Output { time_zone: zone.as_str().to_owned(), notes, total: page.total, next_cursor };
            let answer = Answer::new(&output, text)?;
            if paging.accepts(&answer) {
                return Ok(answer);
            }
        }
    }
}
