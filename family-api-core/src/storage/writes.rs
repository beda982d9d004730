//! Changes of family data, as a member of the family may make them.

use async_trait::async_trait;

use crate::access::Refusal;
use crate::calendar::Zone;
use crate::change::{FieldFault, NoteChange, TaskUpdate};
use crate::id::{NoteId, TaskId};
use crate::resource::{Note, Task};
use crate::storage::{Author, StorageError};
use crate::{Precondition, Timestamp};

/// Changes family data, each method in one transaction.
///
/// First, the transaction finds the author's credential and judges it ([`Author::check`]), also for an update that names
/// nothing: the answer shows the record. A storage whose transactions run side by side locks what it has found, so that
/// a revocation that is acknowledged before the commit is seen, and one that is not waits for it.
///
/// An update gathers the facts that its rules need ([`TaskFacts`](crate::change::TaskFacts),
/// [`NoteFacts`](crate::change::NoteFacts)) as the member sees them, asks the precondition about the record
/// ([`Precondition::holds`]), has the change judge them, and writes the verdict with a statement that again names the
/// member's family and visibility. Of two writes at once that name the same version, one fails.
#[async_trait]
pub trait WriteStorage: Send + Sync {
    /// Updates a task that the member sees ([`TaskUpdate::judge`]) and returns it as it is then.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_task(
        &self,
        author: &Author,
        task: &TaskId,
        update: TaskUpdate,
        precondition: &Precondition,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError>;

    /// Updates a note of the family ([`NoteChange::judge`]) and returns it as it is then.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_note(
        &self,
        author: &Author,
        note: &NoteId,
        change: NoteChange,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError>;

    /// Deletes a note of the family.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_note(
        &self,
        author: &Author,
        note: &NoteId,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<()>, StorageError>;
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update<T> {
    /// It was made; this is the record now, if there is one.
    Done(T),
    /// The record, or one that the change names, is not there for the member; nothing was changed.
    NotFound,
    /// The record is not at a version that the precondition names; nothing was changed.
    PreconditionFailed,
    /// The record does not allow the change; nothing was changed.
    Refused(Vec<FieldFault>),
    /// The author's credential is no longer valid; nothing was changed.
    Unauthorized(Refusal),
}
