//! Administration by an operator.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::connection::Connection;
use family_api_core::id::{FamilyId, GrantId, KeyId, UserId};
use family_api_core::key::IntegrationKey;
use family_api_core::storage::{
    Administration, FamilySummary, KindCount, Owned, Selection, StorageError, UserChange, UserMove, UserSummary,
    UserUpdate,
};

use crate::administration;
use crate::sessions;
use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;

#[async_trait]
impl Administration for SqliteStorage {
    async fn list_families(&self, after: Option<&FamilyId>, limit: u32) -> Result<Vec<FamilySummary>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::list_families(&mut *reader, after, limit).await
    }

    async fn find_family(&self, family: &FamilyId) -> Result<Option<FamilySummary>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::find_family(&mut *reader, family).await
    }

    async fn count_family(&self, family: &FamilyId) -> Result<Vec<KindCount>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::count_family(&mut *reader, family).await
    }

    async fn delete_family(&self, family: &FamilyId, now: Timestamp) -> Result<Option<Vec<KindCount>>, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = administration::delete_family(&mut *transaction, family, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(done)
    }

    async fn list_users(
        &self,
        family: Option<&FamilyId>,
        after: Option<&UserId>,
        limit: u32,
    ) -> Result<Vec<UserSummary>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::list_users(&mut *reader, family, after, limit).await
    }

    async fn find_user(&self, email: &str) -> Result<Option<UserSummary>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::find_user(&mut *reader, email).await
    }

    async fn count_user(&self, user: &UserId) -> Result<Vec<KindCount>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::count_user(&mut *reader, user).await
    }

    async fn delete_user(&self, user: &UserId) -> Result<Option<Vec<KindCount>>, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = administration::delete_user(&mut *transaction, user).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(done)
    }

    async fn move_user(
        &self,
        user: &UserId,
        family: Option<&FamilyId>,
        now: Timestamp,
    ) -> Result<UserMove, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = administration::move_user(&mut *transaction, user, family, now).await?;
        if done == UserMove::Moved {
            transaction.commit().await.map_err(fault)?;
        }
        Ok(done)
    }

    async fn update_user(
        &self,
        user: &UserId,
        change: &UserChange,
        now: Timestamp,
    ) -> Result<UserUpdate, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = administration::update_user(&mut *transaction, user, change, now).await?;
        if done == UserUpdate::Updated {
            transaction.commit().await.map_err(fault)?;
        }
        Ok(done)
    }

    async fn list_active_keys(
        &self,
        user: Option<&UserId>,
        after: Option<&KeyId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<IntegrationKey>>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::list_active_keys(&mut *reader, user, after, limit, now).await
    }

    async fn revoke_keys(&self, keys: Selection<'_, KeyId>, now: Timestamp) -> Result<u64, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = administration::revoke_keys(&mut *transaction, keys, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(done)
    }

    async fn list_live_grants(
        &self,
        user: Option<&UserId>,
        after: Option<&GrantId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<Connection>>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        administration::list_live_grants(&mut *reader, user, after, limit, now).await
    }

    async fn revoke_grants(&self, grants: Selection<'_, GrantId>, now: Timestamp) -> Result<u64, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = administration::revoke_grants(&mut *transaction, grants, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(done)
    }

    async fn delete_sessions(&self, user: Option<&UserId>) -> Result<u64, StorageError> {
        let mut transaction = self.database.begin().await?;
        let done = sessions::delete_sessions(&mut *transaction, user).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use crate::administration::{FIND_FORMER_FAMILIES, lookups, paged_lists, sorted_lists};
    use crate::sqlite::SqliteStorage;
    use crate::sqlite::query_plans::{SORT, assert_index_lookups, assert_index_lookups_and_sort, steps};

    #[tokio::test]
    async fn one_family_or_user_is_looked_up_by_index() {
        assert_index_lookups(&lookups()).await;
        assert_index_lookups_and_sort(&sorted_lists()).await;
    }

    #[tokio::test]
    async fn private_records_in_former_families_are_found_by_index() {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        let mut connection = storage.database.reader().await.unwrap();
        let steps = steps(&mut connection, FIND_FORMER_FAMILIES).await;
        let scanned: Vec<_> = steps.iter().filter_map(|step| step.strip_prefix("SCAN ")).collect();
        assert!(scanned.iter().all(|table| table.starts_with("idempotency_keys")), "{steps:#?}");
    }

    #[tokio::test]
    async fn a_page_is_read_in_the_order_of_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        let mut connection = storage.database.reader().await.unwrap();
        for sql in paged_lists() {
            let steps = steps(&mut connection, sql).await;
            assert!(steps.iter().all(|step| !step.starts_with("SCAN") && !step.contains(SORT)), "{sql}\n{steps:#?}");
        }
    }
}
