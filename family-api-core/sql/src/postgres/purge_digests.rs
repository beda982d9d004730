//! Deletion of ended (revoked or expired) keys and of expired sessions, in two short statements: one finds the rows,
//! one deletes them.

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryScalar;

use crate::postgres::database::Database;
use crate::postgres::distributed;
use crate::postgres::error::fault;
use crate::postgres::timestamp::PgTimestamp;

/// The statements that delete rows of a table by their digests, if they have ended by `$2`.
pub(super) struct Deletion {
    /// Skips rows that another node is deleting. So two deletions never wait for each other and cannot deadlock.
    pub(super) skipping_locked: &'static str,
    /// Deletes one row, for distributed tables. The engine locks the rows of several shards in any order, so two
    /// deletions of the same rows could deadlock. It also rejects `FOR UPDATE` on several shards.
    pub(super) by_digest: &'static str,
}

/// Creates the [`Deletion`] of a table. `$end` is the SQL of the time at which a row ends.
macro_rules! deletion {
    ($table:literal, $end:literal) => {
        Deletion {
            skipping_locked: concat!(
                "DELETE FROM ",
                $table,
                " WHERE digest = ANY(ARRAY(SELECT digest FROM ",
                $table,
                " WHERE digest = ANY($1) AND ",
                $end,
                " <= $2 ORDER BY digest FOR UPDATE SKIP LOCKED))"
            ),
            by_digest: concat!("DELETE FROM ", $table, " WHERE digest = $1 AND ", $end, " <= $2"),
        }
    };
}

pub(super) use deletion;

/// Finds digests, and deletes their rows.
///
/// An update of records can renew a key in the meantime, so the rows that have not ended by `until` are skipped.
pub(super) async fn purge(
    database: &Database,
    find: QueryScalar<'_, Postgres, Vec<u8>, PgArguments>,
    deletion: &Deletion,
    until: Timestamp,
) -> Result<u64, StorageError> {
    let mut connection = database.lease().await?;
    let mut digests: Vec<Vec<u8>> = find.fetch_all(&mut *connection).await.map_err(fault)?;
    if digests.is_empty() {
        return Ok(0);
    }
    digests.sort_unstable();
    if database.is_distributed() {
        return distributed::delete_each(&mut connection, deletion.by_digest, digests, until).await;
    }
    let deletion =
        sqlx::query(deletion.skipping_locked).bind(&digests).bind(PgTimestamp(until)).execute(&mut *connection);
    Ok(deletion.await.map_err(fault)?.rows_affected())
}
