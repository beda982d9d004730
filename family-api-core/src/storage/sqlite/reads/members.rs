//! Reads of the members of a family.

use std::sync::LazyLock;

use sqlx::SqlitePool;

use crate::resource::{Document, Person};
use crate::storage::sqlite::json_sql::{REVISION, array, people};
use crate::storage::sqlite::reads::document;
use crate::storage::{Member, StorageError};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    let members = array("person", "(SELECT person FROM people ORDER BY id)");
    format!("{}SELECT concat({members}), {REVISION}", people())
});

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str());
    document(readers, query).await
}
