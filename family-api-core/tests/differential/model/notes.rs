//! Section 6: the effect of a PATCH on a note.

use family_api_core::Timestamp;
use family_api_core::change::{Field, NoteChange, Reference};
use family_api_core::id::{CategoryId, NoteId};
use family_api_core::storage::{Member, NoteRecord};

use super::Model;
use crate::answer::Answer;
use crate::step::IfMatch;

impl Model {
    pub(super) fn update_note(
        &mut self,
        member: &Member,
        id: &NoteId,
        change: &NoteChange,
        if_match: IfMatch,
        now: Timestamp,
    ) -> Answer {
        let Some(place) = self.index_of_note(member, id) else {
            return Answer::NotFound;
        };
        if !if_match.holds() {
            return Answer::PreconditionFailed;
        }
        let mut note = self.notes[place].clone();
        if *change == NoteChange::default() {
            return Answer::Note(Box::new(self.note(member, &note)));
        }
        match &change.category {
            Field::Keep => {}
            Field::Clear => note.category_id = None,
            Field::Set(reference) => match self.find_category(member, reference) {
                None => return Answer::NotFound,
                category => note.category_id = category,
            },
        }
        set_fields(&mut note, change);
        note.updated_at = now;
        self.writes += 1;
        let answer = Answer::Note(Box::new(self.note(member, &note)));
        self.notes[place] = note;
        answer
    }

    pub(super) fn delete_note(&mut self, member: &Member, id: &NoteId, if_match: IfMatch) -> Answer {
        match self.index_of_note(member, id) {
            None => Answer::NotFound,
            Some(_) if !if_match.holds() => Answer::PreconditionFailed,
            Some(place) => {
                self.notes.remove(place);
                self.writes += 1;
                Answer::Written
            }
        }
    }

    fn index_of_note(&self, member: &Member, id: &NoteId) -> Option<usize> {
        self.notes.iter().position(|note| note.id == *id && note.family_id == member.family)
    }

    fn find_category(&self, member: &Member, reference: &Reference<CategoryId>) -> Option<CategoryId> {
        let mut inside = self.categories.iter().filter(|category| category.family_id == member.family);
        inside.find(|category| Some(&category.id) == reference.id()).map(|category| category.id.clone())
    }
}

fn set_fields(note: &mut NoteRecord, change: &NoteChange) {
    note.title = change.title.clone().unwrap_or(note.title.clone());
    note.content = change.content.clone().unwrap_or(note.content.clone());
    note.pinned = change.pinned.unwrap_or(note.pinned);
    note.emoji = change.emoji.clone().or(note.emoji.clone());
    note.color = change.color.clone().or(note.color.clone());
    note.tags = change.tags.clone().unwrap_or(note.tags.clone());
}
