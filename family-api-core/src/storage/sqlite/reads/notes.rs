//! Reads of notes.

use sqlx::SqlitePool;

use crate::resource::{Document, Note};
use crate::storage::sqlite::reads::document;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    people!(),
    "SELECT concat(",
    array!("note", of concat!(
        "(SELECT ",
        note!("author.person"),
        " AS note
        FROM notes n
        LEFT JOIN people author ON author.id = n.author_id
        LEFT JOIN note_categories category ON category.family_id = ?1 AND category.id = n.category_id
        WHERE n.family_id = ?1
        ORDER BY n.pinned DESC, n.updated_at DESC, n.id)"
    )),
    "), ",
    revision!(),
);

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
    let query = sqlx::query(LIST).bind(member.family.as_str());
    document(readers, query).await
}
