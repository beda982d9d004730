//! Reads of the members of a family.

use std::sync::LazyLock;

use crate::resource::{Document, Person};
use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::row::{records, revision};
use crate::storage::sql::columns;
use crate::storage::value::StoredFields;
use crate::storage::{Member, StorageError};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, f.revision
        FROM families f
        LEFT JOIN users u ON u.family_id = $1
        WHERE f.id = $1
        ORDER BY u.id",
        columns::<Person>("u")
    )
});

pub(super) async fn list(connections: &Connections, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str());
    let rows =
        query.fetch_all(&mut *connections.lease_for(Shards::OfFamily(&member.family)).await?).await.map_err(fault)?;
    Ok(Document::of(&records(&rows, Person::read)?)?.with_revision(revision(&rows)?))
}
