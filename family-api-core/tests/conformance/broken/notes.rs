//! Flaws of changes and deletions of notes. A flaw edits the JSON of an update.

use family_api_core::change::NoteUpdate;
use family_api_core::id::NoteId;
use family_api_core::resource::Note;
use family_api_core::storage::{Author, Credential, Member, ReadStorage, StorageError, Update, WriteStorage};
use family_api_core::validation::Json;
use family_api_core::{Precondition, Timestamp};
use serde_json::{Value, json};

use crate::broken::tasks::set_absent;
use crate::broken::{BrokenStorage, Flaw};

/// Applies one update or deletion of a note to the broken storage, with the storage's flaw.
pub(super) struct NoteWriter<'a> {
    pub(super) broken: &'a BrokenStorage,
    pub(super) member: &'a Member,
    pub(super) credential: &'a Credential,
    pub(super) note: &'a NoteId,
    pub(super) precondition: &'a Precondition,
    pub(super) now: Timestamp,
}

impl NoteWriter<'_> {
    pub(super) async fn update(&self, update: &NoteUpdate) -> Result<Update<Note>, StorageError> {
        let mut change = json!(update);
        for other in self.broken.members_of_other_families_if_flawed(self.member) {
            NoteWriter { member: &other, ..*self }.update_inner(&change).await?;
        }
        match self.broken.flaw {
            Some(Flaw::UpdatesNotesOfOtherFamilies) => {
                for member in &self.broken.all_members(self.member) {
                    let update = NoteWriter { member, ..*self }.update_inner(&change).await?;
                    if update != Update::NotFound {
                        return Ok(update);
                    }
                }
                return Ok(Update::NotFound);
            }
            Some(Flaw::IgnoresNull) => change.as_object_mut().unwrap().retain(|_, value| !value.is_null()),
            Some(Flaw::StoresHalfOfARefusedNoteChange) => {
                let mut half = change.clone();
                half.as_object_mut().unwrap().retain(|name, _| name == "title");
                self.update_inner(&half).await?;
            }
            Some(Flaw::OverwritesTheWholeNote) => {
                let visible_note = self.find_visible_note().await?;
                tokio::task::yield_now().await;
                if let Some(note) = visible_note {
                    set_absent(&mut change, "title", note.title);
                    set_absent(&mut change, "tags", note.tags);
                }
            }
            Some(Flaw::SetsUpdatedAtOnAnEmptyChange) if update.is_empty() => {
                if let Some(note) = self.find_visible_note().await? {
                    change["pinned"] = json!(note.pinned);
                }
            }
            _ => {}
        }
        self.update_inner(&change).await
    }

    pub(super) async fn delete(&self) -> Result<Update<()>, StorageError> {
        for other in self.broken.members_of_other_families_if_flawed(self.member) {
            NoteWriter { member: &other, ..*self }.delete_inner().await?;
        }
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
                let visible_note = self.find_visible_note().await?;
                tokio::task::yield_now().await;
                let deleted = self.delete_inner().await?;
                Ok(if visible_note.is_some() { Update::Done(()) } else { deleted })
            }
            _ => self.delete_inner().await,
        }
    }

    fn author(&self) -> Author {
        Author { member: self.member.clone(), credential: self.credential.clone() }
    }

    async fn update_inner(&self, body: &Value) -> Result<Update<Note>, StorageError> {
        let update = NoteUpdate::from_body(Json::parse(body.to_string().as_bytes()).unwrap()).unwrap();
        self.broken.inner.update_note(&self.author(), self.note, update, self.precondition, self.now).await
    }

    async fn delete_inner(&self) -> Result<Update<()>, StorageError> {
        self.broken.inner.delete_note(&self.author(), self.note, self.precondition, self.now).await
    }

    async fn find_visible_note(&self) -> Result<Option<Note>, StorageError> {
        let notes = self.broken.inner.list_notes(self.member).await?.parse()?;
        Ok(notes.into_iter().find(|other| other.id == *self.note))
    }
}
