//! Health check of the database.

use async_trait::async_trait;

use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::call;
use crate::storage::postgres::error::fault;
use crate::storage::{Health, StorageError};

/// Reads a table. A server that accepts connections does not prove that the tables can be read.
const CHECK: &str = "SELECT count(*) FROM families WHERE id = ''";

#[async_trait]
impl Health for PostgresStorage {
    async fn check(&self) -> Result<(), StorageError> {
        call(async || {
            sqlx::query(CHECK).execute(&mut *self.connections.lease().await?).await.map_err(fault)?;
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::CHECK;
    use crate::storage::postgres::query_plans::assert_index_lookups;

    postgres_tests! {
        async fn the_health_check_does_not_scan_families() {
            assert_index_lookups(&[CHECK]).await;
        }
    }
}
