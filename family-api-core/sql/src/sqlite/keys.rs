//! Integration keys: management by their owner, recording of uses, and purge.

use std::sync::LazyLock;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::storage::value::Values;
use family_api_core::storage::{
    FoundKey, KeyCondition, KeyInsert, KeyRevocation, KeyStorage, NewKey, SignedIn, StorageError,
};
use sqlx::SqliteConnection;

use crate::account::{key, key_columns};
use crate::keys;
use crate::revoked_access;
use crate::sqlite::SqliteStorage;
use crate::sqlite::credentials::{find_signed_in, has_session};
use crate::sqlite::error::fault;
use crate::sqlite::purge_digests::purge;
use crate::sqlite::row::{Row, digest_array};

/// Inserts a key only if the user has fewer than `?10` keys that are active at `created_at`. The user can be in another
/// database.
const INSERT: &str = "
    INSERT INTO integration_keys
        (digest, id, user_id, name, hint, scopes, created_at, expires_at, last_used_at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE ?10 > (
        SELECT count(*) FROM (
            SELECT 1 FROM integration_keys k
            WHERE k.user_id = ?3 AND coalesce(k.revoked_at, k.expires_at, 'never') > ?7 AND k.revoked_at IS NULL
            LIMIT ?10
        )
    )";

static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}
        FROM integration_keys k
        WHERE k.user_id = ?1 AND coalesce(k.revoked_at, k.expires_at, 'never') > ?2 AND k.revoked_at IS NULL
        ORDER BY k.created_at DESC, k.id DESC",
        key_columns()
    )
});

const RECORD_USES: &str = "
    UPDATE integration_keys SET last_used_at = ?2
    WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND (last_used_at IS NULL OR last_used_at < ?2)";

const FIND_ENDED: &str = "
    SELECT digest FROM integration_keys
    WHERE coalesce(revoked_at, expires_at, 'never') <= ?1 AND digest NOT IN (SELECT unhex(value) FROM json_each(?2))
    ORDER BY coalesce(revoked_at, expires_at, 'never')
    LIMIT ?3";

const FIND_SURPLUS: &str = "
    SELECT digest FROM integration_keys
    WHERE user_id = ?1 AND coalesce(revoked_at, expires_at, 'never') <= ?2
      AND digest NOT IN (SELECT unhex(value) FROM json_each(?3))
    ORDER BY coalesce(revoked_at, expires_at, 'never') DESC, digest DESC
    LIMIT ?4 OFFSET ?5";

const DELETE: &str = "
    DELETE FROM integration_keys
    WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND coalesce(revoked_at, expires_at, 'never') <= ?2";

#[async_trait]
impl KeyStorage for SqliteStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        let mut transaction = self.database.begin_for(&new.owner.user).await?;
        if let Some(refused) = check_owner(&mut transaction, new).await? {
            return Ok(refused);
        }
        if !insert(&mut transaction, new, limit).await? {
            return Ok(KeyInsert::LimitReached);
        }
        transaction.commit().await.map_err(fault)?;
        Ok(KeyInsert::Inserted)
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        self.token_cache.find_key(digest).await
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        let query = sqlx::query(LIST.as_str()).bind(user.as_str()).bind(now.to_string());
        let rows = query.map(Row).fetch_all(self.database.readers()).await.map_err(fault)?;
        rows.iter().map(|row| key(&mut Values::of(row))).collect()
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        let mut transaction = self.database.begin_for(&user.user).await?;
        if !has_session(&mut transaction, user, now).await? {
            return Ok(KeyRevocation::NotSignedIn);
        }
        let is_revoked = keys::revoke_key(&mut *transaction, &user.user, key, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(if is_revoked { KeyRevocation::Revoked } else { KeyRevocation::NotFound })
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        let mut transaction = self.database.begin_for(&user.user).await?;
        if find_signed_in(&mut transaction, user, now).await?.is_none() {
            return Ok(None);
        }
        revoked_access::disable_personal_api(&mut *transaction, &user.user, now).await?;
        let revoked = revoked_access::revoke_credentials(&mut *transaction, &user.user, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(Some(revoked))
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let mut transaction = self.database.begin().await?;
        let query = sqlx::query(RECORD_USES).bind(digest_array(keys)?).bind(at.to_string());
        query.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        let ended = sqlx::query_scalar(FIND_ENDED).bind(until.to_string()).bind(digest_array(spared)?).bind(limit);
        purge(&self.database, ended, DELETE, until).await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        let surplus = sqlx::query_scalar(FIND_SURPLUS).bind(user.as_str()).bind(until.to_string());
        purge(&self.database, surplus.bind(digest_array(spared)?).bind(limit).bind(keep), DELETE, until).await
    }
}

/// Returns why the owner may not have the key, or `None` if they may.
async fn check_owner(writer: &mut SqliteConnection, new: &NewKey) -> Result<Option<KeyInsert>, StorageError> {
    if new.condition == KeyCondition::HostChecked {
        return Ok(None);
    }
    Ok(match find_signed_in(writer, &new.owner, new.key.created_at).await? {
        None => Some(KeyInsert::NotSignedIn),
        Some(owner) if new.condition == KeyCondition::PersonalApiEnabled && !owner.personal_api_enabled => {
            Some(KeyInsert::PersonalApiDisabled)
        }
        Some(_) => None,
    })
}

async fn insert(writer: &mut SqliteConnection, new: &NewKey, limit: u32) -> Result<bool, StorageError> {
    let key = &new.key;
    let insertion = sqlx::query(INSERT)
        .bind(&new.digest.as_bytes()[..])
        .bind(key.id.as_str())
        .bind(new.owner.user.as_str())
        .bind(key.name.as_deref())
        .bind(key.hint.as_str())
        .bind(serde_json::to_string(&key.scopes).map_err(StorageError::backend)?)
        .bind(key.created_at.to_string())
        .bind(key.expires_at.map(String::from))
        .bind(key.last_used_at.map(String::from))
        .bind(limit);
    Ok(insertion.execute(writer).await.map_err(fault)?.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use family_api_core::Timestamp;

    use super::{DELETE, FIND_ENDED, FIND_SURPLUS, INSERT, LIST, RECORD_USES};
    use crate::keys::REVOKE_KEY;
    use crate::sqlite::purge_digests::purge;
    use crate::sqlite::query_plans::{SORT, assert_index_lookups, assert_plan, open};

    /// A user with two ended keys and two active ones.
    const RENEWED_KEYS: &str = "
        INSERT INTO users (id, name, email, display_currency, time_zone, personal_api_enabled, llm_key_configured,
            created_at, updated_at)
        VALUES ('ana', 'Ana', 'ana', 'EUR', 'UTC', TRUE, FALSE, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
        WITH k (id, expires_at, revoked_at) AS (VALUES
            ('expired', '2026-11-19T00:00:00.000Z', NULL),
            ('renewed', '2026-11-21T00:00:00.000Z', NULL),
            ('revoked', NULL, '2026-11-20T00:00:00.000Z'),
            ('unlimited', NULL, NULL)
        )
        INSERT INTO integration_keys (digest, id, user_id, hint, scopes, created_at, expires_at, revoked_at)
        SELECT randomblob(32), id, 'ana', '', '[]', '2026-01-01T00:00:00.000Z', expires_at, revoked_at FROM k";

    #[tokio::test]
    async fn keys_are_found_by_digest_or_owner() {
        assert_index_lookups(&[DELETE, FIND_SURPLUS, INSERT, RECORD_USES, REVOKE_KEY]).await;
    }

    #[tokio::test]
    async fn a_key_that_was_renewed_after_it_was_found_is_not_purged() {
        let (storage, _folder) = open().await;
        let mut host = storage.database.begin().await.unwrap();
        sqlx::raw_sql(RENEWED_KEYS).execute(&mut *host).await.unwrap();
        host.commit().await.unwrap();
        let until: Timestamp = "2026-11-20T00:00:00Z".parse().unwrap();
        let found_before = || sqlx::query_scalar("SELECT digest FROM integration_keys");
        assert_eq!(purge(&storage.database, found_before(), DELETE, until).await.unwrap(), 2);
        let left: Vec<String> = sqlx::query_scalar("SELECT id FROM integration_keys ORDER BY id")
            .fetch_all(storage.database.readers())
            .await
            .unwrap();
        assert_eq!(left, ["renewed", "unlimited"]);
    }

    #[tokio::test]
    async fn indexes_skip_ended_keys() {
        assert_plan(&LIST, &["(user_id=? AND <expr>>?)", SORT]).await;
        assert_plan(FIND_SURPLUS, &["(user_id=? AND <expr><?)"]).await;
        assert_plan(FIND_ENDED, &["(<expr><?)"]).await;
        assert_plan(REVOKE_KEY, &["(id=?)"]).await;
        assert_plan(DELETE, &["(digest=?)"]).await;
    }
}
