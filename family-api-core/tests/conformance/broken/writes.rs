//! Flaws of the writes, handed to where their aggregate is.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::{NoteChange, TaskUpdate};
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Note, Task};
use family_api_core::storage::{Member, StorageError, Update, Writes};

use crate::broken::Broken;
use crate::broken::tasks::TaskWriter;

#[async_trait]
impl Writes for Broken {
    async fn update_task(
        &self,
        member: &Member,
        task: &TaskId,
        update: TaskUpdate,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        TaskWriter { broken: self, member, task, zone, now }.update(update).await
    }

    async fn update_note(
        &self,
        member: &Member,
        note: &NoteId,
        change: NoteChange,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        self.update_note_with_flaw(member, note, change, now).await
    }

    async fn delete_note(&self, member: &Member, note: &NoteId) -> Result<bool, StorageError> {
        self.delete_note_with_flaw(member, note).await
    }
}
