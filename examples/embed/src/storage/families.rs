//! Loads and stores family data. The library applies the rules of what a member may see and change.

use family_api_core::change::TaskWrite;
use family_api_core::resource::RecordKind;
use family_api_core::storage::{
    Author, Capabilities, Change, FamilyData, FamilyStore, FamilyWrite, FoundCredential, Member, Needs, StorageError,
};
use family_api_sql::sqlite::fault;
use salvo::async_trait;
use serde_json::{Value, json};
use sqlx::SqliteExecutor;

use crate::storage::{Hearth, parse};

#[async_trait]
impl FamilyStore for Hearth {
    /// Chores can be changed, and memos changed and deleted. The app adds and removes its chores itself, and keeps no
    /// deleted memos. Chores do not recur. Appointments have neither a time zone of their own nor changed occurrences,
    /// and are for one person. The app does not count the changes of a record. The API offers nothing else.
    fn capabilities(&self) -> Capabilities {
        Capabilities::updates()
            .without_fields(RecordKind::Task, &["recurrence", "lastCompletedAt", "sequence"])
            .without_fields(RecordKind::Event, &["timeZone", "overrides", "participantIds", "sequence"])
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        load(&self.readers, member, needs).await
    }

    /// Makes the writes, which are only those of the [`Capabilities`].
    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let member = &change.author.member;
        let mut transaction = self.begin().await?;
        let data = load(&mut *transaction, member, change.needs).await?;
        for write in change.writes(&data).await? {
            let (kind, id, record) = match write {
                FamilyWrite::Task(TaskWrite { task, makes_room }) => {
                    let mut record = json!(task);
                    record["makesRoom"] = json!(makes_room);
                    ("tasks", task.id.to_string(), record)
                }
                FamilyWrite::Note(note) => ("notes", note.id.to_string(), json!(note)),
                FamilyWrite::Delete(RecordKind::Note, id) => ("notes", id, Value::Null),
                _ => return Err(StorageError::backend("the app does not make this write")),
            };
            let query = sqlx::query(include_str!("../sql/write_record.sql")).bind(member.family.as_str());
            query.bind(kind).bind(id).bind(record.to_string()).fetch_one(&mut *transaction).await.map_err(fault)?;
        }
        transaction.commit().await.map_err(fault)
    }

    /// The transaction of the change holds the write lock, so the app's rows cannot change before the commit.
    async fn find_credential(&self, author: &Author) -> Result<FoundCredential, StorageError> {
        author.find_credential_or_grant(self, &*self.grants).await
    }
}

async fn load(db: impl SqliteExecutor<'_>, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
    let query = sqlx::query_scalar(include_str!("../sql/load_family.sql")).bind(member.family.as_str());
    let data: String =
        query.bind(member.user.as_str()).bind(needs.fields().to_string()).fetch_one(db).await.map_err(fault)?;
    parse(&data)
}
