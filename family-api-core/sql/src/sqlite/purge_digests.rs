//! Deletion of ended (revoked or expired) keys and of expired sessions. Only the `DELETE` uses the writer.

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::StorageError;
use sqlx::Sqlite;
use sqlx::query::QueryScalar;
use sqlx::sqlite::SqliteArguments;

use crate::sqlite::database::Database;
use crate::sqlite::error::fault;
use crate::sqlite::row::digest_array;

/// Finds digests with a read-only connection, and deletes their rows in one transaction.
///
/// An update of records can renew a key in the meantime, so `delete` takes the digests and `until`, and skips the rows
/// that have not ended by then. If no digest is found, no transaction begins, so the write lock is not taken.
pub(super) async fn purge(
    database: &Database,
    find: QueryScalar<'_, Sqlite, Vec<u8>, SqliteArguments>,
    delete: &'static str,
    until: Timestamp,
) -> Result<u64, StorageError> {
    let found = find.fetch_all(database.readers()).await.map_err(fault)?;
    let digests = found.into_iter().map(|digest| digest.try_into().map(KeyDigest::from_bytes));
    let digests: Vec<KeyDigest> = digests.collect::<Result<_, _>>().map_err(|_| StorageError::corrupt("a digest"))?;
    if digests.is_empty() {
        return Ok(0);
    }
    let mut transaction = database.begin().await?;
    let deletion = sqlx::query(delete).bind(digest_array(&digests)?).bind(until.to_string());
    let done = deletion.execute(&mut *transaction).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(done.rows_affected())
}
