//! Grants: revocation and deletion.

use family_api_core::Timestamp;
use family_api_core::connection::Misuse;
use family_api_core::id::GrantId;
use family_api_core::storage::{GrantRevocation, Selection, SignedIn, StorageError};
use sqlx::PgConnection;

use crate::grants;
use crate::postgres::PostgresStorage;
use crate::postgres::credentials::lock_session;
use crate::postgres::database::{Database, in_transaction};
use crate::postgres::distributed::locks::{families_of_grants, lock_family, lock_family_of_grant, lock_member};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::timestamp::PgTimestamp;

const FIND_ENDED_GRANTS: &str = "
    SELECT id FROM grants
    WHERE coalesce(revoked_at, expires_at) <= $1 AND (misuse IS NULL OR coalesce(revoked_at, expires_at) <= $2)
    ORDER BY coalesce(revoked_at, expires_at)
    LIMIT $3";

/// The ids are an argument, so that every copy of the table deletes the same rows.
const DELETE_GRANTS: &str = "DELETE FROM grants WHERE id = ANY($1)";

/// Revokes a grant of a signed-in user.
pub(crate) async fn revoke_grant(
    database: &Database,
    user: &SignedIn,
    grant: &GrantId,
    now: Timestamp,
) -> Result<GrantRevocation, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    lock_member(&mut transaction, &user.user).await?;
    if !lock_session(&mut transaction, user, now).await? {
        return Ok(GrantRevocation::NotSignedIn);
    }
    let is_revoked = grants::revoke_grant(&mut *transaction, &user.user, grant, now).await?;
    transaction.commit().await.map_err(fault)?;
    if !is_revoked {
        return Ok(GrantRevocation::NotFound);
    }
    // Waits until the commit has ended on every server, or fails if it has not.
    grants::revoke_grant(&mut *connection, &user.user, grant, now).await?;
    Ok(GrantRevocation::Revoked)
}

/// Waits for the writes that began before the revocation of these grants: locks each family of their users in a
/// transaction of its own.
pub(crate) async fn wait_for_writes(
    storage: &PostgresStorage,
    grants: Selection<'_, GrantId>,
) -> Result<(), StorageError> {
    let families = in_transaction!(storage, |transaction| families_of_grants(&mut transaction, grants).await?)?;
    for family in families {
        in_transaction!(storage, |transaction| lock_family(&mut transaction, &family).await?)?;
    }
    Ok(())
}

/// Ends a grant. Returns whether it was live.
pub(crate) async fn end_grant(
    database: &Database,
    grant: &GrantId,
    now: Timestamp,
    misuse: Option<Misuse>,
) -> Result<bool, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    lock_family_of_grant(&mut transaction, grant).await?;
    let is_ended = grants::end_grant(&mut *transaction, grant, now, misuse).await?;
    transaction.commit().await.map_err(fault)?;
    if is_ended {
        // Waits until the commit has ended on every server, or fails if it has not.
        grants::end_grant(&mut *connection, grant, now, misuse).await?;
    }
    Ok(is_ended)
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
        async fn distributed_grants_are_looked_up_by_index() {
            assert_index_lookups_if_distributed(&[DELETE_GRANTS]).await;
        }
    }
}
