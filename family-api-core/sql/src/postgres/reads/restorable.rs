//! The list of deleted records that a member can restore.

use std::sync::LazyLock;

use family_api_core::storage::{Member, RestorableEntry, RestorableQuery, StorageError};

use crate::postgres::database::Database;
use crate::postgres::leases::Shards;
use crate::restorable::{self, DeletedJson};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    restorable::list_restorable_sql(&DeletedJson {
        value: "d.record::json",
        is_private: "d.record::json ->> 'isPrivate' = 'true'",
    })
});

pub(super) async fn list(
    database: &Database,
    member: &Member,
    query: &RestorableQuery,
) -> Result<Vec<RestorableEntry>, StorageError> {
    let mut connection = database.lease_for(Shards::OfFamily(&member.family)).await?;
    restorable::list_restorable(&mut *connection, &LIST, member, query).await
}
