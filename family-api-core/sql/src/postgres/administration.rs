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
use crate::postgres::database::{call, in_transaction};
use crate::postgres::error::fault;
use crate::postgres::{PostgresStorage, distributed};
use crate::sessions;

#[async_trait]
impl Administration for PostgresStorage {
    async fn list_families(&self, after: Option<&FamilyId>, limit: u32) -> Result<Vec<FamilySummary>, StorageError> {
        call(async || administration::list_families(&mut *self.database.lease().await?, after, limit).await).await
    }

    async fn find_family(&self, family: &FamilyId) -> Result<Option<FamilySummary>, StorageError> {
        call(async || administration::find_family(&mut *self.database.lease().await?, family).await).await
    }

    async fn count_family(&self, family: &FamilyId) -> Result<Vec<KindCount>, StorageError> {
        call(async || administration::count_family(&mut *self.database.lease().await?, family).await).await
    }

    async fn delete_family(&self, family: &FamilyId, now: Timestamp) -> Result<Option<Vec<KindCount>>, StorageError> {
        in_transaction!(self, |transaction| administration::delete_family(&mut *transaction, family, now).await?)
    }

    async fn list_users(
        &self,
        family: Option<&FamilyId>,
        after: Option<&UserId>,
        limit: u32,
    ) -> Result<Vec<UserSummary>, StorageError> {
        call(async || administration::list_users(&mut *self.database.lease().await?, family, after, limit).await).await
    }

    async fn find_user(&self, email: &str) -> Result<Option<UserSummary>, StorageError> {
        call(async || administration::find_user(&mut *self.database.lease().await?, email).await).await
    }

    async fn count_user(&self, user: &UserId) -> Result<Vec<KindCount>, StorageError> {
        in_transaction!(self, |transaction| administration::count_user(&mut *transaction, user).await?)
    }

    async fn delete_user(&self, user: &UserId) -> Result<Option<Vec<KindCount>>, StorageError> {
        in_transaction!(self, |transaction| administration::delete_user(&mut *transaction, user).await?)
    }

    async fn move_user(
        &self,
        user: &UserId,
        family: Option<&FamilyId>,
        now: Timestamp,
    ) -> Result<UserMove, StorageError> {
        call(async || {
            let mut connection = self.database.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::move_user(&mut *transaction, user, family, now).await?;
            if done == UserMove::Moved {
                transaction.commit().await.map_err(fault)?;
            }
            Ok(done)
        })
        .await
    }

    async fn update_user(
        &self,
        user: &UserId,
        change: &UserChange,
        now: Timestamp,
    ) -> Result<UserUpdate, StorageError> {
        call(async || {
            let mut connection = self.database.lease().await?;
            let mut transaction = connection.begin().await?;
            let done = administration::update_user(&mut *transaction, user, change, now).await?;
            if done == UserUpdate::Updated {
                transaction.commit().await.map_err(fault)?;
            }
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
            administration::list_active_keys(&mut *self.database.lease().await?, user, after, limit, now).await
        })
        .await
    }

    async fn revoke_keys(&self, keys: Selection<'_, KeyId>, now: Timestamp) -> Result<u64, StorageError> {
        in_transaction!(self, |transaction| administration::revoke_keys(&mut *transaction, keys, now).await?)
    }

    async fn list_live_grants(
        &self,
        user: Option<&UserId>,
        after: Option<&GrantId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<Connection>>, StorageError> {
        call(async || {
            administration::list_live_grants(&mut *self.database.lease().await?, user, after, limit, now).await
        })
        .await
    }

    async fn revoke_grants(&self, grants: Selection<'_, GrantId>, now: Timestamp) -> Result<u64, StorageError> {
        let revoked =
            in_transaction!(self, |transaction| administration::revoke_grants(&mut *transaction, grants, now).await?)?;
        if self.database.is_distributed() {
            distributed::wait_for_writes(self, grants).await?;
        }
        Ok(revoked)
    }

    async fn delete_sessions(&self, user: Option<&UserId>) -> Result<u64, StorageError> {
        in_transaction!(self, |transaction| sessions::delete_sessions(&mut *transaction, user).await?)
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::{Server, postgres_tests};
    use sqlx::Executor;

    use crate::administration::{lookups, paged_lists, sorted_lists};
    use crate::postgres::PostgresStorage;
    use crate::postgres::query_plans::{assert_index_lookups, rows_read};

    /// 20,000 users in one family each, with 5 keys each.
    const SEED: &str = "
        INSERT INTO families (id, name, created_at, updated_at)
        SELECT 'f' || n, '', '2026-01-01', '2026-01-01' FROM generate_series(1, 20000) AS n;
        INSERT INTO users (id, family_id, name, email, display_currency, time_zone, personal_api_enabled,
                           llm_key_configured, created_at, updated_at)
        SELECT 'u' || n, 'f' || n, '', n || '@x', 'EUR', 'UTC', true, false, '2026-01-01', '2026-01-01'
        FROM generate_series(1, 20000) AS n;
        INSERT INTO integration_keys (digest, id, user_id, hint, scopes, created_at)
        SELECT sha256(('k' || n)::bytea), 'k' || n, 'u' || (n % 20000 + 1), '', '{}', '2026-01-01'
        FROM generate_series(1, 100000) AS n;
        ANALYZE";

    postgres_tests! {
        async fn one_family_or_user_is_looked_up_by_index() {
            assert_index_lookups(&lookups()).await;
            assert_index_lookups(&sorted_lists()).await;
        }

        async fn a_page_reads_as_many_rows_as_it_has() {
            let database = Server::shared().create_database().await;
            PostgresStorage::open(database.url()).await.unwrap().close().await;
            let mut connection = database.connect().await;
            connection.execute(SEED).await.unwrap();
            for sql in paged_lists() {
                let is_of_credentials = sql.contains("$3") && !sql.contains("family_id = $3");
                let values = if is_of_credentials { "'2026-11-20', 'k', 10" } else { "'f', 10, 'f7'" };
                let values = if sql.contains("$3") { values } else { "'f', 10" };
                let rows = rows_read(&mut connection, sql, values).await;
                // Each of 10 rows reads at most its users.
                assert!(rows <= 40.0, "{rows} rows: {sql}");
            }
        }
    }
}
