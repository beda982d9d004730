//! Changes of keys and grants: revocation, last use and deletion.

use family_api_core::Timestamp;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{Selection, StorageError};
use sqlx::PgConnection;

use crate::administration;
use crate::connection::SqlConnection;
use crate::postgres::error::fault;
use crate::postgres::timestamp::PgTimestamp;

/// Queries every shard of the keys.
const FIND_DIGEST: &str = "SELECT digest FROM integration_keys WHERE user_id = $1 AND id = $2";

/// Queries every shard of the keys. Sorts, so that two revocations lock the keys in the same order.
const FIND_ACTIVE_DIGESTS: &str = "
    SELECT digest FROM integration_keys
    WHERE user_id = $1 AND coalesce(revoked_at, expires_at, 'infinity') > $2 AND revoked_at IS NULL
    ORDER BY digest";

const REVOKE_KEY: &str = "UPDATE integration_keys SET revoked_at = $2 WHERE digest = $1 AND revoked_at IS NULL";

/// Updates one key. The engine locks the rows of several shards in any order, so two updates of the same keys could
/// deadlock.
const RECORD_USE: &str = "
    UPDATE integration_keys SET last_used_at = $2 WHERE digest = $1 AND (last_used_at IS NULL OR last_used_at < $2)";

const FIND_ENDED_GRANTS: &str = "
    SELECT id FROM grants
    WHERE coalesce(revoked_at, expires_at) <= $1 AND (misuse IS NULL OR coalesce(revoked_at, expires_at) <= $2)
    ORDER BY coalesce(revoked_at, expires_at)
    LIMIT $3";

/// The ids are an argument, so that every copy of the table deletes the same rows.
const DELETE_GRANTS: &str = "DELETE FROM grants WHERE id = ANY($1)";

/// Revokes a key. Returns whether the user has an active key with this id.
pub(crate) async fn revoke_key(
    connection: &mut PgConnection,
    user: &UserId,
    key: &KeyId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(row) = connection.find_row(FIND_DIGEST, vec![Datum::of(user), Datum::of(key)]).await? else {
        return Ok(false);
    };
    let digest: KeyDigest = Values::of(&row).take()?;
    connection.change_rows(REVOKE_KEY, vec![Datum::of(&digest), Datum::of(&now)]).await
}

/// Returns the digests of the active keys of a user.
pub(crate) async fn find_active_keys(
    connection: &mut PgConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<Vec<KeyDigest>, StorageError> {
    let rows = connection.find_rows(FIND_ACTIVE_DIGESTS, vec![Datum::of(user), Datum::of(&now)]).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

/// Revokes these keys and the live grants of their owner. The grants come first: after a change of many shards of the
/// keys, the engine would refuse to change a table that is on every server.
pub(crate) async fn revoke_credentials(
    connection: &mut PgConnection,
    user: &UserId,
    keys: &[KeyDigest],
    now: Timestamp,
) -> Result<RevokedAccess, StorageError> {
    let connections = administration::revoke_grants(connection, Selection::User(user), now).await?;
    let mut revoked = RevokedAccess { keys: 0, connections };
    for key in keys {
        let arguments = vec![Datum::of(key), Datum::of(&now)];
        revoked.keys += u64::from(connection.change_rows(REVOKE_KEY, arguments).await?);
    }
    Ok(revoked)
}

/// Records the last use of keys, each in a transaction of its own.
pub(crate) async fn record_uses(
    connection: &mut PgConnection,
    keys: &[KeyDigest],
    at: Timestamp,
) -> Result<(), StorageError> {
    for key in keys {
        connection.change_rows(RECORD_USE, vec![Datum::of(key), Datum::of(&at)]).await?;
    }
    Ok(())
}

/// Deletes at most `limit` grants that ended at `until` or earlier.
pub(crate) async fn delete_ended_grants(
    connection: &mut PgConnection,
    until: Timestamp,
    misused_until: Timestamp,
    limit: u32,
) -> Result<u64, StorageError> {
    let ended = sqlx::query_scalar(FIND_ENDED_GRANTS).bind(PgTimestamp(until)).bind(PgTimestamp(misused_until));
    let ids: Vec<String> = ended.bind(i64::from(limit)).fetch_all(&mut *connection).await.map_err(fault)?;
    if ids.is_empty() {
        return Ok(0);
    }
    let done = sqlx::query(DELETE_GRANTS).bind(&ids).execute(connection).await.map_err(fault)?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::*;
    use crate::postgres::query_plans::assert_index_lookups_if_distributed;

    postgres_tests! {
        async fn distributed_revocations_use_an_index() {
            assert_index_lookups_if_distributed(&[
                FIND_DIGEST,
                FIND_ACTIVE_DIGESTS,
                REVOKE_KEY,
                RECORD_USE,
                DELETE_GRANTS,
            ])
            .await;
        }
    }
}
