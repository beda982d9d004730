//! The list of deleted records that a member can restore.

use std::sync::LazyLock;

use family_api_core::storage::{Member, RestorableEntry, RestorableQuery, StorageError};
use sqlx::SqlitePool;

use crate::restorable::{self, DeletedJson};
use crate::sqlite::error::fault;

pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    restorable::list_restorable_sql(&DeletedJson { value: "d.record", is_private: "d.record ->> 'isPrivate'" })
});

pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    query: &RestorableQuery,
) -> Result<Vec<RestorableEntry>, StorageError> {
    restorable::list_restorable(&mut *readers.acquire().await.map_err(fault)?, &LIST, member, query).await
}
