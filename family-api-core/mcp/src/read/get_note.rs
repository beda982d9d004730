//! The note that `get_note` returns.

use std::fmt::Write;

use family_api_core::resource::{Note, RecordKind, ResourceKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::context::ToolContext;
use crate::error::ToolError;
use crate::read::get::{Content, Found, TextRecord};
use crate::records::{NoteItem, name};

#[derive(Serialize, JsonSchema)]
pub(crate) struct NoteWithout {
    note: Whole,
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

impl TextRecord for Note {
    type Whole = NoteWithout;
    type Text = Content;

    const RESOURCE: ResourceKind = ResourceKind::Notes;
    const HEADING: &'static str = "Content";

    async fn find(context: &ToolContext, id: &str) -> Result<Found<NoteWithout>, ToolError> {
        let found = context.api().read(context.caller())?.get_note(&id.into()).await;
        let found = found.map_err(|error| ToolError::of_lookup(error, RecordKind::Note))?;
        let mut note = found.record;
        let text = Some(std::mem::take(&mut note.content));
        let note = Whole {
            emoji: note.emoji.take().map(|emoji| name(&emoji)),
            color: note.color.take().map(|color| name(&color)),
            item: NoteItem::new(note, context.zone()),
        };
        Ok(Found { lines: note.lines(), whole: NoteWithout { note }, text, tag: found.tag })
    }
}

impl Whole {
    fn lines(&self) -> String {
        let mut line = self.item.line();
        for look in self.emoji.iter().chain(&self.color) {
            let _ = write!(line, " {look}");
        }
        line.push('\n');
        line
    }
}
