//! `get_note`: returns one note.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, size};
use crate::arguments::{Argument, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::read::text_part::{OFFSET, TextPart};
use crate::records::{NoteItem, name, schema};

const ARGUMENTS: &[Argument] = &[ID, OFFSET];

/// Returns one note.
pub(crate) struct GetNote;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    note: Whole,
    // The part of the content that begins at the argument `offset`.
    content: String,
    content_length: usize,
    // True if the content is a part.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    etag: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

// A note without its content.
#[derive(Serialize, JsonSchema)]
struct Whole {
    #[serde(flatten)]
    item: NoteItem,
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
}

#[async_trait]
impl ToolHandler for GetNote {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "get_note",
            title: "Get a note",
            description: "Returns a note, and its etag for ifMatch.",
            effect: Effect::Read(&[ResourceKind::Notes]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let found = reads.get_note(&id).await.map_err(|error| ToolError::of_lookup(error, RecordKind::Note))?;
        let (zone, etag) = (context.caller().zone(), found.tag.as_str().trim_matches('"').to_owned());
        let mut note = found.record;
        let whole = std::mem::take(&mut note.content);
        let mut output = Output {
            time_zone: zone.as_str().to_owned(),
            content: String::new(),
            content_length: 0,
            cut: false,
            next_offset: None,
            note: Whole {
                emoji: note.emoji.take().map(|emoji| name(&emoji)),
                color: note.color.take().map(|color| name(&color)),
                item: NoteItem::new(note, zone),
            },
            etag,
            notices: Vec::new(),
        };
        let mut text = output.note.item.line();
        for look in output.note.emoji.iter().chain(&output.note.color) {
            let _ = write!(text, " {look}");
        }
        let _ = writeln!(text, "\netag {}. Times are in {}.", output.etag, output.time_zone);
        let part = TextPart::new(&whole, &arguments, size(&output, &text)?)?;
        output.content = part.structured();
        output.content_length = part.total;
        output.cut = part.is_cut();
        output.next_offset = part.next_offset();
        output.notices.extend(part.notice("update_note", "etag"));
        text.push_str(&part.lines("Content", &output.notices));
        Answer::new(&output, text)
    }
}
