//! The list of deleted records that a member can restore.

use std::sync::LazyLock;

use sqlx::SqlitePool;

use crate::storage::sql::{self, DeletedJson};
use crate::storage::sqlite::error::fault;
use crate::storage::{Member, RestorableEntry, RestorableQuery, StorageError};

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    sql::list_restorable_sql(&DeletedJson { value: "d.record", is_private: "d.record ->> 'isPrivate'" })
});

pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    query: &RestorableQuery,
) -> Result<Vec<RestorableEntry>, StorageError> {
    sql::list_restorable(&mut *readers.acquire().await.map_err(fault)?, &LIST, member, query).await
}
