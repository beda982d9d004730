//! Flaws of the writes, handed to where their aggregate is.

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::change::{NoteChange, TaskUpdate};
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Note, Task};
use family_api_core::storage::{Author, StorageError, Update, WriteStorage};
use family_api_core::{Precondition, Timestamp};

use crate::broken::Broken;
use crate::broken::authors::Kind;
use crate::broken::notes::NoteWriter;
use crate::broken::preconditions::Asked;
use crate::broken::tasks::TaskWriter;

#[async_trait]
impl WriteStorage for Broken {
    async fn update_task(
        &self,
        author: &Author,
        task: &TaskId,
        update: TaskUpdate,
        precondition: &Precondition,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        let kind = if update.is_empty() { Kind::EmptyChange } else { Kind::Change };
        let Author { member, credential } = &self.flawed_author(author, kind, now).await?;
        match self.asked_of_task(member, task, &update, precondition).await? {
            Asked::Instead(precondition) => {
                let precondition = &precondition;
                TaskWriter { broken: self, member, credential, task, precondition, zone, now }.update(update).await
            }
            Asked::Failed => Ok(Update::PreconditionFailed),
            Asked::NamedNothing => Ok(Update::NotFound),
        }
    }

    async fn update_note(
        &self,
        author: &Author,
        note: &NoteId,
        change: NoteChange,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        let kind = if change.is_empty() { Kind::EmptyChange } else { Kind::Change };
        let Author { member, credential } = &self.flawed_author(author, kind, now).await?;
        match self.asked_of_note(member, note, Some(&change), precondition).await? {
            Asked::Instead(precondition) => {
                let precondition = &precondition;
                NoteWriter { broken: self, member, credential, note, precondition, now }.update(change).await
            }
            Asked::Failed => Ok(Update::PreconditionFailed),
            Asked::NamedNothing => Ok(Update::NotFound),
        }
    }

    async fn delete_note(
        &self,
        author: &Author,
        note: &NoteId,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<()>, StorageError> {
        let Author { member, credential } = &self.flawed_author(author, Kind::Deletion, now).await?;
        match self.asked_of_note(member, note, None, precondition).await? {
            Asked::Instead(precondition) => {
                let precondition = &precondition;
                NoteWriter { broken: self, member, credential, note, precondition, now }.delete().await
            }
            Asked::Failed => Ok(Update::PreconditionFailed),
            Asked::NamedNothing => Ok(Update::NotFound),
        }
    }
}
