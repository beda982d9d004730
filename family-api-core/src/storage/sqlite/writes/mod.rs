//! Changes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! changed record.

mod note;
mod task;

use sqlx::SqliteConnection;

use crate::storage::record_changes::impl_write_storage;
use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::credentials::find_credential;
use crate::storage::sqlite::error::fault;
use crate::storage::write_sequence::{RecordChange, RecordWrite, WriteStatements};
use crate::storage::{StorageError, Update};

impl_write_storage!([] SqliteStorage, SqliteStorage::write);

impl SqliteStorage {
    async fn write<C: RecordChange>(&self, write: &RecordWrite<'_, C>) -> Result<Update<C::Output>, StorageError>
    where
        SqliteConnection: WriteStatements<C>,
    {
        if write.change.is_empty() {
            let mut reader = self.connections.readers().acquire().await.map_err(fault)?;
            let credential = find_credential(&mut reader, write.author, write.now).await?;
            return write.run(credential, &mut *reader).await;
        }
        let mut transaction = self.connections.begin().await?;
        let credential = find_credential(&mut transaction, write.author, write.now).await?;
        let update = write.run(credential, &mut *transaction).await?;
        if let Update::Done(_) = update {
            transaction.commit().await.map_err(fault)?;
        }
        Ok(update)
    }
}
