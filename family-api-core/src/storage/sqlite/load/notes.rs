//! Note categories and notes.

use crate::storage::sqlite::load::statement::{Refusals, Statement};
use crate::storage::{CategoryRecord, NoteRecord, StorageError};

const CATEGORY: &str = "
    INSERT INTO note_categories (family_id, id, name, emoji, color, parent_id)
    SELECT f.id, ?2, ?3, ?4, ?5, ?6 FROM families f WHERE f.id = ?1";

const NOTE: &str = "
    INSERT INTO notes
        (family_id, id, title, content, emoji, color, pinned, tags, author_id, category_id, created_at, updated_at)
    SELECT f.id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM families f WHERE f.id = ?1";

/// A parent in another family, none at all, and the category itself are told apart by nothing.
pub(super) fn category(category: CategoryRecord) -> Statement {
    let query = sqlx::query(CATEGORY)
        .bind(String::from(category.family_id))
        .bind(String::from(category.id))
        .bind(category.name)
        .bind(category.emoji)
        .bind(category.color)
        .bind(category.parent_id.map(String::from));
    Statement { query, refused: Refusals { parent: "familyId", reference: "parentId" } }
}

pub(super) fn note(note: NoteRecord) -> Result<Statement, StorageError> {
    let query = sqlx::query(NOTE)
        .bind(String::from(note.family_id))
        .bind(String::from(note.id))
        .bind(note.title)
        .bind(note.content)
        .bind(note.emoji)
        .bind(note.color)
        .bind(note.pinned)
        .bind(serde_json::to_string(&note.tags).map_err(StorageError::backend)?)
        .bind(note.author_id.map(String::from))
        .bind(note.category_id.map(String::from))
        .bind(String::from(note.created_at))
        .bind(String::from(note.updated_at));
    Ok(Statement { query, refused: Refusals { parent: "familyId", reference: "categoryId" } })
}
