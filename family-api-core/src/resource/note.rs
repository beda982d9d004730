//! Notes and their categories.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::{CategoryId, NoteId, UserId};
use crate::resource::Person;

/// A note, pinned ones first, then the newest `updatedAt`, then by `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Note {
    pub id: NoteId,
    pub title: String,
    pub content: String,
    pub emoji: Option<String>,
    pub color: Option<String>,
    pub pinned: bool,
    pub tags: Vec<String>,
    pub author_id: Option<UserId>,
    /// The author, while they are in the family.
    pub author: Option<Person>,
    pub category_id: Option<CategoryId>,
    pub category: Option<NoteCategory>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What notes are sorted into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct NoteCategory {
    pub id: CategoryId,
    pub name: String,
    pub emoji: Option<String>,
    pub color: Option<String>,
    pub parent_id: Option<CategoryId>,
}

/// The answer to a deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DeletedNote {
    /// Always true.
    pub success: bool,
    /// The note that was deleted.
    pub id: NoteId,
}
