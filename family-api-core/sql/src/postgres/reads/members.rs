//! Reads of the members of a family.

use std::sync::LazyLock;

use family_api_core::resource::{Document, Person};
use family_api_core::storage::value::StoredFields;
use family_api_core::storage::{Member, StorageError};

use crate::columns::columns;
use crate::postgres::database::Database;
use crate::postgres::reads::document;
use crate::postgres::row::records;
use crate::visible::is_member;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {person}, f.revision
        FROM families f
        LEFT JOIN users u ON u.family_id = $1
        WHERE f.id = $1 AND {is_member}
        ORDER BY u.id",
        person = columns::<Person>("u"),
        is_member = is_member!("$2" of "$1"),
    )
});

pub(super) async fn list(database: &Database, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str());
    document(database, member, query, |rows| records(rows, Person::read)).await
}
