//! Integration keys, in the app's table `api_key`. An active key is neither revoked nor expired.

use family_api_core::key::{IntegrationKey, KeyDigest, KeyMode, RevokedAccess};
use family_api_core::storage::{
    Account, FoundKey, KeyCondition, KeyInsert, KeyRevocation, KeyState, KeyStorage, NewKey,
};
use family_api_core::storage::{SignedIn, StorageError};
use family_api_core::{Timestamp, id::KeyId, id::UserId, resource::Profile};
use family_api_sql::sqlite::fault;
use salvo::async_trait;
use serde_json::json;

use crate::storage::{Hearth, parse};

#[async_trait]
impl KeyStorage for Hearth {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        let mut transaction = self.begin().await?;
        let owner = new.owner.user.as_str();
        let query = sqlx::query_as(include_str!("../sql/find_key_owner.sql")).bind(owner);
        let query = query.bind(new.key.created_at.as_millis());
        let outcome = match query.fetch_optional(&mut *transaction).await.map_err(fault)? {
            None => KeyInsert::NotSignedIn,
            // `Some` is a session in the API's storage. This app stores the sessions itself.
            Some(_) if new.owner.session.is_some() => KeyInsert::NotSignedIn,
            Some((false, _)) if new.condition == KeyCondition::PersonalApiEnabled => KeyInsert::PersonalApiDisabled,
            Some((_, active_keys)) if limit <= active_keys => KeyInsert::LimitReached,
            Some(_) => KeyInsert::Inserted,
        };
        if outcome == KeyInsert::Inserted {
            let query = sqlx::query("INSERT INTO key_record (digest, person, record) VALUES (?1, ?2, ?3)");
            let query = query.bind(&new.digest.as_bytes()[..]).bind(owner).bind(json!(new.key).to_string());
            query.execute(&mut *transaction).await.map_err(fault)?;
            transaction.commit().await.map_err(fault)?;
        }
        Ok(outcome)
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let query = sqlx::query_as(include_str!("../sql/find_key.sql")).bind(&digest.as_bytes()[..]);
        let found = query.fetch_optional(&self.readers).await.map_err(fault)?;
        let Some((record, revoked, user, owner)): Option<(String, Option<String>, String, Option<String>)> = found
        else {
            return Ok(None);
        };
        let revoked = revoked.map(|at| at.parse()).transpose().map_err(StorageError::corrupt)?;
        let state = revoked.map_or(KeyState::Active, |at| KeyState::Revoked { at });
        let owner: Option<Profile> = owner.as_deref().map(parse).transpose()?;
        let user = user.parse().map_err(StorageError::corrupt)?;
        Ok(Some(FoundKey { key: parse_key(&record)?, state, user, account: owner.map(Account::from) }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        let query = sqlx::query_scalar(include_str!("../sql/list_keys.sql")).bind(user.as_str()).bind(now.as_millis());
        let records: Vec<String> = query.fetch_all(&self.readers).await.map_err(fault)?;
        records.iter().map(|record| parse_key(record)).collect()
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        if user.session.is_some() {
            return Ok(KeyRevocation::NotSignedIn);
        }
        let query = sqlx::query(include_str!("../sql/revoke_key.sql")).bind(user.user.as_str()).bind(key.as_str());
        let revoked = query.bind(now.as_millis()).execute(&self.writer).await.map_err(fault)?.rows_affected() > 0;
        Ok(if revoked { KeyRevocation::Revoked } else { KeyRevocation::NotFound })
    }

    /// The API ends the connections and calendar feeds, which are in the library's storage.
    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        if user.session.is_some() {
            return Ok(None);
        }
        let mut transaction = self.begin().await?;
        let query = sqlx::query(include_str!("../sql/update_person.sql")).bind(user.user.as_str()).bind(false);
        let person = query.bind(now.as_millis()).execute(&mut *transaction).await.map_err(fault)?;
        if person.rows_affected() == 0 {
            return Ok(None);
        }
        let query = sqlx::query(include_str!("../sql/revoke_keys.sql")).bind(user.user.as_str());
        let keys = query.bind(now.as_millis()).execute(&mut *transaction).await.map_err(fault)?.rows_affected();
        transaction.commit().await.map_err(fault)?;
        Ok(Some(RevokedAccess { keys, connections: 0, feeds: 0 }))
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let digests: Vec<_> = keys.iter().map(|key| hex::encode(key.as_bytes())).collect();
        let query = sqlx::query(include_str!("../sql/record_uses.sql")).bind(json!(digests).to_string());
        query.bind(at.as_millis()).execute(&self.writer).await.map_err(fault).map(drop)
    }
}

/// Parses a key, and computes the mode from the scopes, because the mode is not stored.
fn parse_key(record: &str) -> Result<IntegrationKey, StorageError> {
    parse(record).map(|key: IntegrationKey| IntegrationKey { mode: KeyMode::from_scopes(&key.scopes), ..key })
}
