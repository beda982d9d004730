//! Deletion of ended keys and expired sessions, which uses the writer only for the deletion itself.

use sqlx::Sqlite;
use sqlx::query::QueryScalar;
use sqlx::sqlite::SqliteArguments;

use crate::key::KeyDigest;
use crate::storage::StorageError;
use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::keys::digest_array;

/// Finds digests on a reader, and deletes their rows in one write.
///
/// An ended row never becomes active again, so the result of the reader is still valid when the writer deletes. If
/// nothing is found, no write begins, because it would take the lock for nothing.
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
    let deletion = sqlx::query(delete).bind(digest_array(&digests)?);
    let done = deletion.execute(&mut *transaction).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(done.rows_affected())
}
