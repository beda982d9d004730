//! Notes in answers.

use std::fmt::Write;

use family_api_core::calendar::Zone;
use family_api_core::resource::Note;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::one_line;
use crate::instant::local_time;
use crate::records::{MAX_LINE, labels, name, title};

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoteItem {
    pub(crate) id: String,
    pub(crate) title: String,
    pinned: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    updated_at: String,
}

impl NoteItem {
    pub(crate) fn new(note: Note, zone: &Zone) -> Self {
        Self {
            id: note.id.to_string(),
            title: title(&note.title),
            pinned: note.pinned,
            tags: labels(&note.tags),
            category: note.category.map(|category| name(&category.name)),
            author: note.author.map(|author| name(&author.name)),
            updated_at: local_time(note.updated_at, zone),
        }
    }

    /// Returns the note as one line, without its content.
    pub(crate) fn line(&self) -> String {
        let title = if self.title.is_empty() { "(no title)".to_owned() } else { one_line(&self.title, MAX_LINE) };
        let mut line = format!("- {title} [{}] changed {}", self.id, self.updated_at);
        if let Some(author) = &self.author {
            let _ = write!(line, " by {}", one_line(author, MAX_LINE));
        }
        if self.pinned {
            line.push_str(" pinned");
        }
        if let Some(category) = &self.category {
            let _ = write!(line, " in {}", one_line(category, MAX_LINE));
        }
        if !self.tags.is_empty() {
            let _ = write!(line, " tags {}", one_line(&self.tags.join(", "), MAX_LINE));
        }
        line
    }
}
