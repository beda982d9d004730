//! Reads of the members of a family.

use std::sync::LazyLock;

use family_api_core::resource::{Document, Person};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::document_sql;
use crate::sqlite::reads::document;

pub(super) static LIST: LazyLock<String> =
    LazyLock::new(|| document_sql("person", "(SELECT person FROM people ORDER BY id)"));

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str());
    document(readers, query).await
}
