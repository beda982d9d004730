//! Reads of notes.

use std::sync::LazyLock;

use crate::resource::{Document, Note, NoteCategory, Person};
use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::row::{records, revision};
use crate::storage::sql::{SqlRow, StoredResource, Values, columns};
use crate::storage::{Member, StorageError};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, f.revision
        FROM families f
        LEFT JOIN notes n ON n.family_id = $1
        LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
        LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
        WHERE f.id = $1
        ORDER BY n.pinned DESC, n.updated_at DESC, n.id",
        note_columns()
    )
});

pub(super) async fn list(connections: &Connections, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str());
    let rows =
        query.fetch_all(&mut *connections.lease_for(Shards::OfFamily(&member.family)).await?).await.map_err(fault)?;
    Ok(Document::of(&records(&rows, note)?)?.with_revision(revision(&rows)?))
}

/// Returns the columns of a note, from `notes n` joined with `users author` and `note_categories category`.
fn note_columns() -> String {
    [columns::<Note>("n"), columns::<Person>("author"), columns::<NoteCategory>("category")].join(", ")
}

fn note(values: &mut Values<'_, impl SqlRow>) -> Result<Note, StorageError> {
    let note = Note::read(values)?;
    Ok(Note { author: values.joined()?, category: values.joined()?, ..note })
}
