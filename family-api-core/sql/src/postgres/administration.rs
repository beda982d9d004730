//! Administration by an operator.

use crate::administration::{self, impl_administration};
use crate::postgres::database::{call, in_transaction};
use crate::postgres::error::fault;
use crate::postgres::{PostgresStorage, distributed};
use crate::sessions;

macro_rules! read {
    ($storage:expr, |$reader:ident| $statements:expr) => {
        call(async || {
            let mut $reader = $storage.database.lease().await?;
            Ok($statements)
        })
        .await
    };
}

macro_rules! change {
    ($storage:expr, |$writer:ident| $statements:expr, $success:expr) => {
        call(async || {
            let mut connection = $storage.database.lease().await?;
            let mut $writer = connection.begin().await?;
            let done = $statements;
            if done == $success {
                $writer.commit().await.map_err(fault)?;
            }
            Ok(done)
        })
        .await
    };
}

impl_administration! {
    PostgresStorage: read, in_transaction, change, in_transaction;

    async fn revoke_grants(&self, grants: Selection<'_, GrantId>, now: Timestamp) -> Result<u64, StorageError> {
        let revoked =
            in_transaction!(self, |transaction| administration::revoke_grants(&mut *transaction, grants, now).await?)?;
        if self.database.is_distributed() {
            distributed::wait_for_writes(self, grants).await?;
        }
        Ok(revoked)
    }

    async fn update_user(
        &self,
        user: &UserId,
        user_change: &UserChange,
        now: Timestamp,
    ) -> Result<UserUpdate, StorageError> {
        change!(
            self,
            |writer| {
                if let Some(zone) = user_change.time_zone.as_ref().filter(|_| self.database.is_distributed()) {
                    distributed::increment_feed_sequences(&mut *writer, user, zone).await?;
                }
                administration::update_user(&mut *writer, user, user_change, now).await?
            },
            UserUpdate::Updated
        )
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;
    use sqlx::Executor;

    use crate::administration::{lookups, paged_lists, sorted_lists};
    use crate::postgres::query_plans::{assert_index_lookups, create_migrated_database, rows_read};

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
            let database = create_migrated_database().await;
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
