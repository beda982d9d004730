//! Integration keys: management by their owner, recording of uses, and purge.

use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess, Scope};
use family_api_core::storage::value::Values;
use family_api_core::storage::{
    FoundKey, KeyCondition, KeyInsert, KeyRevocation, KeyStorage, NewKey, SignedIn, StorageError,
};
use sqlx::PgConnection;

use crate::account::{self, key_columns};
use crate::keys;
use crate::postgres::credentials::lock_session;
use crate::postgres::database::{Database, call};
use crate::postgres::error::fault;
use crate::postgres::grants::lock_credentials;
use crate::postgres::leases::Shards;
use crate::postgres::purge_digests::{Deletion, deletion, purge};
use crate::postgres::row::Row;
use crate::postgres::timestamp::PgTimestamp;
use crate::postgres::token_lookup::digest_array;
use crate::postgres::{PostgresStorage, distributed};
use crate::revoked_access;

/// Locks the user. Concurrent insertions of keys of one user wait for each other here, so each counts the active keys
/// correctly.
const LOCK_OWNER: &str = "SELECT personal_api_enabled FROM users WHERE id = $1 FOR NO KEY UPDATE";

const COUNT_ACTIVE: &str = "
    SELECT count(*) FROM (
        SELECT 1 FROM integration_keys
        WHERE user_id = $1 AND coalesce(revoked_at, expires_at, 'infinity') > $2 AND revoked_at IS NULL
        LIMIT $3
    ) AS active";

const INSERT: &str = "
    INSERT INTO integration_keys
        (digest, id, user_id, name, hint, scopes, created_at, expires_at, last_used_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}
        FROM integration_keys k
        WHERE k.user_id = $1 AND coalesce(k.revoked_at, k.expires_at, 'infinity') > $2 AND k.revoked_at IS NULL
        ORDER BY k.created_at DESC, k.id DESC",
        key_columns()
    )
});

const RECORD_USES: &str = "
    UPDATE integration_keys SET last_used_at = $2
    WHERE digest = ANY($1) AND (last_used_at IS NULL OR last_used_at < $2)";

const FIND_ENDED: &str = "
    SELECT digest FROM integration_keys
    WHERE coalesce(revoked_at, expires_at, 'infinity') <= $1 AND digest <> ALL($2)
    ORDER BY coalesce(revoked_at, expires_at, 'infinity')
    LIMIT $3";

const FIND_SURPLUS: &str = "
    SELECT digest FROM integration_keys
    WHERE user_id = $1 AND coalesce(revoked_at, expires_at, 'infinity') <= $2 AND digest <> ALL($3)
    ORDER BY coalesce(revoked_at, expires_at, 'infinity') DESC, digest DESC
    LIMIT $4 OFFSET $5";

const DELETE: Deletion = deletion!("integration_keys", "coalesce(revoked_at, expires_at, 'infinity')");

#[async_trait]
impl KeyStorage for PostgresStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        call(|| insert(&self.database, new, limit)).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        call(|| self.token_lookup.find_key(&self.database, digest)).await
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        call(async || {
            let query = sqlx::query(LIST.as_str()).bind(user.as_str()).bind(PgTimestamp(now));
            let rows =
                query.map(Row).fetch_all(&mut *self.database.lease_for(Shards::Several).await?).await.map_err(fault)?;
            rows.iter().map(|row| account::key(&mut Values::of(row))).collect()
        })
        .await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        call(|| revoke(&self.database, user, key, now)).await
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        call(|| revoke_access(&self.database, user, now)).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let digests = digest_array(keys);
        call(async || {
            let mut connection = self.database.lease().await?;
            if self.database.is_distributed() {
                return distributed::record_uses(&mut connection, keys, at).await;
            }
            let query = sqlx::query(RECORD_USES).bind(&digests).bind(PgTimestamp(at));
            query.execute(&mut *connection).await.map_err(fault)?;
            Ok(())
        })
        .await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        let (spared, limit) = (digest_array(spared), i64::from(limit));
        call(async || {
            let ended = sqlx::query_scalar(FIND_ENDED).bind(PgTimestamp(until)).bind(&spared).bind(limit);
            purge(&self.database, ended, &DELETE, until).await
        })
        .await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        let (spared, limit, keep) = (digest_array(spared), i64::from(limit), i64::from(keep));
        call(async || {
            let surplus = sqlx::query_scalar(FIND_SURPLUS).bind(user.as_str()).bind(PgTimestamp(until));
            purge(&self.database, surplus.bind(&spared).bind(limit).bind(keep), &DELETE, until).await
        })
        .await
    }
}

async fn insert(database: &Database, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    if let Some(refused) = lock_and_check_owner(database, &mut transaction, new).await? {
        return Ok(refused);
    }
    let active = sqlx::query_scalar(COUNT_ACTIVE).bind(new.owner.user.as_str()).bind(PgTimestamp(new.key.created_at));
    let active: i64 = active.bind(i64::from(limit)).fetch_one(&mut *transaction).await.map_err(fault)?;
    if active >= i64::from(limit) {
        return Ok(KeyInsert::LimitReached);
    }
    store(&mut transaction, new).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(KeyInsert::Inserted)
}

/// Locks the owner of a new key. Returns why they may not have the key, or `None` if they may.
async fn lock_and_check_owner(
    database: &Database,
    connection: &mut PgConnection,
    new: &NewKey,
) -> Result<Option<KeyInsert>, StorageError> {
    let user = &new.owner.user;
    if new.condition == KeyCondition::HostChecked {
        if database.is_distributed() {
            return Err(StorageError::backend("distributed tables store the keys only of users in the same database"));
        }
        lock_credentials(connection, user).await?;
        return Ok(None);
    }
    if !lock_session(connection, &new.owner, new.key.created_at).await? {
        return Ok(Some(KeyInsert::NotSignedIn));
    }
    Ok(match (lock_owner(database, connection, user).await?, new.condition) {
        (None, _) => Some(KeyInsert::NotSignedIn),
        (Some(false), KeyCondition::PersonalApiEnabled) => Some(KeyInsert::PersonalApiDisabled),
        (Some(_), _) => None,
    })
}

/// Locks the owner of a new key. Returns whether their personal API is switched on, or `None` if the user does not
/// exist.
async fn lock_owner(
    database: &Database,
    connection: &mut PgConnection,
    user: &UserId,
) -> Result<Option<bool>, StorageError> {
    if database.is_distributed() {
        return distributed::lock_user(connection, user).await;
    }
    sqlx::query_scalar(LOCK_OWNER).bind(user.as_str()).fetch_optional(connection).await.map_err(fault)
}

async fn revoke(
    database: &Database,
    user: &SignedIn,
    key: &KeyId,
    now: Timestamp,
) -> Result<KeyRevocation, StorageError> {
    if database.is_distributed() {
        return distributed::revoke_key(database, user, key, now).await;
    }
    let mut connection = database.lease().await?;
    let mut transaction = connection.begin().await?;
    if !lock_session(&mut transaction, user, now).await? {
        return Ok(KeyRevocation::NotSignedIn);
    }
    let is_revoked = keys::revoke_key(&mut *transaction, &user.user, key, now).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(if is_revoked { KeyRevocation::Revoked } else { KeyRevocation::NotFound })
}

/// Locks the user first, as an insertion of a key does, and then the grants, as an insertion of a grant does. So an
/// insertion that is in progress ends before, and its key or grant is revoked too. A write that uses a key or a grant
/// holds a lock on it, and the revocation waits for the write.
async fn revoke_access(
    database: &Database,
    user: &SignedIn,
    now: Timestamp,
) -> Result<Option<RevokedAccess>, StorageError> {
    if database.is_distributed() {
        return distributed::revoke_access(database, user, now).await;
    }
    let mut connection = database.lease().await?;
    let mut transaction = connection.begin().await?;
    let owner = &user.user;
    if !lock_session(&mut transaction, user, now).await?
        || !revoked_access::disable_personal_api(&mut *transaction, owner, now).await?
    {
        return Ok(None);
    }
    lock_credentials(&mut transaction, owner).await?;
    let revoked = revoked_access::revoke_credentials(&mut *transaction, owner, now).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(Some(revoked))
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
        .bind(PgTimestamp(key.created_at))
        .bind(key.expires_at.map(PgTimestamp))
        .bind(key.last_used_at.map(PgTimestamp));
    insertion.execute(connection).await.map_err(fault)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use family_api_core::Timestamp;
    use family_api_core::key::KeyDigest;
    use family_api_testing::{Server, postgres_tests};
    use sqlx::Executor;

    use super::{COUNT_ACTIVE, DELETE, FIND_ENDED, FIND_SURPLUS, LIST, LOCK_OWNER, RECORD_USES};
    use crate::keys::REVOKE_KEY;
    use crate::postgres::PostgresStorage;
    use crate::postgres::purge_digests::purge;
    use crate::postgres::query_plans::{assert_index_lookups, create_migrated_database, rows_read};
    use crate::postgres::timestamp::PgTimestamp;
    use crate::postgres::token_sql::FIND_KEYS;

    /// Two users. The first has one active key and 299,999 ended keys, half of which were revoked.
    const SEED: &str = "
        SET session_replication_role = replica;
        INSERT INTO users SELECT name, NULL, name, name, NULL, NULL, NULL, 'EUR', 'UTC', true, NULL, false, now(), now()
        FROM unnest(ARRAY['ana', 'ben']) AS name;
        INSERT INTO integration_keys
        SELECT sha256(n::text::bytea), 'key-' || n, 'ana', NULL, '', '{}', '2026-01-01',
               timestamptz '2026-01-01' + n * interval '1 second',
               CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01' + n * interval '1 second' END
        FROM generate_series(1, 300000) AS n;
        UPDATE integration_keys SET expires_at = NULL, revoked_at = NULL WHERE id = 'key-1'";

    /// Two ended keys and two active ones, in turn.
    const RENEWED_KEYS: &str = "
        SET session_replication_role = replica;
        INSERT INTO integration_keys (digest, id, user_id, hint, scopes, created_at, expires_at, revoked_at)
        VALUES
            (sha256('1'), 'expired', 'ana', '', '{}', '2026-01-01 00:00Z', '2026-11-19 00:00Z', NULL),
            (sha256('2'), 'renewed', 'ana', '', '{}', '2026-01-01 00:00Z', '2026-11-21 00:00Z', NULL),
            (sha256('3'), 'revoked', 'ana', '', '{}', '2026-01-01 00:00Z', NULL, '2026-11-20 00:00Z'),
            (sha256('4'), 'unlimited', 'ana', '', '{}', '2026-01-01 00:00Z', NULL, NULL)";

    /// Each statement with its arguments, and the maximum number of rows that the statement may read.
    static MAX_ROWS_READ: LazyLock<[(&str, &str, u32); 11]> = LazyLock::new(|| {
        [
            (COUNT_ACTIVE, "'ana', '2026-11-20', 50", 1),
            (&LIST, "'ana', '2026-11-20'", 1),
            (REVOKE_KEY, "'ana', 'key-3', '2026-11-20'", 1),
            (RECORD_USES, "ARRAY[sha256('2')], '2026-11-20'", 1),
            (&FIND_KEYS, "ARRAY[sha256('2')]", 2),
            (FIND_ENDED, "'2026-06-01', '{}', 500", 500),
            (FIND_ENDED, "'2025-01-01', '{}', 500", 0),
            (FIND_SURPLUS, "'ana', '2026-11-20', '{}', 500, 1000", 1_500),
            (FIND_SURPLUS, "'ben', '2026-11-20', '{}', 500, 1000", 0),
            (DELETE.skipping_locked, "ARRAY[sha256('2'), sha256('3')], '2026-11-20'", 4),
            (DELETE.by_digest, "sha256('4'), '2026-11-20'", 1),
        ]
    });

    postgres_tests! {
        async fn keys_are_found_by_digest_or_owner() {
            assert_index_lookups(&[
                COUNT_ACTIVE,
                DELETE.by_digest,
                DELETE.skipping_locked,
                FIND_SURPLUS,
                &LIST,
                LOCK_OWNER,
                RECORD_USES,
                REVOKE_KEY,
            ])
            .await;
        }

        async fn a_key_that_was_renewed_after_it_was_found_is_not_purged() {
            let database = Server::shared().create_database().await;
            let storage = PostgresStorage::open(database.url()).await.unwrap();
            let mut connection = database.connect().await;
            connection.execute(RENEWED_KEYS).await.unwrap();
            let until: Timestamp = "2026-11-20T00:00:00Z".parse().unwrap();
            let found_before = || sqlx::query_scalar("SELECT digest FROM integration_keys");
            assert_eq!(purge(&storage.database, found_before(), &DELETE, until).await.unwrap(), 2);
            let left = sqlx::query_scalar("SELECT id FROM integration_keys ORDER BY id");
            let left: Vec<String> = left.fetch_all(&mut connection).await.unwrap();
            assert_eq!(left, ["renewed", "unlimited"]);
            for (digest, expected) in [("1", 1), ("2", 0), ("3", 1), ("4", 0)] {
                connection.execute("BEGIN; DELETE FROM integration_keys").await.unwrap();
                connection.execute(RENEWED_KEYS).await.unwrap();
                let deletion = sqlx::query(DELETE.by_digest).bind(KeyDigest::of(digest).as_bytes().to_vec());
                let deleted = deletion.bind(PgTimestamp(until)).execute(&mut connection).await.unwrap();
                assert_eq!(deleted.rows_affected(), expected, "{digest}");
                connection.execute("ROLLBACK").await.unwrap();
            }
            storage.close().await;
        }

        async fn ended_keys_do_not_increase_the_number_of_rows_read() {
            let database = create_migrated_database().await;
            let mut connection = database.connect().await;
            connection.execute(SEED).await.unwrap();
            for analyze in ["SELECT 1", "ANALYZE integration_keys"] {
                connection.execute(analyze).await.unwrap();
                connection.execute("BEGIN").await.unwrap();
                for (sql, values, max) in *MAX_ROWS_READ {
                    let rows = rows_read(&mut connection, sql, values).await;
                    // A bitmap scan reads each row twice: in the index and in the table.
                    assert!(rows <= f64::from(2 * max), "{rows} rows after {analyze}: {sql}");
                }
                connection.execute("ROLLBACK").await.unwrap();
            }
        }
    }
}
