//! An update that commits each record at once, and deletes no missing record.

use async_trait::async_trait;
use family_api_conformance::{Subject, UpdateSubject};
use family_api_core::storage::{
    BulkUpdate, KindChanges, LoadError, MissingRecords, Record, Storage, StorageError, Updater,
};
use tempfile::TempDir;

use crate::failure::{runs, wrong_outcomes};
use crate::sqlite;
use crate::subject::{SqliteStorage, Stored};

/// The cases that fail by a check if each record is stored at once, and no missing record is deleted.
pub(crate) const FAIL_IF_RECORDS_ARE_COMMITTED: [&str; 16] = [
    "a_dropped_update_changes_nothing",
    "a_preview_counts_like_a_commit_and_changes_nothing",
    "a_reader_sees_all_changes_of_an_update_or_none",
    "a_user_leaves_a_family_only_if_the_update_contains_it",
    "an_email_is_given_up_before_another_user_gets_it",
    "an_idempotency_key_of_a_missing_user_is_forgotten",
    "an_update_becomes_visible_on_commit_not_before",
    "an_update_changes_the_revision_of_the_changed_family_only",
    "an_update_deletes_the_keys_of_missing_users_only",
    "an_update_deletes_the_missing_records_of_its_families_only",
    "an_update_refuses_a_parent_that_is_not_in_the_family",
    "an_update_refuses_a_repeated_id",
    "an_update_that_deletes_contains_every_parent",
    "an_update_with_a_refused_record_changes_nothing",
    "deleted_private_records_of_a_missing_user_are_forgotten",
    "the_records_of_each_kind_are_counted",
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
        Ok(Box::new(EachRecord { storage: self.0.storage.clone(), changes: KindChanges::none() }))
    }
}

struct EachRecord {
    storage: SqliteStorage,
    changes: Vec<KindChanges>,
}

#[async_trait]
impl Updater for EachRecord {
    async fn upsert(&mut self, record: Record) -> Result<(), LoadError> {
        let mut update = self.storage.begin_update(MissingRecords::Keep).await?;
        update.upsert(record).await?;
        for (sum, change) in self.changes.iter_mut().zip(update.commit().await?) {
            sum.created += change.created;
            sum.changed += change.changed;
            sum.unchanged += change.unchanged;
        }
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        Ok(self.changes)
    }

    async fn preview(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        Ok(self.changes)
    }
}

#[tokio::test]
async fn exactly_the_named_cases_fail_if_records_are_committed() {
    let subject = async || CommitsEachRecord(sqlite::subject().await);
    let wrong = wrong_outcomes(runs!(subject(); update_cases), &FAIL_IF_RECORDS_ARE_COMMITTED).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}
