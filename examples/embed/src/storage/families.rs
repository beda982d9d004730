//! Loads and stores family data. The library applies the rules of what a member may see and change.

use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::storage::{
    Author, Capabilities, DecideFn, FamilyData, FamilyStore, FamilyWrite, KeyStorage, Member, StorageError, UserStorage,
};
use family_api_core::{Timestamp, change::TaskWrite};
use family_api_sql::sqlite::fault;
use salvo::async_trait;
use serde_json::{Value, json};
use sqlx::SqliteExecutor;

use crate::storage::{Hearth, parse};

#[async_trait]
impl FamilyStore for Hearth {
    /// Chores can be changed, and memos changed and deleted. The app adds and removes its chores itself, and keeps no
    /// deleted memos. The API offers nothing else.
    fn capabilities(&self) -> Capabilities {
        Capabilities::updates()
    }

    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        load(&self.readers, member, resource).await
    }

    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        _now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        self.change_with(author, self, resource, decide).await
    }
}

impl Hearth {
    /// Looks up the author's credential in `keys`, which stores keys and users. Then loads the records of the resource
    /// and makes the writes that `decide` returns, which are only those of the [`Capabilities`].
    pub async fn change_with(
        &self,
        author: &Author,
        keys: &(impl KeyStorage + UserStorage),
        resource: ResourceKind,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        let mut transaction = self.begin().await?;
        // This transaction holds the write lock, so the app's rows cannot change before the commit.
        let credential = author.find_credential_or_grant(keys, &*self.grants).await?;
        let member = &author.member;
        let data = load(&mut *transaction, member, resource).await?;
        for write in decide(credential, &data) {
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
}

async fn load(db: impl SqliteExecutor<'_>, member: &Member, of: ResourceKind) -> Result<FamilyData, StorageError> {
    let query = sqlx::query_scalar(include_str!("../sql/load_family.sql")).bind(member.family.as_str());
    let data: String = query.bind(member.user.as_str()).bind(of.as_str()).fetch_one(db).await.map_err(fault)?;
    parse(&data)
}
