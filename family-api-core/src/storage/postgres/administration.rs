//! Administration by an operator.

use async_trait::async_trait;

use crate::grant::Connection;
use crate::id::{FamilyId, GrantId, KeyId, UserId};
use crate::key::IntegrationKey;
use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::call;
use crate::storage::postgres::error::fault;
use crate::storage::sql::administration;
use crate::storage::{Administration, FamilySummary, KindCount, Owned, Selection, StorageError, UserMove, UserSummary};
use crate::timestamp::Timestamp;

#[async_trait]
impl Administration for PostgresStorage {
    async fn list_families(&self, after: Option<&FamilyId>, limit: u32) -> Result<Vec<FamilySummary>, StorageError> {
        call(async || administration::list_families(&mut *self.connections.lease().await?, after, limit).await).await
    }

    async fn find_family(&self, family: &FamilyId) -> Result<Option<FamilySummary>, StorageError> {
        call(async || administration::find_family(&mut *self.connections.lease().await?, family).await).await
    }

    async fn count_family(&self, family: &FamilyId) -> Result<Vec<KindCount>, StorageError> {
        call(async || administration::count_family(&mut *self.connections.lease().await?, family).await).await
    }

    async fn delete_family(&self, family: &FamilyId, now: Timestamp) -> Result<Option<Vec<KindCount>>, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::delete_family(&mut *transaction, family, now).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    }

    async fn list_users(
        &self,
        family: Option<&FamilyId>,
        after: Option<&UserId>,
        limit: u32,
    ) -> Result<Vec<UserSummary>, StorageError> {
        call(async || administration::list_users(&mut *self.connections.lease().await?, family, after, limit).await)
            .await
    }

    async fn find_user(&self, email: &str) -> Result<Option<UserSummary>, StorageError> {
        call(async || administration::find_user(&mut *self.connections.lease().await?, email).await).await
    }

    async fn count_user(&self, user: &UserId) -> Result<Vec<KindCount>, StorageError> {
        call(async || administration::count_user(&mut *self.connections.lease().await?, user).await).await
    }

    async fn delete_user(&self, user: &UserId) -> Result<Option<Vec<KindCount>>, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::delete_user(&mut *transaction, user).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    }

    async fn move_user(
        &self,
        user: &UserId,
        family: Option<&FamilyId>,
        now: Timestamp,
    ) -> Result<UserMove, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::move_user(&mut *transaction, user, family, now).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    }

    async fn list_active_keys(
        &self,
        user: Option<&UserId>,
        after: Option<&KeyId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<IntegrationKey>>, StorageError> {
        call(async || {
            administration::list_active_keys(&mut *self.connections.lease().await?, user, after, limit, now).await
        })
        .await
    }

    async fn revoke_keys(&self, keys: Selection<'_, KeyId>, now: Timestamp) -> Result<Vec<KeyId>, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::revoke_keys(&mut *transaction, keys, now).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    }

    async fn list_live_grants(
        &self,
        user: Option<&UserId>,
        after: Option<&GrantId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<Connection>>, StorageError> {
        call(async || {
            administration::list_live_grants(&mut *self.connections.lease().await?, user, after, limit, now).await
        })
        .await
    }

    async fn revoke_grants(
        &self,
        grants: Selection<'_, GrantId>,
        now: Timestamp,
    ) -> Result<Vec<GrantId>, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::revoke_grants(&mut *transaction, grants, now).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    }

    async fn delete_sessions(&self, user: Option<&UserId>) -> Result<u64, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::delete_sessions(&mut *transaction, user).await?;
            transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    }
}
