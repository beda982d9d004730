//! Reads of the members of a family.

use std::sync::LazyLock;

use family_api_core::resource::{Document, Person};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::{REVISION, array, people};
use crate::sqlite::reads::document;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    let members = array("person", "(SELECT person FROM people ORDER BY id)");
    format!("{}SELECT concat({members}), {REVISION}", people())
});

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str());
    document(readers, query).await
}
