//! Writes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! record.

use std::ops::ControlFlow;

use family_api_core::id::{ItemId, ListId};
use family_api_core::storage::write_sequence::{delete_checked_items, write_record};
use family_api_core::storage::{Author, Credential, FoundCredential, RecordWrite, SignedIn, StorageError, Written};
use family_api_core::{Timestamp, for_each_kind};
use sqlx::SqliteConnection;

use crate::purge::Purge;
use crate::sqlite::SqliteStorage;
use crate::sqlite::credentials::find_signed_in;
use crate::sqlite::error::fault;
use crate::sqlite::token_cache::{find_access_token_uncached, find_key_uncached};
use crate::turns::Place;
use crate::writes::{RestOfSpread, SqlKind, SqlSteps, count_records, impl_write_storage};

for_each_kind!(impl_write_storage SqliteStorage =>);

impl SqliteStorage {
    async fn write_record<R: SqlKind>(
        &self,
        author: &Author,
        write: &RecordWrite<R>,
    ) -> Result<Written<R>, StorageError> {
        if write.only_reads() {
            let mut reader = self.database.readers().acquire().await.map_err(fault)?;
            let credential = find_credential(&mut reader, author, write.now).await?;
            let mut steps = SqlSteps::new(&mut *reader, &author.member, 0);
            return Ok(write_record(author, write, credential, &mut steps).await?.written);
        }
        let place = self.database.enter(&author.member.family)?;
        let mut rest = None;
        loop {
            match self.write_step(&place, author, write, rest).await? {
                ControlFlow::Break(written) => return Ok(written),
                ControlFlow::Continue(next) => rest = Some(next),
            }
        }
    }

    /// Runs a transaction of a write.
    async fn write_step<R: SqlKind>(
        &self,
        place: &Place,
        author: &Author,
        write: &RecordWrite<R>,
        resumed: Option<RestOfSpread>,
    ) -> Result<ControlFlow<Written<R>, RestOfSpread>, StorageError> {
        let mut transaction = self.database.begin_at(place).await?;
        let credential = find_credential(&mut transaction, author, write.now).await?;
        let mut steps = SqlSteps::new(&mut *transaction, &author.member, 0).resume(resumed);
        let outcome = write_record(author, write, credential, &mut steps).await;
        if let Some(rest) = steps.rest() {
            transaction.commit().await.map_err(fault)?;
            return Ok(ControlFlow::Continue(rest));
        }
        let outcome = outcome?;
        if let Some(last) = steps.lost_count() {
            transaction.rollback().await.map_err(fault)?;
            transaction = self.database.begin_at(place).await?;
            count_records(&mut *transaction, &author.member.family, last, write.now).await?;
            transaction.commit().await.map_err(fault)?;
        } else if outcome.is_stored {
            transaction.commit().await.map_err(fault)?;
        }
        Ok(ControlFlow::Break(outcome.written))
    }

    async fn delete_checked(
        &self,
        author: &Author,
        list: &ListId,
        now: Timestamp,
    ) -> Result<Written<Vec<ItemId>>, StorageError> {
        let place = self.database.enter(&author.member.family)?;
        let mut transaction = self.database.begin_at(&place).await?;
        let credential = find_credential(&mut transaction, author, now).await?;
        let mut steps = SqlSteps::new(&mut *transaction, &author.member, 0);
        let outcome = delete_checked_items(author, list, now, credential, &mut steps).await?;
        if outcome.is_stored {
            transaction.commit().await.map_err(fault)?;
        }
        Ok(outcome.written)
    }

    /// Finds the rows with a read-only connection. If there are none, the write lock is not taken.
    async fn purge_rows(&self, purge: Purge<'_>, limit: u32) -> Result<u64, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        let rows = purge.find(&mut *reader, limit).await?;
        drop(reader);
        if rows.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.database.begin().await?;
        let deleted = purge.delete(&mut *transaction, &rows).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(deleted)
    }
}

/// Finds the current state of the author's credential. Inside a write transaction it needs no lock of its own, because
/// SQLite has only one writer at a time.
async fn find_credential(
    connection: &mut SqliteConnection,
    author: &Author,
    now: Timestamp,
) -> Result<FoundCredential, StorageError> {
    Ok(match &author.credential {
        Credential::Grant(digest) => FoundCredential::Grant(find_access_token_uncached(connection, digest).await?),
        Credential::External => FoundCredential::External(
            find_signed_in(connection, &SignedIn::from(author.member.user.clone()), now).await?,
        ),
        Credential::Key(digest) => FoundCredential::Key(find_key_uncached(connection, digest).await?),
        Credential::Session(session) => {
            let signed_in = SignedIn { user: author.member.user.clone(), session: *session };
            FoundCredential::Session(find_signed_in(connection, &signed_in, now).await?)
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::purge::{sorts as purge_sorts, statements as purge_statements, statements_by_age};
    use crate::sql_connection::Engine;
    use crate::sqlite::query_plans::{assert_index_lookups, assert_index_lookups_and_sort, assert_plan};
    use crate::writes::{sorts, statements as write_statements};

    #[tokio::test]
    async fn writes_look_up_by_family() {
        let statements = write_statements(Engine::Sqlite).into_iter().chain(purge_statements());
        let (sorting, others): (Vec<_>, Vec<_>) = statements.partition(|sql| sorts(sql) || purge_sorts(sql));
        assert_eq!(sorting.len(), 5);
        assert_index_lookups_and_sort(&sorting).await;
        assert_index_lookups(&others).await;
    }

    #[tokio::test]
    async fn purges_look_up_by_age() {
        for (sql, column) in statements_by_age() {
            assert_plan(sql, &[&format!("({column}<?)")]).await;
        }
    }
}
