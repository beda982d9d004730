//! Deletion of ended (revoked or expired) keys and of expired sessions, in two short statements: one finds the rows,
//! one deletes them.

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryScalar;

use crate::storage::StorageError;
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;

/// The statements that delete rows of a table by their digests.
pub(super) struct Deletion {
    /// Skips rows that another node is deleting. So two deletions never wait for each other and cannot deadlock.
    pub(super) skipping_locked: &'static str,
    /// Deletes one row, for distributed tables. The engine locks the rows of several shards in any order, so two
    /// deletions of the same rows could deadlock. It also rejects `FOR UPDATE` on several shards.
    pub(super) by_digest: &'static str,
}

/// Creates the [`Deletion`] of a table.
macro_rules! deletion {
    ($table:literal) => {
        Deletion {
            skipping_locked: concat!(
                "DELETE FROM ",
                $table,
                " WHERE digest = ANY(ARRAY(SELECT digest FROM ",
                $table,
                " WHERE digest = ANY($1) ORDER BY digest FOR UPDATE SKIP LOCKED))"
            ),
            by_digest: concat!("DELETE FROM ", $table, " WHERE digest = $1"),
        }
    };
}

pub(super) use deletion;

/// Finds digests, and deletes their rows.
///
/// An ended key or expired session never becomes active again, so the digests are still valid when their rows are
/// deleted.
pub(super) async fn purge(
    connections: &Connections,
    find: QueryScalar<'_, Postgres, Vec<u8>, PgArguments>,
    deletion: &Deletion,
) -> Result<u64, StorageError> {
    let mut connection = connections.lease().await?;
    let mut digests: Vec<Vec<u8>> = find.fetch_all(&mut *connection).await.map_err(fault)?;
    if digests.is_empty() {
        return Ok(0);
    }
    digests.sort_unstable();
    if connections.is_distributed() {
        let mut deleted = 0;
        for digest in digests {
            let deletion = sqlx::query(deletion.by_digest).bind(digest).execute(&mut *connection);
            deleted += deletion.await.map_err(fault)?.rows_affected();
        }
        return Ok(deleted);
    }
    let deletion = sqlx::query(deletion.skipping_locked).bind(&digests).execute(&mut *connection);
    Ok(deletion.await.map_err(fault)?.rows_affected())
}
