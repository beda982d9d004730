//! Changes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! changed record. Writes of the same family run one after the other.

use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::{begin_write, call};
use crate::storage::postgres::credentials::lock_credential;
use crate::storage::postgres::error::fault;
use crate::storage::record_changes::impl_write_storage;
use crate::storage::sql::SqlChange;
use crate::storage::write_sequence::RecordWrite;
use crate::storage::{StorageError, Update};

impl_write_storage!([] PostgresStorage, PostgresStorage::write);

impl PostgresStorage {
    async fn write<C: SqlChange>(&self, write: &RecordWrite<'_, C>) -> Result<Update<C::Output>, StorageError> {
        call(async || {
            let mut connection = self.connections.lease().await?;
            if write.change.is_empty() {
                let credential = lock_credential(&mut connection, write.author, write.now).await?;
                return write.run(credential, &mut *connection).await;
            }
            let (mut transaction, family_exists) = begin_write(&mut connection, &write.author.member.family).await?;
            let credential = lock_credential(&mut transaction, write.author, write.now).await?;
            if !family_exists {
                let checked = write.author.check(credential, write.now);
                return Ok(checked.map_or_else(Update::from, |()| Update::NotFound));
            }
            let update = write.run(credential, &mut *transaction).await?;
            if let Update::Done(_) = update {
                transaction.commit().await.map_err(fault)?;
            }
            Ok(update)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use crate::storage::postgres::query_plans::assert_index_lookups;
    use crate::storage::sql::write_statements;

    postgres_tests! {
        async fn writes_look_up_by_family() {
            assert_index_lookups(&write_statements()).await;
        }
    }
}
