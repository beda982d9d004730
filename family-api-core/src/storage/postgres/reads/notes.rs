//! Reads of notes.

use std::sync::LazyLock;

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;

use crate::id::NoteId;
use crate::resource::{Document, Note, NoteCategory, Person};
use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::row::{records, revision};
use crate::storage::sql::columns;
use crate::storage::value::{StoredFields, StoredRow, Values};
use crate::storage::{Member, StorageError};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| notes(""));

/// `$2` is the note.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| notes("AND n.id = $2"));

/// Returns the statement for notes that also meet this condition.
fn notes(condition: &str) -> String {
    format!(
        "SELECT {columns}, f.revision
        FROM families f
        LEFT JOIN notes n ON n.family_id = $1 {condition}
        LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
        LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
        WHERE f.id = $1
        ORDER BY n.pinned DESC, n.updated_at DESC, n.id",
        columns = note_columns()
    )
}

pub(super) async fn list(connections: &Connections, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    document(connections, member, sqlx::query(LIST.as_str()).bind(member.family.as_str())).await
}

pub(super) async fn find(
    connections: &Connections,
    member: &Member,
    note: &NoteId,
) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(note.as_str());
    document(connections, member, query).await
}

async fn document(
    connections: &Connections,
    member: &Member,
    query: Query<'_, Postgres, PgArguments>,
) -> Result<Document<Vec<Note>>, StorageError> {
    let rows =
        query.fetch_all(&mut *connections.lease_for(Shards::OfFamily(&member.family)).await?).await.map_err(fault)?;
    Ok(Document::of(&records(&rows, note)?)?.with_revision(revision(&rows)?))
}

/// Returns the columns of a note, from `notes n` joined with `users author` and `note_categories category`.
fn note_columns() -> String {
    [columns::<Note>("n"), columns::<Person>("author"), columns::<NoteCategory>("category")].join(", ")
}

fn note(values: &mut Values<'_, impl StoredRow>) -> Result<Note, StorageError> {
    let note = Note::read(values)?;
    Ok(Note { author: values.joined()?, category: values.joined()?, ..note })
}
