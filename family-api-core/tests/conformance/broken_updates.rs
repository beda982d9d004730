//! A storage whose updates have one flaw. Apart from the flaw, it works like its inner `SqliteStorage`.

use async_trait::async_trait;
use family_api_core::conformance::{CredentialsSubject, GrantsSubject, Subject, UpdateSubject, seed_by_load};
use family_api_core::storage::sqlite::SqliteStorage;
use family_api_core::storage::{
    BulkUpdate, CredentialStorage, GrantStorage, KindChanges, LoadError, MissingRecords, Record, Storage, StorageError,
    Updater,
};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tempfile::TempDir;

/// One flaw of the updates of a storage. The name reads as a sentence: "the storage commits previews".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    CommitsEachRecord,
    CommitsPreviews,
    PreviewsNothing,
    OmitsKindsWithoutChanges,
    CountsUnchangedRecordsAsChanged,
    CountsBeforeTheLock,
    NumbersRecordsFromZero,
    ReportsFaultsWithoutField,
    ReportsTheLastRecord,
    SortsRecordsByKind,
    SkipsRefusedRecords,
    AlwaysDeletes,
    NeverDeletes,
    LosesLabelsOfNewTasks,
    KeepsOldColumnsOfTasks,
    ChangesNotesOfEveryFamily,
    KeepsDeletedRecords,
    KeepsTheBoundOfNotes,
    NeverChangesTheRevision,
    ChangesTheRevisionOfEveryFamily,
    KeepsFamiliesOfUsers,
    KeepsSessions,
    EndsSessionsOfEveryUser,
    ForgetsPasswords,
    RestoresRevokedKeys,
    DeletesNotesOfEveryFamily,
    DeletesCredentialsOfEveryUser,
    KeepsGrants,
    KeepsIdempotencyKeys,
}

impl Flaw {
    /// Returns the SQL that runs before each update, if the flaw is in the database.
    fn sql(self) -> Option<String> {
        let trigger =
            |event: &str, action: &str| Some(format!("CREATE TRIGGER IF NOT EXISTS flaw {event} BEGIN {action}; END"));
        let ignore_deletion = |table: &str| trigger(&format!("BEFORE DELETE ON {table}"), "SELECT RAISE(IGNORE)");
        match self {
            Self::LosesLabelsOfNewTasks => trigger(
                "AFTER INSERT ON tasks",
                "UPDATE tasks SET labels = '[]' WHERE family_id = NEW.family_id AND id = NEW.id",
            ),
            Self::KeepsOldColumnsOfTasks => trigger(
                "AFTER UPDATE ON tasks",
                "UPDATE tasks SET column_id = OLD.column_id WHERE family_id = NEW.family_id AND id = NEW.id",
            ),
            Self::ChangesNotesOfEveryFamily => {
                trigger("AFTER UPDATE ON notes", "UPDATE notes SET title = NEW.title WHERE id = NEW.id")
            }
            Self::KeepsDeletedRecords => ignore_deletion("deleted_records"),
            Self::KeepsTheBoundOfNotes => trigger(
                "AFTER UPDATE OF notes_bound ON families WHEN NEW.notes_bound IS NULL",
                "UPDATE families SET notes_bound = OLD.notes_bound WHERE id = NEW.id",
            ),
            Self::NeverChangesTheRevision => trigger(
                "AFTER UPDATE OF revision ON families",
                "UPDATE families SET revision = OLD.revision WHERE id = NEW.id",
            ),
            Self::ChangesTheRevisionOfEveryFamily => Some("UPDATE families SET revision = revision + 1".to_owned()),
            Self::KeepsFamiliesOfUsers => trigger(
                "AFTER UPDATE OF family_id ON users",
                "UPDATE users SET family_id = OLD.family_id WHERE id = NEW.id",
            ),
            Self::KeepsSessions => ignore_deletion("sessions"),
            Self::EndsSessionsOfEveryUser => trigger("AFTER UPDATE ON passwords", "DELETE FROM sessions"),
            Self::ForgetsPasswords => trigger("AFTER UPDATE ON users", "DELETE FROM passwords WHERE user_id = NEW.id"),
            Self::RestoresRevokedKeys => trigger(
                "AFTER UPDATE ON integration_keys",
                "UPDATE integration_keys SET revoked_at = NULL WHERE digest = NEW.digest",
            ),
            Self::DeletesNotesOfEveryFamily => trigger("AFTER DELETE ON notes", "DELETE FROM notes"),
            Self::DeletesCredentialsOfEveryUser => trigger(
                "AFTER DELETE ON users",
                "DELETE FROM integration_keys; DELETE FROM sessions; DELETE FROM grants",
            ),
            Self::KeepsGrants => ignore_deletion("grants"),
            Self::KeepsIdempotencyKeys => ignore_deletion("idempotency_keys"),
            _ => None,
        }
    }
}

pub(crate) struct BrokenUpdates {
    storage: SqliteStorage,
    folder: TempDir,
    flaw: Option<Flaw>,
}

impl BrokenUpdates {
    pub(crate) async fn open(flaw: Option<Flaw>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        Self { storage, folder, flaw }
    }

    async fn execute(&self, sql: String) {
        let file = SqliteConnectOptions::new().filename(self.folder.path().join("family.db"));
        file.connect().await.unwrap().execute(sqlx::AssertSqlSafe(sql)).await.unwrap();
    }
}

#[async_trait]
impl BulkUpdate for BrokenUpdates {
    async fn begin_update(&self, missing: MissingRecords) -> Result<Box<dyn Updater>, StorageError> {
        if let Some(sql) = self.flaw.and_then(Flaw::sql) {
            self.execute(sql).await;
        }
        let missing = match self.flaw {
            Some(Flaw::AlwaysDeletes) => MissingRecords::Delete,
            Some(Flaw::NeverDeletes) => MissingRecords::Keep,
            _ => missing,
        };
        let storage = self.storage.clone();
        Ok(Box::new(BrokenUpdater { storage, missing, flaw: self.flaw, records: Vec::new() }))
    }
}

/// Collects the records, and stores them at the end.
struct BrokenUpdater {
    storage: SqliteStorage,
    missing: MissingRecords,
    flaw: Option<Flaw>,
    records: Vec<Record>,
}

/// Whether an update is committed.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Commit,
    Preview,
}

impl BrokenUpdater {
    async fn store(
        &self,
        missing: MissingRecords,
        records: &[Record],
        end: End,
    ) -> Result<Vec<KindChanges>, LoadError> {
        let mut update = self.storage.begin_update(missing).await?;
        for record in records {
            update.upsert(record.clone()).await?;
        }
        if end == End::Commit { update.commit().await } else { update.preview().await }
    }

    async fn store_all(&mut self, end: End) -> Result<Vec<KindChanges>, LoadError> {
        match self.flaw {
            Some(Flaw::SkipsRefusedRecords) => {
                for record in &self.records {
                    match self.store(MissingRecords::Keep, std::slice::from_ref(record), end).await {
                        Err(LoadError::Refused { .. }) => {}
                        other => drop(other?),
                    }
                }
                return Ok(KindChanges::none());
            }
            Some(Flaw::CountsBeforeTheLock) => {
                let counts = self.store(self.missing, &self.records, End::Preview).await?;
                self.store(self.missing, &self.records, end).await?;
                return Ok(counts);
            }
            Some(Flaw::CommitsPreviews) => return self.store(self.missing, &self.records, End::Commit).await,
            Some(Flaw::PreviewsNothing) if end == End::Preview => return Ok(KindChanges::none()),
            Some(Flaw::SortsRecordsByKind) => {
                self.records.sort_by_key(|record| Record::KINDS.iter().position(|kind| *kind == record.kind()));
            }
            _ => {}
        }
        self.store(self.missing, &self.records, end).await
    }

    fn flawed_counts(&self, mut changes: Vec<KindChanges>) -> Vec<KindChanges> {
        match self.flaw {
            Some(Flaw::OmitsKindsWithoutChanges) => changes.retain(|kind| kind.created + kind.changed > 0),
            Some(Flaw::CountsUnchangedRecordsAsChanged) => {
                for kind in &mut changes {
                    kind.changed += std::mem::take(&mut kind.unchanged);
                }
            }
            _ => {}
        }
        changes
    }

    fn flawed_error(&self, error: LoadError) -> LoadError {
        let LoadError::Refused { mut number, id, mut fault } = error else { return error };
        match self.flaw {
            Some(Flaw::NumbersRecordsFromZero) => number -= 1,
            Some(Flaw::ReportsTheLastRecord) => number = self.records.len() as u64,
            Some(Flaw::ReportsFaultsWithoutField) => fault.field.clear(),
            _ => {}
        }
        LoadError::Refused { number, id, fault }
    }

    async fn finish(mut self, end: End) -> Result<Vec<KindChanges>, LoadError> {
        match self.store_all(end).await {
            Ok(changes) => Ok(self.flawed_counts(changes)),
            Err(error) => Err(self.flawed_error(error)),
        }
    }
}

#[async_trait]
impl Updater for BrokenUpdater {
    async fn upsert(&mut self, record: Record) -> Result<(), LoadError> {
        if self.flaw == Some(Flaw::CommitsEachRecord) {
            self.store(MissingRecords::Keep, &[record], End::Commit).await?;
        } else {
            self.records.push(record);
        }
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        self.finish(End::Commit).await
    }

    async fn preview(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        self.finish(End::Preview).await
    }
}

#[async_trait]
impl Subject for BrokenUpdates {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        seed_by_load(&self.storage, records).await;
    }
}

impl UpdateSubject for BrokenUpdates {
    fn update(&self) -> &dyn BulkUpdate {
        self
    }

    fn with_credentials(&self) -> Option<&dyn CredentialsSubject> {
        Some(self)
    }

    fn with_grants(&self) -> Option<&dyn GrantsSubject> {
        Some(self)
    }
}

impl CredentialsSubject for BrokenUpdates {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.storage
    }
}

impl GrantsSubject for BrokenUpdates {
    fn grants(&self) -> &dyn GrantStorage {
        &self.storage
    }
}
