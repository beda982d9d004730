//! Reads of notes.

use std::sync::LazyLock;

use family_api_core::id::NoteId;
use family_api_core::resource::{Document, Note};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::{document_sql, note};
use crate::sqlite::reads::document;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| notes(""));

/// `?3` is the note.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| notes("AND n.id = ?3"));

/// Returns the statement for notes that also meet this condition.
fn notes(condition: &str) -> String {
    let notes = format!(
        "(SELECT {value} AS note
        FROM notes n
        LEFT JOIN people author ON author.id = n.author_id
        LEFT JOIN note_categories category ON category.family_id = ?1 AND category.id = n.category_id
        WHERE n.family_id = ?1 {condition}
        ORDER BY n.pinned DESC, n.updated_at DESC, n.id)",
        value = note().sql()
    );
    document_sql("note", &notes)
}

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str());
    document(readers, query).await
}

pub(super) async fn find(
    readers: &SqlitePool,
    member: &Member,
    note: &NoteId,
) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(note.as_str());
    document(readers, query).await
}
