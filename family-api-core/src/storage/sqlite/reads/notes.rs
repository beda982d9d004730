//! Notes.

use sqlx::SqlitePool;

use crate::resource::{Document, Note};
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::shapes::note;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    "SELECT json_group_array(",
    note!(),
    " ORDER BY n.pinned DESC, n.updated_at DESC, n.id)
    FROM notes n
    LEFT JOIN users author ON author.id = n.author_id AND author.family_id = ?1
    LEFT JOIN note_categories category ON category.family_id = ?1 AND category.id = n.category_id
    WHERE n.family_id = ?1"
);

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query_scalar(LIST).bind(member.family.as_str());
    let json: String = query.fetch_one(readers).await.map_err(fault)?;
    Ok(Document::from_json(json))
}
