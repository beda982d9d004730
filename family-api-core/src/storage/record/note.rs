//! Notes and their categories.

use serde::Deserialize;

use super::field::nullable;
use crate::Timestamp;
use crate::id::{CategoryId, FamilyId, NoteId, UserId};

/// A category of notes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct CategoryRecord {
    pub id: CategoryId,
    pub family_id: FamilyId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub parent_id: Option<CategoryId>,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct NoteRecord {
    pub id: NoteId,
    pub family_id: FamilyId,
    pub title: String,
    pub content: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    pub pinned: bool,
    pub tags: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub author_id: Option<UserId>,
    #[serde(deserialize_with = "nullable")]
    pub category_id: Option<CategoryId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
