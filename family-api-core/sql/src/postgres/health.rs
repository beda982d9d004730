//! Health check of the database.

use async_trait::async_trait;
use family_api_core::storage::{Health, StorageError};

use crate::postgres::PostgresStorage;
use crate::postgres::database::call;
use crate::postgres::error::fault;

/// Reads a table. A server that accepts connections does not prove that the tables can be read.
///
/// An engine that distributes families has the users on every server. So this check does not depend on the server of one
/// shard, whose loss affects only some of the families.
const CHECK: &str = "SELECT count(*) FROM users WHERE id = ''";

#[async_trait]
impl Health for PostgresStorage {
    async fn check(&self) -> Result<(), StorageError> {
        call(async || {
            sqlx::query(CHECK).execute(&mut *self.database.lease().await?).await.map_err(fault)?;
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::CHECK;
    use crate::postgres::query_plans::assert_index_lookups;

    postgres_tests! {
        async fn the_health_check_does_not_scan_users() {
            assert_index_lookups(&[CHECK]).await;
        }
    }
}
