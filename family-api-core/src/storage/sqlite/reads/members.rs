//! Reads of the members of a family.

use sqlx::SqlitePool;

use crate::resource::{Document, Person};
use crate::storage::sqlite::reads::document;
use crate::storage::{Member, StorageError};

pub(super) const LIST: &str = concat!(
    people!(),
    "SELECT concat(",
    array!("person", of "(SELECT person FROM people ORDER BY id)"),
    "), ",
    revision!(),
);

pub(super) async fn list(readers: &SqlitePool, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST).bind(member.family.as_str());
    document(readers, query).await
}
