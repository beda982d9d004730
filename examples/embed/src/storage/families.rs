//! Family data: rows go in and out, and no rule of what a member sees or may change is needed here.

use family_api_core::storage::{FamilyData, FamilyStore, FamilyWrite, Judge, Member, StorageError};
use family_api_core::{change::TaskWrite, resource::ResourceKind};
use salvo::async_trait;
use serde_json::{Value, json};
use sqlx::SqliteExecutor;

use crate::storage::{Hearth, fault, read};

/// One statement, so one moment; whoever is not in the household any more finds nothing there.
const LOAD: &str = "SELECT json_group_object(kind, json(records)) FROM (
        SELECT kind, json_group_array(json(record)) AS records FROM family_record
        WHERE household = ?1 AND EXISTS (SELECT 1 FROM person WHERE id = ?2 AND household = ?1)
          AND kind IN (SELECT kind FROM resource_kind WHERE resource = ?3)
        GROUP BY kind
    )";

/// Where a chore stands at the place, every other one of the lane from there on goes one further.
const MAKE_ROOM: &str = "UPDATE chore SET place = place + 1 WHERE lane = ?2 AND place >= ?3 AND id <> ?4
    AND lane IN (SELECT l.id FROM lane l JOIN wall w ON w.id = l.wall WHERE w.household = ?1)
    AND EXISTS (SELECT 1 FROM chore WHERE lane = ?2 AND place = ?3 AND id <> ?4)";

/// What becomes `null` is gone.
const WRITE: &str = "UPDATE family_record SET record = ?4 WHERE household = ?1 AND kind = ?2 AND id = ?3";

#[async_trait]
impl FamilyStore for Hearth {
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        load(&self.pool, member, resource).await
    }

    async fn change(&self, member: &Member, resource: ResourceKind, judge: Judge<'_>) -> Result<(), StorageError> {
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
        let data = load(&mut *transaction, member, resource).await?;
        let household = member.family.as_str();
        let (kind, id, record) = match judge(&data) {
            None => return Ok(()),
            Some(FamilyWrite::Task(TaskWrite { task, makes_room })) => {
                if makes_room {
                    let query = sqlx::query(MAKE_ROOM).bind(household).bind(task.column_id.as_str()).bind(task.order);
                    query.bind(task.id.as_str()).execute(&mut *transaction).await.map_err(fault)?;
                }
                ("tasks", task.id.to_string(), json!(task))
            }
            Some(FamilyWrite::Note(note)) => ("notes", note.id.to_string(), json!(note)),
            Some(FamilyWrite::DeleteNote(note)) => ("notes", note.to_string(), Value::Null),
        };
        let query = sqlx::query(WRITE).bind(household).bind(kind).bind(id).bind(record.to_string());
        query.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }
}

async fn load(db: impl SqliteExecutor<'_>, member: &Member, of: ResourceKind) -> Result<FamilyData, StorageError> {
    let query = sqlx::query_scalar(LOAD).bind(member.family.as_str()).bind(member.user.as_str()).bind(of.as_str());
    let data: String = query.fetch_one(db).await.map_err(fault)?;
    read(&data)
}
