//! An update that commits each record at once.

use async_trait::async_trait;
use family_api_conformance::{Subject, UpdateSubject};
use family_api_core::storage::{
    BulkUpdate, KindChanges, LoadError, MissingRecords, Record, Storage, StorageError, Updater,
};
use tempfile::TempDir;

use crate::failure::{runs, wrong_outcomes};
use crate::sqlite;
use crate::subject::{SqliteStorage, Stored};

/// The cases that fail because a record is stored before the commit. Other cases fail because nothing is counted.
pub(crate) const FAIL_IF_RECORDS_ARE_COMMITTED: [&str; 6] = [
    "a_dropped_update_changes_nothing",
    "a_preview_counts_like_a_commit_and_changes_nothing",
    "a_reader_sees_all_changes_of_an_update_or_none",
    "an_update_becomes_visible_on_commit_not_before",
    "an_update_refuses_a_repeated_id",
    "an_update_with_a_refused_record_changes_nothing",
];

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
async fn the_named_cases_fail_if_records_are_committed() {
    let subject = async || CommitsEachRecord(sqlite::subject().await);
    let mut runs = runs!(subject(); update_cases);
    runs.retain(|(name, _)| FAIL_IF_RECORDS_ARE_COMMITTED.contains(name));
    let wrong = wrong_outcomes(runs, &FAIL_IF_RECORDS_ARE_COMMITTED).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}
