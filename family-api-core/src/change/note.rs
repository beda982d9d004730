//! What a PATCH may say of a note.

use crate::Timestamp;
use crate::change::text::{boolean, reference_or_blank, text, words};
use crate::change::{Field, FieldFault, Json, Misfit, Reader, Reference, Verdict};
use crate::id::CategoryId;
use crate::resource::{Note, NoteCategory};

/// A change of a note: fields that are `None` or [`Field::Keep`] stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the contract's, section 6")]
pub struct NoteChange {
    pub title: Option<String>,
    pub content: Option<String>,
    pub pinned: Option<bool>,
    pub category: Field<Reference<CategoryId>>,
    pub emoji: Option<String>,
    pub color: Option<String>,
    pub tags: Option<Vec<String>>,
}

impl NoteChange {
    /// Reads the body of a note's PATCH.
    ///
    /// # Errors
    /// Every fault of the body.
    pub fn from_body(body: Json) -> Result<Self, Vec<FieldFault>> {
        let mut fields = Reader::new(body)?;
        let change = Self {
            title: fields
                .optional("title", |value| text(value, 0..=500, "expected a string of at most 500 characters")),
            content: fields.optional("content", |value| {
                text(value, 0..=200_000, "expected a string of at most 200,000 characters")
            }),
            pinned: fields.optional("pinned", boolean),
            category: fields.nullable("categoryId", reference_or_blank).blank_is_null(),
            emoji: fields.optional("emoji", |value| text(value, 1..=32, "expected a string of 1 to 32 characters")),
            color: fields.optional("color", color),
            tags: fields.optional("tags", words),
        };
        let faults = fields.finish();
        if faults.is_empty() { Ok(change) } else { Err(faults) }
    }

    /// Whether it names no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The category that must be there for the change to be made.
    #[must_use]
    pub fn named_category(&self) -> Option<&CategoryId> {
        match &self.category {
            Field::Set(reference) => reference.id(),
            Field::Keep | Field::Clear => None,
        }
    }

    /// Judges the change, now that the note is known.
    #[must_use]
    pub fn judge(self, facts: NoteFacts, now: Timestamp) -> Verdict<Note> {
        let NoteFacts { mut note, category } = facts;
        if self.is_empty() {
            return Verdict::Write(note);
        }
        match (self.category, category) {
            (Field::Keep, _) => {}
            (Field::Clear, _) => (note.category_id, note.category) = (None, None),
            (Field::Set(_), None) => return Verdict::NotFound,
            (Field::Set(_), Some(category)) => {
                note.category_id = Some(category.id.clone());
                note.category = Some(category);
            }
        }
        note.title = self.title.unwrap_or(note.title);
        note.content = self.content.unwrap_or(note.content);
        note.pinned = self.pinned.unwrap_or(note.pinned);
        note.emoji = self.emoji.or(note.emoji);
        note.color = self.color.or(note.color);
        note.tags = self.tags.unwrap_or(note.tags);
        note.updated_at = now;
        Verdict::Write(note)
    }
}

/// What a storage must know to judge a change of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFacts {
    /// The note, seen by the caller.
    pub note: Note,
    /// The family's category that [`NoteChange::named_category`] names, if there is one.
    pub category: Option<NoteCategory>,
}

fn color(value: &Json) -> Result<String, Misfit> {
    const EXPECTED: &str = "expected a color, #rrggbb";
    let color = value.as_str().ok_or(EXPECTED)?;
    match color.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(color.to_owned()),
        _ => Err(EXPECTED.into()),
    }
}
