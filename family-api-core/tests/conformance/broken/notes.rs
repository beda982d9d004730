//! Flaws of the notes' changes.

use family_api_core::change::{Field, NoteChange};
use family_api_core::id::NoteId;
use family_api_core::resource::Note;
use family_api_core::storage::{Author, Credential, Member, ReadStorage, StorageError, Update, WriteStorage};
use family_api_core::{Precondition, Timestamp};

use crate::broken::{Broken, Flaw};

/// The arguments of one update or deletion of a note.
pub(super) struct NoteWriter<'a> {
    pub(super) broken: &'a Broken,
    pub(super) member: &'a Member,
    pub(super) credential: &'a Credential,
    pub(super) note: &'a NoteId,
    pub(super) precondition: &'a Precondition,
    pub(super) now: Timestamp,
}

impl NoteWriter<'_> {
    pub(super) async fn update(&self, mut change: NoteChange) -> Result<Update<Note>, StorageError> {
        match self.broken.flaw {
            Some(Flaw::UpdatesNotesOfOtherFamilies) => {
                for member in &self.broken.all_members(self.member) {
                    let update = NoteWriter { member, ..*self }.update_inner(change.clone()).await?;
                    if update != Update::NotFound {
                        return Ok(update);
                    }
                }
                return Ok(Update::NotFound);
            }
            Some(Flaw::IgnoresNull) if change.category == Field::Clear => change.category = Field::Keep,
            Some(Flaw::StoresHalfOfARefusedNoteChange) => {
                let mut half = NoteChange::new();
                half.title = change.title.clone();
                self.update_inner(half).await?;
            }
            Some(Flaw::OverwritesTheWholeNote) => {
                let seen = self.seen().await?;
                tokio::task::yield_now().await;
                change.title = change.title.or_else(|| seen.clone().map(|note| note.title));
                change.tags = change.tags.or_else(|| seen.map(|note| note.tags));
            }
            Some(Flaw::SetsUpdatedAtOnAnEmptyChange) if change.is_empty() => {
                change.pinned = self.seen().await?.map(|note| note.pinned);
            }
            _ => {}
        }
        self.update_inner(change).await
    }

    pub(super) async fn delete(&self) -> Result<Update<()>, StorageError> {
        match self.broken.flaw {
            Some(Flaw::DeletesNotesOfOtherFamilies) => {
                for member in &self.broken.all_members(self.member) {
                    let deleted = NoteWriter { member, ..*self }.delete_inner().await?;
                    if deleted != Update::NotFound {
                        return Ok(deleted);
                    }
                }
                Ok(Update::NotFound)
            }
            Some(Flaw::DeletesANoteTwice) => self.delete_inner().await.map(|_| Update::Done(())),
            Some(Flaw::ChecksBeforeDeleteWithoutLock) => {
                let seen = self.seen().await?;
                tokio::task::yield_now().await;
                let deleted = self.delete_inner().await?;
                Ok(if seen.is_some() { Update::Done(()) } else { deleted })
            }
            _ => self.delete_inner().await,
        }
    }

    fn author(&self) -> Author {
        Author { member: self.member.clone(), credential: self.credential.clone() }
    }

    async fn update_inner(&self, change: NoteChange) -> Result<Update<Note>, StorageError> {
        self.broken.inner.update_note(&self.author(), self.note, change, self.precondition, self.now).await
    }

    async fn delete_inner(&self) -> Result<Update<()>, StorageError> {
        self.broken.inner.delete_note(&self.author(), self.note, self.precondition, self.now).await
    }

    async fn seen(&self) -> Result<Option<Note>, StorageError> {
        let notes = self.broken.inner.list_notes(self.member).await?.parse()?;
        Ok(notes.into_iter().find(|other| other.id == *self.note))
    }
}
