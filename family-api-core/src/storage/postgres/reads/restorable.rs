//! The list of deleted records that a member can restore.

use std::sync::LazyLock;

use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::Connections;
use crate::storage::sql::{self, DeletedJson};
use crate::storage::{Member, RestorableEntry, RestorableQuery, StorageError};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    sql::list_restorable_sql(&DeletedJson {
        value: "d.record::json",
        is_private: "d.record::json ->> 'isPrivate' = 'true'",
    })
});

pub(super) async fn list(
    connections: &Connections,
    member: &Member,
    query: &RestorableQuery,
) -> Result<Vec<RestorableEntry>, StorageError> {
    let mut connection = connections.lease_for(Shards::OfFamily(&member.family)).await?;
    sql::list_restorable(&mut *connection, &LIST, member, query).await
}
