//! `get_note`: returns one note.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::change::Json;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::mcp::answer::{Answer, beginning};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::records::{NoteItem, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[Argument::required("id", Kind::Id, "")];

/// Maximum length of the content in the text, in characters.
const MAX_TEXT: usize = 2_000;

/// Maximum size of the content in the structured content, in bytes as JSON.
const MAX_CONTENT: usize = 56 * 1024;

/// Returns one note.
pub(super) struct GetNote;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    #[serde(flatten)]
    note: NoteItem,
    content: String,
    /// The content is too long: its end is missing.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    etag: String,
}

#[async_trait]
impl Tool for GetNote {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "get_note",
            title: "Get a note",
            description: "Returns one note with its content, and its etag for if_match.",
            effect: Effect::Read,
            arguments: ARGUMENTS,
            fields: Map::new(),
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let reads = call.api().read(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let found = reads.get_note(&id).await.map_err(|error| ToolError::of_read(error, RecordKind::Note))?;
        let (zone, etag) = (call.caller().zone(), found.tag.as_str().trim_matches('"').to_owned());
        let mut note = found.record;
        let whole = std::mem::take(&mut note.content);
        let content = beginning(&whole, MAX_CONTENT);
        let output = Output {
            time_zone: zone.as_str().to_owned(),
            cut: content.len() < whole.len(),
            content: content.to_owned(),
            emoji: note.emoji.take(),
            color: note.color.take(),
            note: NoteItem::new(note, zone),
            etag,
        };
        Answer::new(&output, text(&output, &whole))
    }
}

fn text(output: &Output, whole: &str) -> String {
    let mut text = output.note.line();
    let _ = writeln!(text, "\netag {}. Times are in {}.", output.etag, output.time_zone);
    let shown = whole.char_indices().nth(MAX_TEXT).map_or(whole, |(end, _)| whole.get(..end).unwrap_or_default());
    let _ = writeln!(text, "Content:\n{shown}");
    if output.cut {
        let (shown, all) = (output.content.chars().count(), whole.chars().count());
        let _ = writeln!(
            text,
            "Not complete: the note has {all} characters, and this answer has the first {shown}. Do not write this \
             content back with update_note: the rest would be lost. The REST resource `read/notes` has all of it."
        );
    } else if shown.len() < whole.len() {
        let _ = writeln!(text, "… The structured content has the whole content.");
    }
    text
}
