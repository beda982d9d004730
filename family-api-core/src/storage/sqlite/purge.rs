//! Deletes rows that ended, without keeping the writer longer than the deletion takes.

use sqlx::Sqlite;
use sqlx::query::QueryScalar;
use sqlx::sqlite::SqliteArguments;

use crate::key::KeyDigest;
use crate::storage::StorageError;
use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::keys::array_of;

/// Finds digests on a reader, and deletes their rows in one write if there are any.
///
/// No row that ended becomes active again, so what the reader found still holds when the writer deletes it. A write that
/// changes nothing would still take the lock.
pub(super) async fn purge(
    connections: &Connections,
    find: QueryScalar<'_, Sqlite, Vec<u8>, SqliteArguments>,
    delete: &'static str,
) -> Result<u64, StorageError> {
    let found = find.fetch_all(connections.readers()).await.map_err(fault)?;
    let digests = found.into_iter().map(|digest| digest.try_into().map(KeyDigest::from_bytes));
    let digests: Vec<KeyDigest> = digests.collect::<Result<_, _>>().map_err(|_| StorageError::corrupt("a digest"))?;
    if digests.is_empty() {
        return Ok(0);
    }
    let mut transaction = connections.begin().await?;
    let deletion = sqlx::query(delete).bind(array_of(&digests)?);
    let done = deletion.execute(&mut *transaction).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(done.rows_affected())
}
