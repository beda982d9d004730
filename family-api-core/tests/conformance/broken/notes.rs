//! Flaws of changes and deletions of notes. A flaw edits the JSON of an update.

use family_api_core::calendar::Zone;
use family_api_core::change::{Editable, NoteUpdate};
use family_api_core::id::NoteId;
use family_api_core::resource::{Note, RecordKind};
use family_api_core::storage::{
    Author, Credential, Member, Operation, ReadStorage, RecordWrite, StorageError, WriteStorage, Written,
};
use family_api_core::{Precondition, Timestamp};
use serde_json::{Value, json};

use crate::broken::records::parse;
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
    pub(super) async fn update(&self, update: &NoteUpdate) -> Result<Written<Note>, StorageError> {
        let mut change = json!(update);
        for other in self.broken.members_of_other_families_if_flawed(self.member) {
            NoteWriter { member: &other, ..*self }.update_inner(&change).await?;
        }
        match self.broken.flaw {
            Some(Flaw::UpdatesNotesOfOtherFamilies) => {
                for member in &self.broken.all_members(self.member) {
                    let update = NoteWriter { member, ..*self }.update_inner(&change).await?;
                    if update != Written::NotFound {
                        return Ok(update);
                    }
                }
                return Ok(Written::NotFound);
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
            Some(Flaw::SetsUpdatedAtOnAnEmptyChange) if Note::is_empty(update) => {
                if let Some(note) = self.find_visible_note().await? {
                    change["pinned"] = json!(note.pinned);
                }
            }
            _ => {}
        }
        self.update_inner(&change).await
    }

    pub(super) async fn delete(&self) -> Result<Written<Note>, StorageError> {
        for other in self.broken.members_of_other_families_if_flawed(self.member) {
            NoteWriter { member: &other, ..*self }.delete_inner().await?;
        }
        match self.broken.flaw {
            Some(Flaw::DeletesNotesOfOtherFamilies) => {
                for member in &self.broken.all_members(self.member) {
                    let deleted = NoteWriter { member, ..*self }.delete_inner().await?;
                    if deleted != Written::NotFound {
                        return Ok(deleted);
                    }
                }
                Ok(Written::NotFound)
            }
            Some(Flaw::DeletesANoteTwice) => {
                if let Written::Deleted(note) = self.delete_inner().await? {
                    let deleted = (RecordKind::Note, note.id.to_string(), json!(note));
                    self.broken.history().deleted.push(deleted);
                }
                let deleted = self.broken.history().find_deleted(RecordKind::Note, self.note.as_str()).cloned();
                Ok(deleted.map_or(Written::NotFound, |note| Written::Deleted(serde_json::from_value(note).unwrap())))
            }
            Some(Flaw::ChecksBeforeDeleteWithoutLock) => {
                let visible_note = self.find_visible_note().await?;
                tokio::task::yield_now().await;
                let deleted = self.delete_inner().await?;
                Ok(visible_note.map_or(deleted, Written::Deleted))
            }
            _ => self.delete_inner().await,
        }
    }

    fn author(&self) -> Author {
        Author { member: self.member.clone(), credential: self.credential.clone() }
    }

    async fn update_inner(&self, body: &Value) -> Result<Written<Note>, StorageError> {
        let update = Note::parse_update(parse(body)).unwrap();
        let (id, precondition) = (self.note.clone(), self.precondition.clone());
        self.run_inner(Operation::Update { id, update, precondition }).await
    }

    async fn delete_inner(&self) -> Result<Written<Note>, StorageError> {
        let (id, precondition) = (self.note.clone(), self.precondition.clone());
        self.run_inner(Operation::Delete { id, precondition }).await
    }

    async fn run_inner(&self, operation: Operation<Note>) -> Result<Written<Note>, StorageError> {
        let write = RecordWrite::new(operation, Zone::utc(), self.now);
        self.broken.inner.write_note(&self.author(), &write).await
    }

    async fn find_visible_note(&self) -> Result<Option<Note>, StorageError> {
        let notes = self.broken.inner.list_notes(self.member).await?.parse()?;
        Ok(notes.into_iter().find(|other| other.id == *self.note))
    }
}
