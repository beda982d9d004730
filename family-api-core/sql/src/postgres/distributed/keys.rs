//! Keys: revocation, last use and deletion.

use family_api_core::Timestamp;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{KeyRevocation, Selection, SignedIn, StorageError};
use sqlx::PgConnection;

use crate::administration;
use crate::postgres::credentials::lock_session;
use crate::postgres::database::Database;
use crate::postgres::distributed::locks::{lock_member, lock_user};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::timestamp::PgTimestamp;
use crate::revoked_access::disable_personal_api;
use crate::sql_connection::SqlConnection;

/// Queries every shard of the keys.
const FIND_DIGEST: &str = "SELECT digest FROM integration_keys WHERE user_id = $1 AND id = $2";

/// Queries every shard of the keys. Sorts, so that two revocations lock the keys in the same order.
const FIND_ACTIVE_DIGESTS: &str = "
    SELECT digest FROM integration_keys
    WHERE user_id = $1 AND coalesce(revoked_at, expires_at, 'infinity') > $2 AND revoked_at IS NULL
    ORDER BY digest";

const REVOKE_BY_DIGEST: &str = "UPDATE integration_keys SET revoked_at = $2 WHERE digest = $1 AND revoked_at IS NULL";

/// Updates one key. The engine locks the rows of several shards in any order, so two updates of the same keys could
/// deadlock.
const RECORD_USE: &str = "
    UPDATE integration_keys SET last_used_at = $2 WHERE digest = $1 AND (last_used_at IS NULL OR last_used_at < $2)";

/// Revokes a key of a signed-in user.
pub(crate) async fn revoke_key(
    database: &Database,
    user: &SignedIn,
    key: &KeyId,
    now: Timestamp,
) -> Result<KeyRevocation, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    let owner = &user.user;
    if !lock_session(&mut transaction, user, now).await? {
        return Ok(KeyRevocation::NotSignedIn);
    }
    lock_user(&mut transaction, owner).await?;
    let is_revoked = revoke_key_of(&mut transaction, owner, key, now).await?;
    transaction.commit().await.map_err(fault)?;
    if !is_revoked {
        return Ok(KeyRevocation::NotFound);
    }
    // Waits until the commit has ended on the server of the key, or fails if it has not.
    revoke_key_of(&mut connection, owner, key, now).await?;
    Ok(KeyRevocation::Revoked)
}

/// Switches the personal API of a signed-in user off, and ends all keys, grants and feeds of the user.
pub(crate) async fn revoke_access(
    database: &Database,
    user: &SignedIn,
    now: Timestamp,
) -> Result<Option<RevokedAccess>, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    let owner = &user.user;
    lock_member(&mut transaction, owner).await?;
    if !lock_session(&mut transaction, user, now).await? || !disable_personal_api(&mut *transaction, owner, now).await?
    {
        return Ok(None);
    }
    let keys = find_active_keys(&mut transaction, owner, now).await?;
    let revoked = revoke_credentials(&mut transaction, owner, &keys, now).await?;
    transaction.commit().await.map_err(fault)?;
    // Waits until the commit has ended on every server, or fails if it has not.
    revoke_credentials(&mut connection, owner, &keys, now).await?;
    Ok(Some(revoked))
}

/// Revokes a key. Returns whether the user has an active key with this id.
async fn revoke_key_of(
    connection: &mut PgConnection,
    user: &UserId,
    key: &KeyId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(row) = connection.find_row(FIND_DIGEST, vec![Datum::of(user), Datum::of(key)]).await? else {
        return Ok(false);
    };
    let digest: KeyDigest = Values::of(&row).take()?;
    Ok(connection.execute(REVOKE_BY_DIGEST, vec![Datum::of(&digest), Datum::of(&now)]).await? > 0)
}

/// Returns the digests of the active keys of a user.
async fn find_active_keys(
    connection: &mut PgConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<Vec<KeyDigest>, StorageError> {
    let rows = connection.find_rows(FIND_ACTIVE_DIGESTS, vec![Datum::of(user), Datum::of(&now)]).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

/// Revokes these keys, and ends the live grants and current feeds of their owner. The keys come last: after a change of
/// many shards of the keys, the engine would refuse to change a table that is on every server.
async fn revoke_credentials(
    connection: &mut PgConnection,
    user: &UserId,
    keys: &[KeyDigest],
    now: Timestamp,
) -> Result<RevokedAccess, StorageError> {
    let connections = administration::revoke_grants(connection, Selection::User(user), now).await?;
    let feeds = administration::delete_feeds(connection, Selection::User(user), now).await?;
    let mut revoked = RevokedAccess { keys: 0, connections, feeds };
    for key in keys {
        let arguments = vec![Datum::of(key), Datum::of(&now)];
        revoked.keys += u64::from(connection.execute(REVOKE_BY_DIGEST, arguments).await? > 0);
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
        connection.execute(RECORD_USE, vec![Datum::of(key), Datum::of(&at)]).await?;
    }
    Ok(())
}

/// Deletes rows by their digests, each with a statement of its own. Returns their number.
pub(crate) async fn delete_each(
    connection: &mut PgConnection,
    by_digest: &'static str,
    digests: Vec<Vec<u8>>,
    until: Timestamp,
) -> Result<u64, StorageError> {
    let mut deleted = 0;
    for digest in digests {
        let deletion = sqlx::query(by_digest).bind(digest).bind(PgTimestamp(until)).execute(&mut *connection);
        deleted += deletion.await.map_err(fault)?.rows_affected();
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::*;
    use crate::postgres::query_plans::assert_index_lookups_if_distributed;

    postgres_tests! {
        async fn distributed_keys_are_looked_up_by_index() {
            assert_index_lookups_if_distributed(&[
                FIND_DIGEST,
                FIND_ACTIVE_DIGESTS,
                REVOKE_BY_DIGEST,
                RECORD_USE,
            ])
            .await;
        }
    }
}
