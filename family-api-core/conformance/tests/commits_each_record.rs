//! An update that commits each record at once.

use async_trait::async_trait;
use family_api_conformance::{Subject, UpdateSubject, update_cases};
use family_api_core::storage::{
    BulkUpdate, KindChanges, LoadError, MissingRecords, Record, Storage, StorageError, Updater,
};
use family_api_sql::sqlite::SqliteStorage;
use tempfile::TempDir;

use crate::sqlite;
use crate::subject::Stored;

/// The cases that fail only if a record is stored before the commit.
pub(crate) const FAIL_IF_RECORDS_ARE_COMMITTED: [&str; 2] =
    ["a_dropped_update_changes_nothing", "a_preview_counts_like_a_commit_and_changes_nothing"];

struct CommitsEachRecord(Stored<SqliteStorage, TempDir>);

#[async_trait]
impl Subject for CommitsEachRecord {
    fn storage(&self) -> &dyn Storage {
        self.0.storage()
    }

    async fn seed(&self, records: Vec<Record>) {
        self.0.seed(records).await;
    }
}

impl UpdateSubject for CommitsEachRecord {
    fn update(&self) -> &dyn BulkUpdate {
        self
    }
}

#[async_trait]
impl BulkUpdate for CommitsEachRecord {
    async fn begin_update(&self, _: MissingRecords) -> Result<Box<dyn Updater>, StorageError> {
        Ok(Box::new(EachRecord(self.0.storage.clone())))
    }
}

struct EachRecord(SqliteStorage);

#[async_trait]
impl Updater for EachRecord {
    async fn upsert(&mut self, record: Record) -> Result<(), LoadError> {
        let mut update = self.0.begin_update(MissingRecords::Keep).await?;
        update.upsert(record).await?;
        update.commit().await.map(drop)
    }

    async fn commit(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        Ok(KindChanges::none())
    }

    async fn preview(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        Ok(KindChanges::none())
    }
}

#[tokio::test]
async fn some_cases_fail_if_records_are_committed() {
    for case in update_cases().into_iter().filter(|case| FAIL_IF_RECORDS_ARE_COMMITTED.contains(&case.name())) {
        let name = case.name();
        let subject = CommitsEachRecord(sqlite::subject().await);
        let panic = tokio::spawn(async move { case.run(&subject).await }).await.unwrap_err().into_panic();
        let message = panic.downcast_ref::<&str>().copied().unwrap_or_default();
        assert!(message.ends_with("has changed something"), "{name}: {message}");
    }
}
