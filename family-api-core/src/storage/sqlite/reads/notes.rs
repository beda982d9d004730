//! Notes.

use sqlx::SqlitePool;

use crate::resource::{Document, Note};
use crate::storage::sqlite::reads::document;
use crate::storage::sqlite::shapes::note;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    "SELECT json_group_array(",
    note!(),
    " ORDER BY n.pinned DESC, n.updated_at DESC, n.id), (SELECT revision FROM families WHERE id = ?1)
    FROM notes n
    LEFT JOIN users author ON author.id = n.author_id AND author.family_id = ?1
    LEFT JOIN note_categories category ON category.family_id = ?1 AND category.id = n.category_id
    WHERE n.family_id = ?1"
);

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query_as(LIST).bind(member.family.as_str());
    document(readers, query).await
}
