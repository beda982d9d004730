//! Exports, in a read transaction.

use async_trait::async_trait;
use family_api_core::id::FamilyId;
use family_api_core::storage::{Export, ExportedPasswords, Exporter, StorageError};
use sqlx::{Executor, PgConnection, Postgres, Transaction};

use crate::bulk::{BulkExporter, Snapshot};
use crate::postgres::PostgresStorage;
use crate::postgres::error::fault;

/// All statements see the data of the first one. The timeouts are longer, because an export waits for the program that
/// reads it.
const BEGIN: &str = "
    SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = '10min';
    SET LOCAL idle_in_transaction_session_timeout = '10min'";

#[async_trait]
impl Export for PostgresStorage {
    async fn begin_export(
        &self,
        family: Option<&FamilyId>,
        passwords: ExportedPasswords,
    ) -> Result<Box<dyn Exporter>, StorageError> {
        if self.database.is_distributed() {
            return Err(StorageError::backend("distributed tables cannot be exported; back up with pg_dump"));
        }
        let mut transaction = self.database.begin().await?;
        transaction.execute(BEGIN).await.map_err(fault)?;
        Ok(Box::new(BulkExporter::new(transaction, family, passwords)))
    }
}

impl Snapshot for Transaction<'static, Postgres> {
    type Connection = PgConnection;

    fn connection(&mut self) -> &mut PgConnection {
        self
    }
}
