//! Notes.

use crate::resource::{Document, Note};
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::rows::{Values, revision};
use crate::storage::postgres::shapes::{note, note_columns};
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    "SELECT ",
    note_columns!(),
    ", (SELECT revision FROM families WHERE id = $1)
    FROM notes n
    LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
    LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
    WHERE n.family_id = $1
    ORDER BY n.pinned DESC, n.updated_at DESC, n.id"
);

pub(super) async fn list(connections: &Connections, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(LIST).bind(member.family.as_str());
    let rows = query.fetch_all(&mut *connections.lease().await?).await.map_err(fault)?;
    let notes: Result<Vec<_>, _> = rows.iter().map(|row| note(&mut Values::of(row))).collect();
    Ok(Document::of(&notes?)?.at(revision(&rows)?))
}
