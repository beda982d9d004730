//! The fields of a note (HTTP reference, "Note fields").

use family_api_core::id::CategoryId;
use family_api_core::storage::{Member, NoteRecord};

use super::Model;
use super::tasks::{text, texts};
use crate::step::Body;

impl Model {
    pub(super) fn find_category(&self, member: &Member, id: &str) -> Option<CategoryId> {
        let mut inside = self.categories.iter().filter(|category| category.family_id == member.family);
        inside.find(|category| category.id.as_str() == id).map(|category| category.id.clone())
    }
}

pub(super) fn set_fields(note: &mut NoteRecord, change: &Body) {
    let new_text = |field: &str| change.get(field).map(|value| text(value).to_owned());
    note.title = new_text("title").unwrap_or(note.title.clone());
    note.content = new_text("content").unwrap_or(note.content.clone());
    note.pinned = change["pinned"].as_bool().unwrap_or(note.pinned);
    note.emoji = new_text("emoji").or(note.emoji.clone());
    note.color = new_text("color").or(note.color.clone());
    note.tags = change.get("tags").map_or(note.tags.clone(), texts);
}
