//! Integration keys.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use sqlx::PgConnection;

use crate::Timestamp;
use crate::id::{KeyId, UserId};
use crate::key::{IntegrationKey, KeyDigest, Scope};
use crate::storage::key_lookups::FoundKeys;
use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::{Connections, call};
use crate::storage::postgres::credentials::{lock_account, lock_session};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::instant::Instant;
use crate::storage::postgres::rows::{self, Values, account_columns, key_columns};
use crate::storage::postgres::users::find_membership;
use crate::storage::{
    FoundKey, KeyCondition, KeyInsert, KeyRevocation, KeyState, Keys, NewKey, SignedIn, StorageError,
};

/// Those who would add a key to the same user wait here for each other.
const LOCK_OWNER: &str = "SELECT personal_api_enabled FROM users WHERE id = $1 FOR NO KEY UPDATE";

const COUNT_ACTIVE: &str = "
    SELECT count(*) FROM integration_keys
    WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";

const INSERT: &str = "
    INSERT INTO integration_keys
        (digest, id, user_id, name, hint, scopes, created_at, expires_at, last_used_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

const FIND: &str = concat!(
    "SELECT k.digest, k.revoked_at, ",
    key_columns!(),
    ", f.id, f.revision, ",
    account_columns!(),
    "
    FROM integration_keys k
    LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN families f ON f.id = u.family_id
    WHERE k.digest = ANY($1)"
);

/// Without the family, which may be on another machine.
const FIND_WITHOUT_FAMILY: &str = concat!(
    "SELECT k.digest, k.revoked_at, ",
    key_columns!(),
    ", u.family_id, ",
    account_columns!(),
    "
    FROM integration_keys k
    LEFT JOIN users u ON u.id = k.user_id
    WHERE k.digest = ANY($1)"
);

/// A revocation, and a change of the owner, wait until the transaction is over.
const LOCK: &str = concat!(
    "SELECT k.revoked_at, ",
    key_columns!(),
    ", u.family_id, ",
    account_columns!(),
    "
    FROM integration_keys k
    JOIN users u ON u.id = k.user_id
    WHERE k.digest = $1
    FOR SHARE"
);

const LIST: &str = concat!(
    "SELECT ",
    key_columns!(),
    "
    FROM integration_keys k
    WHERE k.user_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
    ORDER BY k.created_at DESC, k.id DESC"
);

const REVOKE: &str = "
    UPDATE integration_keys SET revoked_at = $3
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL";

const RECORD_USES: &str = "
    UPDATE integration_keys SET last_used_at = $2
    WHERE digest = ANY($1) AND (last_used_at IS NULL OR last_used_at < $2)";

#[async_trait]
impl Keys for PostgresStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        call(|| insert(&self.connections, new, limit)).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let find = |digests: HashSet<KeyDigest>| async move { self.look(&digests).await };
        if self.connections.is_distributed() {
            return call(|| find_spread(&self.connections, digest)).await;
        }
        call(|| self.lookups.find(digest, find)).await
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        call(async || {
            let query = sqlx::query(LIST).bind(user.as_str()).bind(Instant(now));
            let rows = query.fetch_all(&mut *self.connections.lease().await?).await.map_err(fault)?;
            rows.iter().map(|row| rows::key(&mut Values::of(row))).collect()
        })
        .await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        call(|| revoke(&self.connections, user, key, now)).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let keys = array_of(keys);
        call(async || {
            let query = sqlx::query(RECORD_USES).bind(&keys).bind(Instant(at));
            query.execute(&mut *self.connections.lease().await?).await.map_err(fault)?;
            Ok(())
        })
        .await
    }
}

impl PostgresStorage {
    async fn look(&self, digests: &HashSet<KeyDigest>) -> Result<FoundKeys, StorageError> {
        if let Some(key_connection) = &self.key_connection
            && let Some(found) = key_connection.look(digests).await
        {
            return Ok(found);
        }
        find(&mut *self.connections.lease().await?, digests).await
    }
}

async fn insert(connections: &Connections, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
    let mut connection = connections.lease().await?;
    let mut transaction = connection.begin().await?;
    if !lock_session(&mut transaction, &new.owner, new.key.created_at).await? {
        return Ok(KeyInsert::NotSignedIn);
    }
    let user = new.owner.user.as_str();
    let owner = sqlx::query_scalar(LOCK_OWNER).bind(user).fetch_optional(&mut *transaction).await;
    match (owner.map_err(fault)?, new.condition) {
        (None, _) => return Ok(KeyInsert::NotSignedIn),
        (Some(false), KeyCondition::PersonalApiEnabled) => return Ok(KeyInsert::PersonalApiDisabled),
        (Some(_), _) => {}
    }
    let active = sqlx::query_scalar(COUNT_ACTIVE).bind(user).bind(Instant(new.key.created_at));
    let active: i64 = active.fetch_one(&mut *transaction).await.map_err(fault)?;
    if active >= i64::from(limit) {
        return Ok(KeyInsert::LimitReached);
    }
    store(&mut transaction, new).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(KeyInsert::Inserted)
}

async fn revoke(
    connections: &Connections,
    user: &SignedIn,
    key: &KeyId,
    now: Timestamp,
) -> Result<KeyRevocation, StorageError> {
    let mut connection = connections.lease().await?;
    let mut transaction = connection.begin().await?;
    let is_signed_in = lock_session(&mut transaction, user, now).await?;
    if !is_signed_in || lock_account(&mut transaction, &user.user).await?.is_none() {
        return Ok(KeyRevocation::NotSignedIn);
    }
    let revocation = sqlx::query(REVOKE).bind(user.user.as_str()).bind(key.as_str()).bind(Instant(now));
    let done = revocation.execute(&mut *transaction).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(if done.rows_affected() > 0 { KeyRevocation::Revoked } else { KeyRevocation::NotFound })
}

async fn store(connection: &mut PgConnection, new: &NewKey) -> Result<(), StorageError> {
    let key = &new.key;
    let insertion = sqlx::query(INSERT)
        .bind(&new.digest.as_bytes()[..])
        .bind(key.id.as_str())
        .bind(new.owner.user.as_str())
        .bind(key.name.as_deref())
        .bind(key.hint.as_str())
        .bind(key.scopes.iter().map(Scope::as_str).collect::<Vec<_>>())
        .bind(Instant(key.created_at))
        .bind(key.expires_at.map(Instant))
        .bind(key.last_used_at.map(Instant));
    insertion.execute(connection).await.map_err(fault)?;
    Ok(())
}

/// The keys of those digests that there are.
pub(super) async fn find(
    connection: &mut PgConnection,
    digests: &HashSet<KeyDigest>,
) -> Result<FoundKeys, StorageError> {
    let rows = sqlx::query(FIND).bind(array_of(digests)).fetch_all(connection).await.map_err(fault)?;
    let found = rows.iter().map(|row| {
        let mut values = Values::of(row);
        Ok((digest(&mut values)?, found_key(&mut values).map(Arc::new)))
    });
    found.collect()
}

fn found_key(values: &mut Values<'_>) -> Result<FoundKey, StorageError> {
    let (state, key) = (state(values)?, rows::key(values)?);
    let membership = rows::membership(values)?;
    Ok(FoundKey { key, state, account: rows::account(values, membership)? })
}

/// The key of a change, in its transaction; `None` also if its user does not exist.
pub(super) async fn lock_key(connection: &mut PgConnection, key: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
    let row = sqlx::query(LOCK).bind(&key.as_bytes()[..]).fetch_optional(connection).await.map_err(fault)?;
    let Some(row) = row else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    let (state, key) = (state(&mut values)?, rows::key(&mut values)?);
    Ok(Some(FoundKey { key, state, account: rows::member_account(&mut values)? }))
}

/// By two statements, since the family may be on another machine.
async fn find_spread(connections: &Connections, key: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
    let mut connection = connections.lease().await?;
    let row = sqlx::query(FIND_WITHOUT_FAMILY).bind(array_of([key])).fetch_optional(&mut *connection).await;
    let Some(row) = row.map_err(fault)? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    digest(&mut values)?;
    let (state, key) = (state(&mut values)?, rows::key(&mut values)?);
    let membership = find_membership(&mut connection, values.take()?).await?;
    Ok(Some(FoundKey { key, state, account: rows::account(&mut values, membership)? }))
}

fn digest(values: &mut Values<'_>) -> Result<KeyDigest, StorageError> {
    values.take().map(KeyDigest::from_bytes)
}

fn state(values: &mut Values<'_>) -> Result<KeyState, StorageError> {
    Ok(values.instant_nullable()?.map_or(KeyState::Active, |at| KeyState::Revoked { at }))
}

fn array_of<'a>(digests: impl IntoIterator<Item = &'a KeyDigest>) -> Vec<&'a [u8]> {
    digests.into_iter().map(|digest| &digest.as_bytes()[..]).collect()
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{COUNT_ACTIVE, FIND, FIND_WITHOUT_FAMILY, LIST, LOCK, LOCK_OWNER, RECORD_USES, REVOKE};
    use crate::storage::postgres::plans::{assert_in_order, assert_looked_up};

    postgres_tests! {
        async fn keys_are_found_by_their_digest_or_their_owner() {
            assert_looked_up(&[COUNT_ACTIVE, FIND, FIND_WITHOUT_FAMILY, LIST, LOCK, LOCK_OWNER, RECORD_USES, REVOKE])
                .await;
        }

        async fn keys_are_listed_in_the_order_of_their_index() {
            assert_in_order(LIST).await;
        }
    }

    #[test]
    fn where_families_are_spread_no_statement_joins_them_with_keys() {
        assert!(FIND.contains("families") && !FIND_WITHOUT_FAMILY.contains("families"));
    }
}
