//! The effect of a PATCH or DELETE on a note (HTTP reference, "Note fields").

use family_api_core::Timestamp;
use family_api_core::id::{CategoryId, NoteId};
use family_api_core::storage::{Member, NoteRecord};
use serde_json::{Value, json};

use super::Model;
use super::tasks::{text, texts};
use crate::step::{Body, IfMatch};
use crate::step_result::StepResult;

impl Model {
    pub(super) fn update_note(
        &mut self,
        member: &Member,
        id: &NoteId,
        change: &Body,
        if_match: IfMatch,
        now: Timestamp,
    ) -> StepResult {
        let Some(index) = self.index_of_note(member, id) else {
            return StepResult::NotFound;
        };
        if !if_match.holds() {
            return StepResult::PreconditionFailed;
        }
        let mut note = self.notes[index].clone();
        if *change == json!({}) {
            return StepResult::Note(Box::new(self.note(member, &note)));
        }
        match change.get("categoryId") {
            None => {}
            Some(Value::Null) => note.category_id = None,
            Some(id) => match self.find_category(member, text(id)) {
                None => return StepResult::NotFound,
                category => note.category_id = category,
            },
        }
        set_fields(&mut note, change);
        note.updated_at = now;
        self.writes += 1;
        let result = StepResult::Note(Box::new(self.note(member, &note)));
        self.notes[index] = note;
        result
    }

    pub(super) fn delete_note(&mut self, member: &Member, id: &NoteId, if_match: IfMatch) -> StepResult {
        match self.index_of_note(member, id) {
            None => StepResult::NotFound,
            Some(_) if !if_match.holds() => StepResult::PreconditionFailed,
            Some(index) => {
                self.notes.remove(index);
                self.writes += 1;
                StepResult::Written
            }
        }
    }

    fn index_of_note(&self, member: &Member, id: &NoteId) -> Option<usize> {
        self.notes.iter().position(|note| note.id == *id && note.family_id == member.family)
    }

    fn find_category(&self, member: &Member, id: &str) -> Option<CategoryId> {
        let mut inside = self.categories.iter().filter(|category| category.family_id == member.family);
        inside.find(|category| category.id.as_str() == id).map(|category| category.id.clone())
    }
}

fn set_fields(note: &mut NoteRecord, change: &Body) {
    let new_text = |field: &str| change.get(field).map(|value| text(value).to_owned());
    note.title = new_text("title").unwrap_or(note.title.clone());
    note.content = new_text("content").unwrap_or(note.content.clone());
    note.pinned = change["pinned"].as_bool().unwrap_or(note.pinned);
    note.emoji = new_text("emoji").or(note.emoji.clone());
    note.color = new_text("color").or(note.color.clone());
    note.tags = change.get("tags").map_or(note.tags.clone(), texts);
}
