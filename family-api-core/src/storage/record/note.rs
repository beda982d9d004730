//! Notes and their categories.

use crate::Timestamp;
use crate::id::{CategoryId, FamilyId, NoteId, UserId};
use crate::resource::{Note, NoteCategory};

record! {
    /// A category of notes.
    CategoryRecord: "noteCategory" in "note_categories" {
        /// Identifier of the category.
        id: CategoryId,
        /// Display name.
        name: String,
        /// Display emoji.
        emoji: Option<String>,
        /// Display colour.
        color: Option<String>,
        /// The parent category.
        parent_id: Option<CategoryId>,
    } stores {
        /// The family of the category.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        parent_id: CategoryId => "noteCategory",
    } becomes NoteCategory {}
}

record! {
    /// A note.
    NoteRecord: "note" in "notes" {
        /// Identifier of the note.
        id: NoteId,
        /// Title.
        title: String,
        /// Text of the note.
        content: String,
        /// Display emoji.
        emoji: Option<String>,
        /// Display colour.
        color: Option<String>,
        /// Whether the note is pinned.
        pinned: bool,
        /// Tags.
        tags: Vec<String>,
        /// The author. The user need not exist.
        author_id: Option<UserId>,
        /// The category of the note.
        category_id: Option<CategoryId>,
        /// When the note was created.
        created_at: Timestamp,
        /// When the note was last changed.
        updated_at: Timestamp,
    } stores {
        /// The family of the note.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        category_id: CategoryId => "noteCategory",
    } becomes Note {
        author: None,
        category: None,
    }
}
