//! Changes and updates of notes.

use crate::change::editable::{ValidChange, sealed};
use crate::change::fields::{bodies, change};
use crate::change::{Creator, Editable, Verdict, WriteContext};
use crate::id::{CategoryId, NoteId};
use crate::resource::{Note, NoteCategory, RecordKind};
use crate::timestamp::Timestamp;
use crate::validation::rules::{BOOLEAN, COLOR, EMOJI, LABELS_OR_TAGS, TextRule, reference_or_empty};
use crate::validation::{Field, Reference};

const NOTE_TITLE: TextRule = TextRule { length: 0..=500, expected: "expected a string of at most 500 characters" };
const CONTENT: TextRule = TextRule { length: 0..=200_000, expected: "expected a string of at most 200,000 characters" };

/// A valid update of a note.
pub type NoteUpdate = ValidChange<NoteChange>;

change! {
    /// A change of a note. The methods set or clear single fields. All other fields keep their values.
    NoteChange => NoteUpdate of Note {
        required title: String = "title", NOTE_TITLE,
            "The title. It may be empty.",
        {
            /// Sets the title: at most 500 characters.
            set title(impl Into<String>);
        }
        optional content: String = "content", CONTENT,
            "The text of the note.",
        {
            /// Sets the text: at most 200,000 characters.
            set content(impl Into<String>);
        }
        optional pinned: bool = "pinned", BOOLEAN,
            "If true, the note is listed before notes that are not pinned.",
        {
            /// Pins the note, so that it is listed before notes that are not pinned.
            flag pin = true;
            /// Unpins the note.
            flag unpin = false;
        }
        clearable category: Reference<CategoryId> = "categoryId", reference_or_empty(),
            "The category, which must belong to the family. Null or an empty string removes the category.",
        {
            /// Sets the category, which must be a category of the family.
            set category(&CategoryId);
            /// Removes the note from its category.
            clear clear_category;
        }
        optional emoji: String = "emoji", EMOJI,
            "The emoji of the note.",
        {
            /// Sets the emoji: 1–32 characters.
            set emoji(impl Into<String>);
        }
        optional color: String = "color", COLOR,
            "The colour of the note, as `#rrggbb`.",
        {
            /// Sets the colour: `#rrggbb`.
            set color(impl Into<String>);
        }
        optional tags: Vec<String> = "tags", LABELS_OR_TAGS,
            "The tags of the note. The list replaces the stored list.",
        {
            /// Replaces the tags: at most 50, of 1–50 characters each.
            list tags;
        }
    }
    example {
        "title": "Wifi",
        "content": "The password is on the back of the router.",
        "pinned": true,
        "emoji": "📶",
        "color": "#3366cc",
        "tags": ["home"],
    }
}

impl NoteUpdate {
    /// Returns the category that must exist for the update.
    #[must_use]
    pub fn named_category(&self) -> Option<&CategoryId> {
        match &self.0.category {
            Field::Set(reference) => reference.id(),
            Field::Keep | Field::Clear => None,
        }
    }
}

/// The data that a storage reads to check a write of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFacts {
    /// The note, as the caller sees it.
    pub note: Note,
    /// The category of the family with the id [`NoteUpdate::named_category`], if it exists. For a restoration, the
    /// category of the note, if it exists.
    pub category: Option<NoteCategory>,
}

impl sealed::Sealed for Note {}

impl Editable for Note {
    const KIND: RecordKind = RecordKind::Note;

    type Id = NoteId;
    type Change = NoteChange;
    type Update = NoteUpdate;
    type Facts = NoteFacts;
    type Write = Self;

    bodies!(NoteChange);

    fn id(&self) -> &NoteId {
        &self.id
    }

    fn blank(id: NoteId, author: &Creator<'_>, now: Timestamp) -> Self {
        Self { author_id: Some(author.user.clone()), author: author.person.cloned(), ..Self::new(id, "", now) }
    }

    fn record(facts: &NoteFacts) -> &Self {
        &facts.note
    }

    fn with_version_of(self, other: &Self) -> Self {
        Self { updated_at: other.updated_at, ..self }
    }

    fn apply(update: NoteUpdate, facts: NoteFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let NoteFacts { mut note, category } = facts;
        match (change.category, category) {
            (Field::Keep, _) => {}
            (Field::Set(_), None) => return Verdict::NotFound,
            (Field::Clear, _) => set_category(&mut note, None),
            (Field::Set(_), category) => set_category(&mut note, category),
        }
        note.title = change.title.unwrap_or(note.title);
        note.content = change.content.unwrap_or(note.content);
        note.pinned = change.pinned.unwrap_or(note.pinned);
        note.emoji = change.emoji.or(note.emoji);
        note.color = change.color.or(note.color);
        note.tags = change.tags.unwrap_or(note.tags);
        note.updated_at = context.now;
        Verdict::Write(note)
    }

    /// A category that was deleted in the meantime is removed.
    fn decide_restore(facts: NoteFacts, _: &WriteContext<'_>) -> Verdict<Self> {
        let NoteFacts { mut note, category } = facts;
        set_category(&mut note, category);
        Verdict::Write(note)
    }
}

fn set_category(note: &mut Note, category: Option<NoteCategory>) {
    note.category_id = category.as_ref().map(|category| category.id.clone());
    note.category = category;
}
