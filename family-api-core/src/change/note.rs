//! Changes and updates of notes.

use serde::Serialize;
use serde_json::{Value, json};

use crate::change::Verdict;
use crate::id::CategoryId;
use crate::resource::{Note, NoteCategory};
use crate::timestamp::Timestamp;
use crate::validation::body_fields::{BodyFields, BodySchema};
use crate::validation::rules::{BOOLEAN, LABELS_OR_TAGS, TextRule, ValueRule, reference_or_empty};
use crate::validation::{BodyReader, Faults, Field, FieldErrors, Json, Reference};

const TITLE: TextRule = TextRule { length: 0..=500, expected: "expected a string of at most 500 characters" };
const CONTENT: TextRule = TextRule { length: 0..=200_000, expected: "expected a string of at most 200,000 characters" };
const EMOJI: TextRule = TextRule { length: 1..=32, expected: "expected a string of 1 to 32 characters" };
const COLOR: ValueRule<String> =
    ValueRule { read: read_color, schema: || json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" }) };

/// A valid update of a note.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct NoteUpdate(pub(super) NoteChange);

/// A change of a note. The methods set or clear single fields. All other fields keep their values.
///
/// The values are not checked before [`build`](Self::build). The JSON of a change is the body of the PATCH request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoteChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pinned: Option<bool>,
    #[serde(rename = "categoryId", skip_serializing_if = "Field::is_kept")]
    pub(crate) category: Field<Reference<CategoryId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emoji: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tags: Option<Vec<String>>,
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

    /// Checks the change.
    ///
    /// # Errors
    /// The faults of the values.
    pub fn build(&self) -> Result<NoteUpdate, Faults> {
        NoteUpdate::from_body(Json::of(self))
    }

    fn declare<F: BodyFields>(fields: &mut F) -> Self {
        Self {
            title: fields.optional("title", TITLE, "The title. It may be empty."),
            content: fields.optional("content", CONTENT, "The text of the note."),
            pinned: fields.optional("pinned", BOOLEAN, "If true, the note is listed before notes that are not pinned."),
            category: fields
                .nullable(
                    "categoryId",
                    reference_or_empty(),
                    "The category, which must belong to the family. Null or an empty string removes the category.",
                )
                .empty_as_clear(),
            emoji: fields.optional("emoji", EMOJI, "The emoji of the note."),
            color: fields.optional("color", COLOR, "The colour of the note, as `#rrggbb`."),
            tags: fields.optional("tags", LABELS_OR_TAGS, "The tags of the note. The list replaces the stored list."),
        }
    }
}

impl NoteUpdate {
    /// Parses the body of a PATCH request for a note.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        BodyReader::new(body)?.read(|fields| Some(NoteChange::declare(fields))).map(Self)
    }

    /// Returns the JSON schema of the body.
    #[must_use]
    pub fn schema() -> Value {
        BodySchema::of(
            "Changes the fields that are present. Other fields keep their values.",
            NoteChange::declare::<BodySchema>,
        )
    }

    /// Returns whether the update has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == NoteChange::default()
    }

    /// Returns the category that must exist for the update.
    #[must_use]
    pub fn named_category(&self) -> Option<&CategoryId> {
        match &self.0.category {
            Field::Set(reference) => reference.id(),
            Field::Keep | Field::Clear => None,
        }
    }

    /// Checks the update against the stored note, and applies it if it is valid.
    #[must_use]
    pub fn decide(self, facts: NoteFacts, now: Timestamp) -> Verdict<Note> {
        let NoteFacts { mut note, category } = facts;
        if self.is_empty() {
            return Verdict::Write(note);
        }
        let Self(change) = self;
        match (change.category, category) {
            (Field::Keep, _) => {}
            (Field::Clear, _) => (note.category_id, note.category) = (None, None),
            (Field::Set(_), None) => return Verdict::NotFound,
            (Field::Set(_), Some(category)) => {
                note.category_id = Some(category.id.clone());
                note.category = Some(category);
            }
        }
        note.title = change.title.unwrap_or(note.title);
        note.content = change.content.unwrap_or(note.content);
        note.pinned = change.pinned.unwrap_or(note.pinned);
        note.emoji = change.emoji.or(note.emoji);
        note.color = change.color.or(note.color);
        note.tags = change.tags.unwrap_or(note.tags);
        note.updated_at = now;
        Verdict::Write(note)
    }
}

/// The data that a storage reads to check an update of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFacts {
    /// The note, as the caller sees it.
    pub note: Note,
    /// The category of the family with the id [`NoteUpdate::named_category`], if it exists.
    pub category: Option<NoteCategory>,
}

fn read_color(value: &Json) -> Result<String, FieldErrors> {
    let color = value.as_str().unwrap_or_default();
    match color.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(color.to_owned()),
        _ => Err("expected a color, #rrggbb".into()),
    }
}
