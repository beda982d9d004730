//! Grants and their tokens.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    FoundAccessToken, GrantInsert, GrantLookup, GrantRevocation, GrantStorage, NewGrant, SignedIn, StorageError,
    StoredGrant, TokenIssue,
};

use crate::grants;
use crate::sqlite::SqliteStorage;
use crate::sqlite::credentials::has_session;
use crate::sqlite::database::in_transaction;
use crate::sqlite::error::fault;

const RECORD_USES: &str = "
    UPDATE grants SET last_used_at = ?2
    WHERE id IN (SELECT value FROM json_each(?1)) AND (last_used_at IS NULL OR last_used_at < ?2)";

const DELETE_ENDED: &str = "
    DELETE FROM grants WHERE id IN (
        SELECT id FROM grants
        WHERE coalesce(revoked_at, expires_at) <= ?1 AND (misuse IS NULL OR coalesce(revoked_at, expires_at) <= ?2)
        ORDER BY coalesce(revoked_at, expires_at)
        LIMIT ?3
    )";

#[async_trait]
impl GrantStorage for SqliteStorage {
    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
        let mut transaction = self.database.begin_for(&new.owner.user).await?;
        if !has_session(&mut transaction, &new.owner, new.created_at).await? {
            return Ok(GrantInsert::NotSignedIn);
        }
        let inserted = grants::insert_grant(&mut *transaction, new, limit).await?;
        if matches!(inserted, GrantInsert::Inserted { .. }) {
            transaction.commit().await.map_err(fault)?;
        }
        Ok(inserted)
    }

    async fn find_grant(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        grants::find_grant(&mut *reader, by).await
    }

    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError> {
        in_transaction!(self, |transaction| grants::issue_tokens(&mut *transaction, issue).await?)
    }

    async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        self.token_cache.find_access_token(digest).await
    }

    async fn list_grants(&self, user: &UserId, now: Timestamp) -> Result<Vec<Connection>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        grants::list_grants(&mut *reader, user, now).await
    }

    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        let mut transaction = self.database.begin_for(&user.user).await?;
        if !has_session(&mut transaction, user, now).await? {
            return Ok(GrantRevocation::NotSignedIn);
        }
        let is_revoked = grants::revoke_grant(&mut *transaction, &user.user, grant, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(if is_revoked { GrantRevocation::Revoked } else { GrantRevocation::NotFound })
    }

    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError> {
        in_transaction!(self, |transaction| grants::end_grant(&mut *transaction, grant, now, misuse).await?)
    }

    async fn list_misused_grants(
        &self,
        user: &UserId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        grants::list_misused_grants(&mut *reader, user, since, limit).await
    }

    async fn record_grant_uses(&self, grants: &[GrantId], at: Timestamp) -> Result<(), StorageError> {
        let ids = serde_json::to_string(grants).map_err(StorageError::backend)?;
        let mut transaction = self.database.begin().await?;
        let update = sqlx::query(RECORD_USES).bind(ids).bind(at.to_string());
        update.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    async fn delete_ended_grants(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let mut transaction = self.database.begin().await?;
        let deletion = sqlx::query(DELETE_ENDED).bind(until.to_string()).bind(misused_until.to_string()).bind(limit);
        let done = deletion.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(done.rows_affected())
    }

    async fn signing_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StorageError> {
        in_transaction!(self, |transaction| grants::signing_key(&mut *transaction, fresh).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::{DELETE_ENDED, RECORD_USES};
    use crate::grants::{sorting_statements as sorting_grant_statements, statements as grant_statements};
    use crate::sqlite::query_plans::{SORT, assert_index_lookups, assert_plan};

    #[tokio::test]
    async fn grants_are_looked_up_by_index() {
        assert_index_lookups(&grant_statements()).await;
        assert_index_lookups(&[RECORD_USES]).await;
    }

    #[tokio::test]
    async fn indexes_skip_ended_grants() {
        for sorting in sorting_grant_statements() {
            assert_plan(sorting, &["(user_id=? AND <expr>>?)", SORT]).await;
        }
        assert_plan(DELETE_ENDED, &["(id=?)", "(<expr><?)"]).await;
    }
}
