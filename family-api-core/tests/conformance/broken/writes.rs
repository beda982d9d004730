//! Writes with flaws: first the flaws of credentials and preconditions, then the flaws in the modules `tasks` and
//! `notes`.

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::change::{NoteUpdate, TaskUpdate};
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Note, Task};
use family_api_core::storage::{Author, StorageError, Update, WriteStorage};
use family_api_core::{Precondition, Timestamp};

use crate::broken::BrokenStorage;
use crate::broken::authors::WriteKind;
use crate::broken::notes::NoteWriter;
use crate::broken::preconditions::FlawedPrecondition;
use crate::broken::tasks::TaskWriter;

#[async_trait]
impl WriteStorage for BrokenStorage {
    async fn update_task(
        &self,
        author: &Author,
        task: &TaskId,
        update: TaskUpdate,
        precondition: &Precondition,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        let kind = if update.is_empty() { WriteKind::EmptyChange } else { WriteKind::Change };
        let Author { member, credential } = &self.flawed_author(author, kind, now).await?;
        match self.flawed_task_precondition(member, task, &update, precondition).await? {
            FlawedPrecondition::Use(precondition) => {
                let precondition = &precondition;
                TaskWriter { broken: self, member, credential, task, precondition, zone, now }.update(&update).await
            }
            FlawedPrecondition::Failed => Ok(Update::PreconditionFailed),
            FlawedPrecondition::UnknownReference => Ok(Update::NotFound),
        }
    }

    async fn update_note(
        &self,
        author: &Author,
        note: &NoteId,
        update: NoteUpdate,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        let kind = if update.is_empty() { WriteKind::EmptyChange } else { WriteKind::Change };
        let Author { member, credential } = &self.flawed_author(author, kind, now).await?;
        match self.flawed_note_precondition(member, note, Some(&update), precondition).await? {
            FlawedPrecondition::Use(precondition) => {
                let precondition = &precondition;
                NoteWriter { broken: self, member, credential, note, precondition, now }.update(&update).await
            }
            FlawedPrecondition::Failed => Ok(Update::PreconditionFailed),
            FlawedPrecondition::UnknownReference => Ok(Update::NotFound),
        }
    }

    async fn delete_note(
        &self,
        author: &Author,
        note: &NoteId,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<()>, StorageError> {
        let Author { member, credential } = &self.flawed_author(author, WriteKind::Deletion, now).await?;
        match self.flawed_note_precondition(member, note, None, precondition).await? {
            FlawedPrecondition::Use(precondition) => {
                let precondition = &precondition;
                NoteWriter { broken: self, member, credential, note, precondition, now }.delete().await
            }
            FlawedPrecondition::Failed => Ok(Update::PreconditionFailed),
            FlawedPrecondition::UnknownReference => Ok(Update::NotFound),
        }
    }
}
