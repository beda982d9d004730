//! Exports, in a read transaction on a separate connection.

use async_trait::async_trait;
use family_api_core::id::FamilyId;
use family_api_core::storage::{Export, ExportedPasswords, Exporter, StorageError};
use sqlx::{Executor, SqliteConnection};

use crate::bulk::{BulkExporter, Snapshot};
use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;

#[async_trait]
impl Export for SqliteStorage {
    async fn begin_export(
        &self,
        family: Option<&FamilyId>,
        passwords: ExportedPasswords,
    ) -> Result<Box<dyn Exporter>, StorageError> {
        let mut connection = self.database.reader().await?;
        // The first read of the transaction takes the snapshot.
        connection.execute("BEGIN").await.map_err(fault)?;
        Ok(Box::new(BulkExporter::new(connection, family, passwords)))
    }
}

impl Snapshot for SqliteConnection {
    type Connection = Self;

    fn connection(&mut self) -> &mut Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, Row};

    use crate::bulk::all_export_statements;
    use crate::sqlite::query_plans::open;

    #[tokio::test]
    async fn a_page_is_looked_up_by_its_first_key() {
        let (storage, _folder) = open().await;
        let mut connection = storage.database.reader().await.unwrap();
        for sql in all_export_statements() {
            let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
            let steps = sqlx::query(explain).fetch_all(&mut connection).await.unwrap();
            let steps: Vec<String> = steps.iter().map(|step| step.get("detail")).collect();
            assert!(steps.iter().all(|step| !step.starts_with("SCAN")), "{sql}\n{steps:#?}");
            let sorts = steps.iter().any(|step| step.contains("TEMP B-TREE"));
            let is_of_users = ["integration_keys", "calendar_feeds"].iter().any(|table| sql.contains(table));
            assert!(!sorts || is_of_users, "{sql}\n{steps:#?}");
        }
    }
}
