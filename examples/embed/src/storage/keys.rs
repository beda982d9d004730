//! Integration keys: which of them hold, the statements say.

use family_api_core::key::{IntegrationKey, KeyDigest, KeyMode};
use family_api_core::storage::{Account, FoundKey, KeyCondition, KeyInsert, KeyState, Keys, NewKey, StorageError};
use family_api_core::{Timestamp, id::KeyId, id::UserId, resource::Profile};
use salvo::async_trait;
use serde_json::json;

use crate::storage::{Hearth, fault, read};

const OWNER: &str = "SELECT api_open, (
        SELECT count(*) FROM api_key WHERE person = p.id AND revoked IS NULL AND (until IS NULL OR until > ?2)
    ) FROM person p WHERE id = ?1";
const FIND: &str = "SELECT k.record, k.revoked, p.record FROM key_record k
    LEFT JOIN profile_record p ON p.person = k.person WHERE k.digest = ?1";
const LIST: &str = "SELECT record FROM key_record
    WHERE person = ?1 AND revoked IS NULL AND (until IS NULL OR until > ?2)
    ORDER BY record ->> 'createdAt' DESC, record ->> 'id' DESC";
const REVOKE: &str = "UPDATE api_key SET revoked = ?3 WHERE person = ?1 AND id = ?2 AND revoked IS NULL";

#[async_trait]
impl Keys for Hearth {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
        let query = sqlx::query_as(OWNER).bind(new.user.as_str()).bind(new.key.created_at.as_millis());
        let verdict = match query.fetch_optional(&mut *transaction).await.map_err(fault)? {
            None => KeyInsert::NoUser,
            Some((false, _)) if new.condition == KeyCondition::PersonalApiEnabled => KeyInsert::PersonalApiDisabled,
            Some((_, active)) if limit <= active => KeyInsert::LimitReached,
            Some(_) => KeyInsert::Inserted,
        };
        if verdict == KeyInsert::Inserted {
            let query = sqlx::query("INSERT INTO key_record (digest, person, record) VALUES (?1, ?2, ?3)");
            let query = query.bind(&new.digest.as_bytes()[..]).bind(new.user.as_str()).bind(json!(new.key).to_string());
            query.execute(&mut *transaction).await.map_err(fault)?;
            transaction.commit().await.map_err(fault)?;
        }
        Ok(verdict)
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let query = sqlx::query_as(FIND).bind(&digest.as_bytes()[..]);
        let found = query.fetch_optional(&self.pool).await.map_err(fault)?;
        let Some((record, revoked, owner)): Option<(String, Option<String>, Option<String>)> = found else {
            return Ok(None);
        };
        let revoked = revoked.map(|at| at.parse()).transpose().map_err(StorageError::corrupt)?;
        let state = revoked.map_or(KeyState::Active, |at| KeyState::Revoked { at });
        let owner: Option<Profile> = owner.as_deref().map(read).transpose()?;
        Ok(Some(FoundKey { key: key(&record)?, state, account: owner.map(Account::from) }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        let query = sqlx::query_scalar(LIST).bind(user.as_str()).bind(now.as_millis());
        let records: Vec<String> = query.fetch_all(&self.pool).await.map_err(fault)?;
        records.iter().map(|record| key(record)).collect()
    }

    async fn revoke_key(&self, user: &UserId, key: &KeyId, now: Timestamp) -> Result<bool, StorageError> {
        let query = sqlx::query(REVOKE).bind(user.as_str()).bind(key.as_str()).bind(now.as_millis());
        Ok(query.execute(&self.pool).await.map_err(fault)?.rows_affected() > 0)
    }
}

/// The mode is not stored: the scopes say it.
fn key(record: &str) -> Result<IntegrationKey, StorageError> {
    read(record).map(|key: IntegrationKey| IntegrationKey { mode: KeyMode::of(&key.scopes), ..key })
}
