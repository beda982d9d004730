//! The change of a note.

use serde::Serialize;

use crate::Timestamp;
use crate::change::text::{TextRule, boolean, check_words, read_words, reference_or_blank};
use crate::change::{BodyReader, Faults, Field, FieldErrors, Json, Reference, Verdict};
use crate::id::CategoryId;
use crate::resource::{Note, NoteCategory};

const TITLE: TextRule = TextRule { length: 0..=500, expected: "expected a string of at most 500 characters" };
const CONTENT: TextRule = TextRule { length: 0..=200_000, expected: "expected a string of at most 200,000 characters" };
const EMOJI: TextRule = TextRule { length: 1..=32, expected: "expected a string of 1 to 32 characters" };

/// A change of a note. A field that is `None` or [`Field::Keep`] keeps its value.
///
/// The methods set or clear single fields. The values are checked when the change is applied. It serializes as the body
/// of the PATCH request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NoteChange {
    /// The new title: 0–500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The new text: at most 200,000 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Whether the note is pinned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
    /// `categoryId`: a category of the family. [`Field::Clear`] removes the note from its category.
    #[serde(rename = "categoryId", skip_serializing_if = "Field::is_kept")]
    pub category: Field<Reference<CategoryId>>,
    /// The new emoji: 1–32 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// The new colour: `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// The new tags: at most 50, of 1–50 characters. They replace the old ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

impl NoteChange {
    /// Creates a change without any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the title: at most 500 characters.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Sets the text: at most 200,000 characters.
    #[must_use]
    pub fn content(self, content: impl Into<String>) -> Self {
        Self { content: Some(content.into()), ..self }
    }

    /// Pins the note, so that it is listed before notes that are not pinned.
    #[must_use]
    pub fn pin(self) -> Self {
        Self { pinned: Some(true), ..self }
    }

    /// Unpins the note.
    #[must_use]
    pub fn unpin(self) -> Self {
        Self { pinned: Some(false), ..self }
    }

    /// Sets the category, which must be a category of the family.
    #[must_use]
    pub fn category(self, category: &CategoryId) -> Self {
        Self { category: Field::Set(category.into()), ..self }
    }

    /// Removes the note from its category.
    #[must_use]
    pub fn clear_category(self) -> Self {
        Self { category: Field::Clear, ..self }
    }

    /// Sets the emoji: 1–32 characters.
    #[must_use]
    pub fn emoji(self, emoji: impl Into<String>) -> Self {
        Self { emoji: Some(emoji.into()), ..self }
    }

    /// Sets the colour: `#rrggbb`.
    #[must_use]
    pub fn color(self, color: impl Into<String>) -> Self {
        Self { color: Some(color.into()), ..self }
    }

    /// Replaces the tags: at most 50, of 1–50 characters each.
    #[must_use]
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        Self { tags: Some(tags.into_iter().map(Into::into).collect()), ..self }
    }
}

impl NoteChange {
    /// Parses the body of a PATCH request for a note.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        let mut fields = BodyReader::new(body)?;
        let change = Self {
            title: fields.optional("title", |value| TITLE.read(value)),
            content: fields.optional("content", |value| CONTENT.read(value)),
            pinned: fields.optional("pinned", boolean),
            category: fields.nullable("categoryId", reference_or_blank).blank_is_null(),
            emoji: fields.optional("emoji", |value| EMOJI.read(value)),
            color: fields.optional("color", read_color),
            tags: fields.optional("tags", read_words),
        };
        let faults = fields.finish();
        if faults.is_empty() { Ok(change) } else { Err(faults) }
    }

    /// Checks the values by the rules of [`from_body`](Self::from_body).
    ///
    /// # Errors
    /// The faults of the values.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        faults.check("title", self.title.as_deref().map(|text| TITLE.check(text)));
        faults.check("content", self.content.as_deref().map(|text| CONTENT.check(text)));
        faults.check("emoji", self.emoji.as_deref().map(|text| EMOJI.check(text)));
        faults.check("color", self.color.as_deref().map(check_color));
        faults.check("tags", self.tags.as_deref().map(check_words));
        faults.into_result()
    }

    /// Returns whether the change has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the category that must exist for the change.
    #[must_use]
    pub fn named_category(&self) -> Option<&CategoryId> {
        match &self.category {
            Field::Set(reference) => reference.id(),
            Field::Keep | Field::Clear => None,
        }
    }

    /// Decides on the change, and applies it to the note if it is valid.
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

/// The facts that a storage reads for the decision on a change of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFacts {
    /// The note, as the caller sees it.
    pub note: Note,
    /// The category of the family with the id [`NoteChange::named_category`], if it exists.
    pub category: Option<NoteCategory>,
}

fn read_color(value: &Json) -> Result<String, FieldErrors> {
    let color = value.as_str().unwrap_or_default();
    check_color(color)?;
    Ok(color.to_owned())
}

fn check_color(color: &str) -> Result<(), &'static str> {
    match color.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(()),
        _ => Err("expected a color, #rrggbb"),
    }
}
