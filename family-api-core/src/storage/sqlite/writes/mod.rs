//! Changes of family data: facts, verdict and change are one transaction.

mod note;
mod task;

use async_trait::async_trait;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::change::{NoteChange, TaskUpdate};
use crate::id::{NoteId, TaskId};
use crate::resource::{Note, Task};
use crate::storage::sqlite::SqliteStorage;
use crate::storage::{Member, StorageError, Update, Writes};

#[async_trait]
impl Writes for SqliteStorage {
    async fn update_task(
        &self,
        member: &Member,
        task: &TaskId,
        update: TaskUpdate,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        if update.is_empty() {
            return task::find(&self.connections, member, task, &update).await;
        }
        task::update(&self.connections, member, task, update, zone, now).await
    }

    async fn update_note(
        &self,
        member: &Member,
        note: &NoteId,
        change: NoteChange,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        if change.is_empty() {
            return note::find(&self.connections, member, note, &change).await;
        }
        note::update(&self.connections, member, note, change, now).await
    }

    async fn delete_note(&self, member: &Member, note: &NoteId) -> Result<bool, StorageError> {
        note::delete(&self.connections, member, note).await
    }
}
