//! The query for notes.

use crate::id::NoteId;
use crate::query::snippet::snippet;
use crate::query::{Position, SearchText};
use crate::resource::Note;

/// Selects notes. A note must match every condition. The default selects every note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteQuery {
    /// A text in the title or the content.
    pub text: Option<SearchText>,
    /// A tag of the note, in exactly this spelling.
    pub tag: Option<String>,
}

/// A note and the part of its content around the first match.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundNote {
    /// The note.
    pub note: Note,
    /// Up to 160 characters of the content around the first match, in one line. The beginning of the content if the
    /// text is only in the title, or if the query has no text. `…` marks content that was left out.
    pub snippet: String,
}

impl NoteQuery {
    /// Selects notes, in no particular order.
    pub(crate) fn select(&self, notes: Vec<Note>) -> Vec<Note> {
        let mut notes = notes;
        notes.retain(|note| self.matches(note));
        notes
    }

    fn matches(&self, note: &Note) -> bool {
        let has_text = |text: &SearchText| text.is_in(&note.title) || text.is_in(&note.content);
        self.tag.as_ref().is_none_or(|tag| note.tags.contains(tag)) && self.text.as_ref().is_none_or(has_text)
    }

    /// Adds the snippet to a note.
    pub(crate) fn with_snippet(&self, note: Note) -> FoundNote {
        let found = self.text.as_ref().and_then(|text| text.find(&note.content));
        FoundNote { snippet: snippet(&note.content, found), note }
    }
}

/// Returns the sort key of a note: the last change (newest first), the id.
pub(crate) fn position(note: &Note) -> Position {
    Position::new([-note.updated_at.as_millis(), 0], &note.id)
}

/// Returns a note by its id.
pub(crate) fn find_note(notes: Vec<Note>, id: &NoteId) -> Option<Note> {
    notes.into_iter().find(|note| note.id == *id)
}
