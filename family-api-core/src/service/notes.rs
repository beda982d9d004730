//! Updates and deletes notes.

use tracing::instrument;

use crate::access::Caller;
use crate::audit::{AuditEvent, RecordId};
use crate::change::NoteUpdate;
use crate::error::Error;
use crate::id::NoteId;
use crate::key::Scope;
use crate::precondition::Precondition;
use crate::resource::{DeletedNote, Note};
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;
use crate::validation::Reference;

/// The permission to change the family's notes.
#[derive(Debug, Clone, Copy)]
pub struct NoteService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl NoteService<'_> {
    /// Updates a note and returns the updated note.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller cannot see the note, or the category in the change does not exist.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "update_note", skip_all, fields(user = %self.caller.user(), note = note.id().map(NoteId::as_str)))]
    pub async fn update(
        &self,
        note: &Reference<NoteId>,
        update: NoteUpdate,
        precondition: &Precondition,
    ) -> Result<Note, Error> {
        let author = self.api.author(self.caller, &Scope::V1NotesWrite).await?;
        let note = note.id().ok_or(Error::NotFound)?;
        let now = self.api.clock.now();
        let pending = (!update.is_empty()).then(|| {
            let (family, record) = (author.member.family.clone(), RecordId::Note(note.clone()));
            self.api.begin_token_event(self.caller, |user, token| AuditEvent::RecordUpdated {
                user,
                token,
                family,
                record,
            })
        });
        let updated =
            self.api.storage.update_note(&author, note, update, precondition, now).traced("update_note").await?;
        let updated = self.api.write_result(self.caller, updated);
        if let Some(pending) = pending {
            pending.complete(updated.is_ok());
        }
        updated
    }

    /// Deletes a note.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller cannot see the note.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "delete_note", skip_all, fields(user = %self.caller.user(), note = note.id().map(NoteId::as_str)))]
    pub async fn delete(&self, note: &Reference<NoteId>, precondition: &Precondition) -> Result<DeletedNote, Error> {
        let author = self.api.author(self.caller, &Scope::V1NotesWrite).await?;
        let note = note.id().ok_or(Error::NotFound)?;
        let (family, record) = (author.member.family.clone(), RecordId::Note(note.clone()));
        let pending = self.api.begin_token_event(self.caller, |user, token| AuditEvent::RecordDeleted {
            user,
            token,
            family,
            record,
        });
        let deleted = self
            .api
            .storage
            .delete_note(&author, note, precondition, self.api.clock.now())
            .traced("delete_note")
            .await?;
        let deleted = self.api.write_result(self.caller, deleted);
        pending.complete(deleted.is_ok());
        deleted.map(|()| DeletedNote { success: true, id: note.clone() })
    }
}
