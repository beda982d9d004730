//! Reads of notes.

use std::sync::LazyLock;

use family_api_core::id::NoteId;
use family_api_core::resource::{Document, Note, NoteCategory, Person};
use family_api_core::storage::value::{StoredFields, StoredRow, Values};
use family_api_core::storage::{Member, StorageError};

use crate::columns::columns;
use crate::postgres::database::Database;
use crate::postgres::reads::document;
use crate::postgres::row::{Row, records};
use crate::visible::is_member;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| notes(""));

/// `$3` is the note.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| notes("AND n.id = $3"));

/// Returns the statement for notes that also meet this condition.
fn notes(condition: &str) -> String {
    format!(
        "SELECT {columns}, f.revision
        FROM families f
        LEFT JOIN notes n ON n.family_id = $1 {condition}
        LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
        LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
        WHERE f.id = $1 AND {is_member}
        ORDER BY n.pinned DESC, n.updated_at DESC, n.id",
        columns = note_columns(),
        is_member = is_member!("$2" of "$1"),
    )
}

pub(super) async fn list(database: &Database, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str());
    document(database, member, query, read).await
}

pub(super) async fn find(
    database: &Database,
    member: &Member,
    note: &NoteId,
) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(note.as_str());
    document(database, member, query, read).await
}

fn read(rows: &[Row]) -> Result<Vec<Note>, StorageError> {
    records(rows, note)
}

/// Returns the columns of a note, from `notes n` joined with `users author` and `note_categories category`.
fn note_columns() -> String {
    [columns::<Note>("n"), columns::<Person>("author"), columns::<NoteCategory>("category")].join(", ")
}

fn note(values: &mut Values<'_, impl StoredRow>) -> Result<Note, StorageError> {
    let note = Note::read(values)?;
    Ok(Note { author: values.joined()?, category: values.joined()?, ..note })
}
