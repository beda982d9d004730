//! The steps of requests if the tables are distributed over several servers.
//!
//! - A statement reads and writes one shard. It compares the column by which a table is distributed with an argument.
//! - No statement locks rows of `users` or `grants`. These tables are on every server, and the engine would lock the
//!   whole table on all servers. The row of the family protects its members and their grants instead: a write of
//!   records locks it, and so does a change of a member or the revocation of a grant. [`lock_user`] protects the
//!   creation of keys and grants.
//! - The operator can revoke the grants of all users. This transaction locks no family. After its commit, each of their
//!   families is locked in a transaction of its own, which waits for the writes that began before the revocation.
//! - A commit becomes visible on one server after the other. So what a lock protects is read on the server of the lock.
//! - If a server is lost between the two phases of a commit, the engine reports success, and completes the commit there
//!   later. So a revocation runs its statement again after the commit: the statement finds nothing to revoke, waits for
//!   an incomplete commit, or fails.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::id::{FamilyId, GrantId, KeyId, UserId};
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{
    Account, Author, Credential, FoundAccessToken, FoundCredential, FoundKey, Member, PasswordHash, Selection,
    StorageError,
};
use sqlx::PgConnection;

use crate::account::{self, ACCOUNT_COLUMNS, key_columns, key_state};
use crate::administration;
use crate::connection::SqlConnection;
use crate::grants::{ACCESS_TOKEN_COLUMNS, access_token};
use crate::postgres::bulkheads::Shards;
use crate::postgres::connections::Connections;
use crate::postgres::error::fault;
use crate::postgres::membership::{find_membership, member_account};
use crate::postgres::timestamp::PgTimestamp;

/// Does not join the family, which can be on another server.
static FIND_KEY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT k.revoked_at, {}, u.family_id, {ACCOUNT_COLUMNS}
        FROM integration_keys k
        LEFT JOIN users u ON u.id = k.user_id
        WHERE k.digest = $1",
        key_columns()
    )
});

static FIND_ACCESS_TOKEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {ACCESS_TOKEN_COLUMNS}, u.family_id, {ACCOUNT_COLUMNS}
        FROM grants g
        LEFT JOIN users u ON u.id = g.user_id
        WHERE g.access_token = $1"
    )
});

/// Locks the key. A revocation of the key waits until the transaction ends.
static LOCK_KEY: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT k.user_id, k.revoked_at, {} FROM integration_keys k WHERE k.digest = $1 FOR SHARE", key_columns())
});

/// The subquery makes the engine execute the statement on the server of the family `$1`, whether or not the family
/// exists. A transaction that has locked the family sees the user as the last transaction with that lock has left them.
static FIND_ACCOUNT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT u.family_id, {ACCOUNT_COLUMNS}
        FROM (SELECT count(*) FROM families WHERE id = $1) AS f, users u
        WHERE u.id = $2"
    )
});

/// Finds a grant on the server of the family `$1`, as [`FIND_ACCOUNT`] finds a user.
static FIND_GRANT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {ACCESS_TOKEN_COLUMNS}, u.family_id, {ACCOUNT_COLUMNS}
        FROM (SELECT count(*) FROM families WHERE id = $1) AS f, grants g
        JOIN users u ON u.id = g.user_id
        WHERE g.access_token = $2"
    )
});

const FIND_FAMILY_OF_USER: &str = "SELECT family_id FROM users WHERE id = $1";

const FIND_FAMILY_OF_GRANT: &str = "
    SELECT u.family_id, u.id FROM grants g JOIN users u ON u.id = g.user_id WHERE g.id = $1";

/// Also finds the families of revoked grants. So a repeated revocation waits for the same writes.
const FIND_FAMILIES_WITH_GRANTS: &str = "
    SELECT DISTINCT u.family_id FROM grants g JOIN users u ON u.id = g.user_id";

const LOCK_FAMILY: &str = "SELECT id FROM families WHERE id = $1 FOR NO KEY UPDATE";

/// A concurrent insertion of the same user waits until the transaction ends, although [`UNLOCK_USER`] has deleted the
/// row.
const LOCK_USER: &str = "INSERT INTO _family_api_user_locks (user_id) VALUES ($1)";

/// Reads the user on the server of the lock.
const UNLOCK_USER: &str = "
    DELETE FROM _family_api_user_locks l WHERE l.user_id = $1
    RETURNING (SELECT u.personal_api_enabled FROM users u WHERE u.id = l.user_id)";

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

const FIND_USER: &str = "SELECT id FROM users WHERE email = $1";

const FIND_PASSWORD: &str = "SELECT phc FROM passwords WHERE user_id = $1";

const FIND_ENDED_GRANTS: &str = "
    SELECT id FROM grants
    WHERE coalesce(revoked_at, expires_at) <= $1 AND (misuse IS NULL OR coalesce(revoked_at, expires_at) <= $2)
    ORDER BY coalesce(revoked_at, expires_at)
    LIMIT $3";

/// The ids are an argument, so that every copy of the table deletes the same rows.
const DELETE_GRANTS: &str = "DELETE FROM grants WHERE id = ANY($1)";

/// Finds a key and its family with two statements, because the family can be on another server.
pub(super) async fn find_key(connections: &Connections, key: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
    let mut connection = connections.lease_for(Shards::OfToken(key)).await?;
    let Some(row) = connection.find_row(&FIND_KEY, vec![Datum::of(key)]).await? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    let (state, key) = (key_state(&mut values)?, account::key(&mut values)?);
    let membership = find_membership(connections, connection, values.take()?).await?;
    Ok(Some(FoundKey { key, state, account: account::account(&mut values, membership)? }))
}

/// Finds an access token and its family, as [`find_key`] does.
pub(super) async fn find_access_token(
    connections: &Connections,
    token: &KeyDigest,
) -> Result<Option<FoundAccessToken>, StorageError> {
    let mut connection = connections.lease().await?;
    let Some(row) = connection.find_row(&FIND_ACCESS_TOKEN, vec![Datum::of(token)]).await? else {
        return Ok(None);
    };
    let mut found = access_token(&mut Values::of(&row), member_account)?;
    if let Some(account) = &mut found.account {
        let family = account.membership.take().map(|membership| membership.family);
        account.membership = find_membership(connections, connection, family).await?;
    }
    Ok(Some(found))
}

/// Finds the credential of a change, in a transaction that has locked the family and the session. The credential does
/// not change before the end of the transaction.
pub(super) async fn find_credential(
    connection: &mut PgConnection,
    author: &Author,
) -> Result<FoundCredential, StorageError> {
    let Member { family, user } = &author.member;
    Ok(match &author.credential {
        Credential::Grant(digest) => FoundCredential::Grant(find_grant(connection, family, digest).await?),
        Credential::External => FoundCredential::External(find_account(connection, family, user).await?),
        Credential::Key(digest) => FoundCredential::Key(lock_key(connection, family, digest).await?),
        Credential::Session(_) => FoundCredential::Session(find_account(connection, family, user).await?),
    })
}

async fn find_account(
    connection: &mut PgConnection,
    family: &FamilyId,
    user: &UserId,
) -> Result<Option<Account>, StorageError> {
    let row = connection.find_row(&FIND_ACCOUNT, vec![Datum::of(family), Datum::of(user)]).await?;
    row.map_or(Ok(None), |row| member_account(&mut Values::of(&row)))
}

async fn find_grant(
    connection: &mut PgConnection,
    family: &FamilyId,
    token: &KeyDigest,
) -> Result<Option<FoundAccessToken>, StorageError> {
    let row = connection.find_row(&FIND_GRANT, vec![Datum::of(family), Datum::of(token)]).await?;
    row.map(|row| access_token(&mut Values::of(&row), member_account)).transpose()
}

async fn lock_key(
    connection: &mut PgConnection,
    family: &FamilyId,
    digest: &KeyDigest,
) -> Result<Option<FoundKey>, StorageError> {
    let Some(row) = connection.find_row(&LOCK_KEY, vec![Datum::of(digest)]).await? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    let user = values.take()?;
    let (state, key) = (key_state(&mut values)?, account::key(&mut values)?);
    Ok(Some(FoundKey { key, state, account: find_account(connection, family, &user).await? }))
}

/// Locks a user until the transaction ends. Returns whether their personal API is switched on, or `None` if the user
/// does not exist.
///
/// Creations of keys and grants of the user wait for each other here. A user can be without a family and without a
/// password, so there is no other row that every user has, and that is on one server only.
pub(super) async fn lock_user(connection: &mut PgConnection, user: &UserId) -> Result<Option<bool>, StorageError> {
    connection.change_rows(LOCK_USER, vec![Datum::of(user)]).await?;
    let row = connection.find_row(UNLOCK_USER, vec![Datum::of(user)]).await?;
    Ok(row.map(|row| Values::of(&row).take()).transpose()?.flatten())
}

/// Locks a user and their family, for a change of the user.
pub(super) async fn lock_member(connection: &mut PgConnection, user: &UserId) -> Result<(), StorageError> {
    let row = connection.find_row(FIND_FAMILY_OF_USER, vec![Datum::of(user)]).await?;
    if let Some(row) = row {
        lock_current_family(connection, user, Values::of(&row).take()?).await?;
    }
    lock_user(connection, user).await?;
    Ok(())
}

/// Locks the family of a grant's user, for the revocation of the grant.
pub(super) async fn lock_family_of_grant(connection: &mut PgConnection, grant: &GrantId) -> Result<(), StorageError> {
    let Some(row) = connection.find_row(FIND_FAMILY_OF_GRANT, vec![Datum::of(grant)]).await? else {
        return Ok(());
    };
    let mut values = Values::of(&row);
    let family = values.take()?;
    lock_current_family(connection, &values.take()?, family).await
}

/// Locks the family of a user.
///
/// The user can move while the statement waits for the lock. So the user is found again after it, on the server of the
/// lock.
async fn lock_current_family(
    connection: &mut PgConnection,
    user: &UserId,
    mut family: Option<FamilyId>,
) -> Result<(), StorageError> {
    while let Some(unlocked) = family {
        lock_family(connection, &unlocked).await?;
        let account = find_account(connection, &unlocked, user).await?;
        let current = account.and_then(|account| account.membership).map(|membership| membership.family);
        family = current.filter(|current| *current != unlocked);
    }
    Ok(())
}

/// Locks a family until the transaction ends.
pub(super) async fn lock_family(connection: &mut PgConnection, family: &FamilyId) -> Result<(), StorageError> {
    connection.find_row(LOCK_FAMILY, vec![Datum::of(family)]).await?;
    Ok(())
}

/// Returns the families whose members have these grants.
pub(super) async fn families_of_grants(
    connection: &mut PgConnection,
    grants: Selection<'_, GrantId>,
) -> Result<Vec<FamilyId>, StorageError> {
    let (sql, arguments) = match grants {
        Selection::All => (FIND_FAMILIES_WITH_GRANTS, Vec::new()),
        Selection::User(user) => (FIND_FAMILY_OF_USER, vec![Datum::of(user)]),
        Selection::One(grant) => (FIND_FAMILY_OF_GRANT, vec![Datum::of(grant)]),
    };
    let rows = connection.find_rows(sql, arguments).await?;
    let families = rows.iter().map(|row| Values::of(row).take::<Option<_>>());
    families.filter_map(Result::transpose).collect()
}

/// Revokes a key. Returns whether the user has an active key with this id.
pub(super) async fn revoke_key(
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
pub(super) async fn find_active_keys(
    connection: &mut PgConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<Vec<KeyDigest>, StorageError> {
    let rows = connection.find_rows(FIND_ACTIVE_DIGESTS, vec![Datum::of(user), Datum::of(&now)]).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

/// Revokes these keys and the live grants of their owner. The grants come first: after a change of many shards of the
/// keys, the engine would refuse to change a table that is on every server.
pub(super) async fn revoke_credentials(
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
pub(super) async fn record_uses(
    connection: &mut PgConnection,
    keys: &[KeyDigest],
    at: Timestamp,
) -> Result<(), StorageError> {
    for key in keys {
        connection.change_rows(RECORD_USE, vec![Datum::of(key), Datum::of(&at)]).await?;
    }
    Ok(())
}

/// Finds a user and the hash of their password with two statements, because the password can be on another server.
pub(super) async fn find_password(
    connections: &Connections,
    email: &str,
) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
    let mut connection = connections.lease().await?;
    let email = email.to_ascii_lowercase();
    let Some(row) = connection.find_row(FIND_USER, vec![Datum::Text(Some(&email))]).await? else {
        return Ok(None);
    };
    let user: UserId = Values::of(&row).take()?;
    let mut connection = connections.exchange(connection, Shards::OfPassword(&user)).await?;
    let row = connection.find_row(FIND_PASSWORD, vec![Datum::of(&user)]).await?;
    let hash = row.map(|row| Values::of(&row).take()).transpose()?.map(PasswordHash::new);
    Ok(Some((user, hash)))
}

/// Deletes at most `limit` grants that ended at `until` or earlier.
pub(super) async fn delete_ended_grants(
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
        async fn distributed_rows_are_looked_up_by_index() {
            assert_index_lookups_if_distributed(&[
                &FIND_KEY,
                &FIND_ACCESS_TOKEN,
                &LOCK_KEY,
                &FIND_ACCOUNT,
                &FIND_GRANT,
                FIND_FAMILY_OF_USER,
                FIND_FAMILY_OF_GRANT,
                LOCK_FAMILY,
                UNLOCK_USER,
                FIND_DIGEST,
                FIND_ACTIVE_DIGESTS,
                REVOKE_KEY,
                RECORD_USE,
                FIND_USER,
                FIND_PASSWORD,
                DELETE_GRANTS,
            ])
            .await;
        }
    }
}
