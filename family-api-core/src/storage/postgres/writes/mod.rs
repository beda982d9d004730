//! Changes of family data. One transaction checks the credential, reads the record, applies the rules and stores the
//! result. Writes of one family run one after the other.

mod note;
mod task;

use async_trait::async_trait;

use crate::calendar::Zone;
use crate::change::{NoteChange, TaskUpdate};
use crate::id::{NoteId, TaskId};
use crate::resource::{Note, Task};
use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::call;
use crate::storage::{Author, StorageError, Update, WriteStorage};
use crate::{Precondition, Timestamp};

#[async_trait]
impl WriteStorage for PostgresStorage {
    async fn update_task(
        &self,
        author: &Author,
        task: &TaskId,
        update: TaskUpdate,
        precondition: &Precondition,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        if update.is_empty() {
            return call(|| task::find(&self.connections, author, task, &update, precondition, now)).await;
        }
        call(|| task::update(&self.connections, author, task, &update, precondition, zone, now)).await
    }

    async fn update_note(
        &self,
        author: &Author,
        note: &NoteId,
        change: NoteChange,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        if change.is_empty() {
            return call(|| note::find(&self.connections, author, note, &change, precondition, now)).await;
        }
        call(|| note::update(&self.connections, author, note, &change, precondition, now)).await
    }

    async fn delete_note(
        &self,
        author: &Author,
        note: &NoteId,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<()>, StorageError> {
        call(|| note::delete(&self.connections, author, note, precondition, now)).await
    }
}
