//! Notes and their categories.

use serde::Deserialize;

use super::field::nullable;
use crate::Timestamp;
use crate::id::{CategoryId, FamilyId, NoteId, UserId};

/// A category of notes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CategoryRecord {
    /// The category.
    pub id: CategoryId,
    /// The family of the category.
    pub family_id: FamilyId,
    /// Display name.
    pub name: String,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// Display colour.
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    /// The category above this one.
    #[serde(deserialize_with = "nullable")]
    pub parent_id: Option<CategoryId>,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteRecord {
    /// The note.
    pub id: NoteId,
    /// The family of the note.
    pub family_id: FamilyId,
    /// Title.
    pub title: String,
    /// Text of the note.
    pub content: String,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// Display colour.
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    /// Whether the note is pinned.
    pub pinned: bool,
    /// Tags.
    pub tags: Vec<String>,
    /// The author. The user need not exist.
    #[serde(deserialize_with = "nullable")]
    pub author_id: Option<UserId>,
    /// The category of the note.
    #[serde(deserialize_with = "nullable")]
    pub category_id: Option<CategoryId>,
    /// When the note was created.
    pub created_at: Timestamp,
    /// When the note was last changed.
    pub updated_at: Timestamp,
}
