//! Notes and their categories.

use serde::{Deserialize, Serialize};

use crate::id::{CategoryId, NoteId, UserId};
use crate::resource::Person;
use crate::timestamp::Timestamp;

/// A note. Notes are ordered by `pinned` (pinned notes first), `updatedAt` (newest first), `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Identifier of the note.
    pub id: NoteId,
    /// Title; may be empty.
    pub title: String,
    /// Text of the note.
    pub content: String,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Whether the note is listed before notes that are not pinned.
    pub pinned: bool,
    /// Tags, in the order in which they were given.
    pub tags: Vec<String>,
    /// The user who wrote the note; null if unknown.
    pub author_id: Option<UserId>,
    /// The author; null if unknown, or if the user is no longer in the family.
    pub author: Option<Person>,
    /// The category of the note; null if it has none.
    pub category_id: Option<CategoryId>,
    /// The category; null if the note has none.
    pub category: Option<NoteCategory>,
    /// When the note was created.
    pub created_at: Timestamp,
    /// When the note was last changed.
    pub updated_at: Timestamp,
}

/// A category of notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NoteCategory {
    /// Identifier of the category.
    pub id: CategoryId,
    /// Display name.
    pub name: String,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// The parent category; null if there is none.
    pub parent_id: Option<CategoryId>,
}

impl Note {
    /// Creates an empty note, without any other field. It was last changed when it was created.
    #[must_use]
    pub fn new(id: NoteId, title: impl Into<String>, created_at: Timestamp) -> Self {
        Self {
            id,
            title: title.into(),
            content: String::new(),
            emoji: None,
            color: None,
            pinned: false,
            tags: Vec::new(),
            author_id: None,
            author: None,
            category_id: None,
            category: None,
            created_at,
            updated_at: created_at,
        }
    }
}
