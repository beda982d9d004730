//! Changes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! changed record.

use crate::storage::record_changes::impl_write_storage;
use crate::storage::sql::SqlChange;
use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::credentials::find_credential;
use crate::storage::sqlite::error::fault;
use crate::storage::write_sequence::RecordWrite;
use crate::storage::{StorageError, Update};

impl_write_storage!([] SqliteStorage, SqliteStorage::write);

impl SqliteStorage {
    async fn write<C: SqlChange>(&self, write: &RecordWrite<'_, C>) -> Result<Update<C::Output>, StorageError> {
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

#[cfg(test)]
mod tests {
    use crate::storage::sql::write_statements;
    use crate::storage::sqlite::query_plans::assert_index_lookups;

    #[tokio::test]
    async fn writes_look_up_by_family() {
        assert_index_lookups(&write_statements()).await;
    }
}
