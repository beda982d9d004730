//! Whether the database answers.

use async_trait::async_trait;

use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::call;
use crate::storage::postgres::error::fault;
use crate::storage::{Health, StorageError};

/// Asks for a table of ours: a server that answers may have lost the database.
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
    use crate::storage::postgres::query_plans::assert_looked_up;

    postgres_tests! {
        async fn health_is_checked_without_going_through_the_families() {
            assert_looked_up(&[CHECK]).await;
        }
    }
}
