//! Writes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! record.

use family_api_core::id::{FamilyId, ListId};
use family_api_core::resource::ShoppingItem;
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
use crate::writes::{
    Counted, Interruption, LastCount, SqlKind, SqlSteps, count_records, find_counts, impl_write_storage, store_counts,
};

for_each_kind!(impl_write_storage SqliteStorage =>);

/// Maximum counts of the records of a family that is changed meanwhile.
const MAX_COUNTS: u32 = 3;

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
        let mut place = self.database.enter(&author.member.family)?;
        let mut resumed = None;
        loop {
            let mut transaction = self.database.begin_at(&mut place).await?;
            let credential = find_credential(&mut transaction, author, write.now).await?;
            let mut steps = SqlSteps::new(&mut *transaction, &author.member, 0).resume(resumed);
            let outcome = write_record(author, write, credential, &mut steps).await;
            match steps.interruption() {
                Some(Interruption::Count(last)) => {
                    transaction.rollback().await.map_err(fault)?;
                    self.count(&mut place, &author.member.family, last, write.now).await?;
                }
                Some(Interruption::Spread(rest)) => {
                    transaction.commit().await.map_err(fault)?;
                    resumed = Some(rest);
                }
                None => {
                    let outcome = outcome?;
                    if outcome.is_stored {
                        transaction.commit().await.map_err(fault)?;
                    }
                    return Ok(outcome.written);
                }
            }
        }
    }

    /// Counts the records of a family with a read-only connection, so that no write of another family waits for it. If
    /// the family changes meanwhile again and again, counts them in a write transaction.
    async fn count(
        &self,
        place: &mut Place,
        family: &FamilyId,
        last: LastCount,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        for _ in 0..MAX_COUNTS {
            let Some(counted) = self.find_counts(family, last).await.map_err(StorageError::not_begun)? else {
                return Ok(());
            };
            let mut transaction = self.database.begin_at(place).await?;
            if store_counts(&mut *transaction, family, &counted, now).await? {
                return transaction.commit().await.map_err(fault);
            }
        }
        let mut transaction = self.database.begin_at(place).await?;
        count_records(&mut *transaction, family, last, now).await?;
        transaction.commit().await.map_err(fault)
    }

    /// Counts one family at a time, so that the counts leave connections for reads. A separate task counts: if the caller
    /// is cancelled, the statement runs to its end, and the next count waits for it.
    async fn find_counts(&self, family: &FamilyId, last: LastCount) -> Result<Option<Counted>, StorageError> {
        let (database, family) = (self.database.clone(), family.clone());
        let count = tokio::spawn(async move {
            let _counting = database.begin_count().await?;
            let mut reader = database.readers().acquire().await.map_err(fault)?;
            find_counts(&mut *reader, &family, last).await
        });
        count.await.map_err(StorageError::backend)?
    }

    async fn delete_checked(
        &self,
        author: &Author,
        list: &ListId,
        now: Timestamp,
    ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
        let mut place = self.database.enter(&author.member.family)?;
        let mut transaction = self.database.begin_at(&mut place).await?;
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
    use sqlx::Executor;

    use super::*;
    use crate::purge::{sorts as purge_sorts, statements as purge_statements, statements_by_age};
    use crate::sql_connection::Engine;
    use crate::sqlite::SqliteOptions;
    use crate::sqlite::query_plans::{assert_index_lookups, assert_index_lookups_and_sort, assert_plan};
    use crate::writes::{sorts, statements as write_statements};

    const ONE_NOTE: &str = "
        INSERT INTO families (id, name, created_at, updated_at)
        VALUES ('home', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
        INSERT INTO notes (id, family_id, title, content, pinned, tags, created_at, updated_at)
        VALUES ('note', 'home', '', '', 0, '[]', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')";

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

    #[tokio::test]
    async fn a_count_of_an_earlier_revision_is_not_stored() {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteOptions::new(folder.path().join("family.db")).open().await.unwrap();
        let (family, now) = ("home".parse().unwrap(), "2026-02-10T00:00:00Z".parse().unwrap());
        let mut writer = storage.database.begin().await.unwrap();
        writer.execute(ONE_NOTE).await.unwrap();
        let counted = find_counts(&mut *writer, &family, LastCount::default()).await.unwrap().unwrap();
        writer.execute("UPDATE notes SET title = 'x'").await.unwrap();
        assert!(!store_counts(&mut *writer, &family, &counted, now).await.unwrap());
        let counted = find_counts(&mut *writer, &family, LastCount::default()).await.unwrap().unwrap();
        assert!(store_counts(&mut *writer, &family, &counted, now).await.unwrap());
        assert!(find_counts(&mut *writer, &family, LastCount::default()).await.unwrap().is_none());
    }
}
