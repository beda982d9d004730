//! The query for notes.

use crate::query::snippet::snippet;
use crate::query::{Position, SearchText};
use crate::resource::Note;

/// Selects notes. A note must match every condition. The default selects every note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteQuery {
    /// Words in the title or the content.
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
    /// Up to 160 characters of the content around the first match, in one line. The beginning of the content if all
    /// words are only in the title, or if the query has no text. `…` marks content that was left out.
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
        let has_text = |text: &SearchText| text.is_in([note.title.as_str(), &note.content]);
        self.tag.as_ref().is_none_or(|tag| note.tags.contains(tag)) && self.text.as_ref().is_none_or(has_text)
    }

    /// Returns the sort key of a note that matches: those with whole words first, the last change (newest first), the id.
    pub(crate) fn position(&self, note: &Note) -> Position {
        let is_whole = |text: &SearchText| text.is_whole_in([note.title.as_str(), &note.content]);
        let has_parts = !self.text.as_ref().is_none_or(is_whole);
        Position::new([i64::from(has_parts), -note.updated_at.as_millis()], &note.id)
    }

    /// Adds the snippet to a note.
    pub(crate) fn with_snippet(&self, note: Note) -> FoundNote {
        let found = self.text.as_ref().and_then(|text| text.find(&note.content));
        FoundNote { snippet: snippet(&note.content, found), note }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::note;

    #[test]
    fn a_note_matches_by_text_and_by_its_exact_tag() {
        let notes = || vec![note("Soup", "Salt and water", &["warm"]), note("Wi-Fi", "the SOUP password", &["Warm"])];
        let select = |query: &NoteQuery| -> Vec<String> {
            query.select(notes()).into_iter().map(|note| note.id.to_string()).collect()
        };
        let text = Some("soup".parse().unwrap());
        assert_eq!(select(&NoteQuery { text: text.clone(), tag: None }), ["Soup", "Wi-Fi"]);
        assert_eq!(select(&NoteQuery { text, tag: Some("warm".to_owned()) }), ["Soup"]);
        assert_eq!(select(&NoteQuery { text: Some("nothing".parse().unwrap()), tag: None }), [""; 0]);
        assert_eq!(select(&NoteQuery::default()).len(), 2);
    }

    #[test]
    fn notes_with_whole_words_are_first() {
        let mut notes = vec![note("Card", "of the bank", &[]), note("Trip", "by car", &[]), note("Scar", "", &[])];
        notes[0].updated_at = "2026-11-21T00:00:00Z".parse().unwrap();
        let sorted = |query: &NoteQuery| -> Vec<String> {
            let mut found = query.select(notes.clone());
            found.sort_by_key(|note| query.position(note));
            found.into_iter().map(|note| note.id.to_string()).collect()
        };
        let car = NoteQuery { text: Some("car".parse().unwrap()), tag: None };
        assert_eq!(sorted(&car), ["Trip", "Card", "Scar"]);
        assert_eq!(sorted(&NoteQuery::default()), ["Card", "Scar", "Trip"]);
    }

    #[test]
    fn the_snippet_is_around_the_match_in_the_content() {
        let content = format!("{} the password", "x ".repeat(100));
        let query = NoteQuery { text: Some("PASSWORD".parse().unwrap()), tag: None };
        let found = query.with_snippet(note("a", &content, &[]));
        assert!(found.snippet.starts_with('…') && found.snippet.ends_with("the password"), "{}", found.snippet);
        let whole = NoteQuery::default().with_snippet(note("a", "short", &[]));
        assert_eq!(whole.snippet, "short");
    }
}
