//! Changes of family data by a member of the family.

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
/// The transaction first finds the author's credential and checks it ([`Author::check`]). It also does so for an update
/// that names no field, because the answer contains the record. A storage with concurrent transactions locks the rows
/// of the credential: a revocation that was acknowledged before the commit is seen, and any other waits for the commit.
///
/// An update then takes four steps:
///
/// 1. Collect the facts that its rules need ([`TaskFacts`](crate::change::TaskFacts),
///    [`NoteFacts`](crate::change::NoteFacts)), as the member sees them.
/// 2. Check the precondition against the record ([`Precondition::holds`]).
/// 3. Apply the rules of the change to the facts.
/// 4. Write the verdict with a statement that again checks the member's family and visibility.
///
/// If two concurrent writes name the same version, one of them fails.
#[async_trait]
pub trait WriteStorage: Send + Sync {
    /// Updates a task that the member sees ([`TaskUpdate::judge`]), and returns the updated task.
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

    /// Updates a note of the family ([`NoteChange::judge`]), and returns the updated note.
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

/// The result of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update<T> {
    /// The write succeeded. Contains the updated record, or `()` for a deletion.
    Done(T),
    /// The record, or one that the change names, does not exist or is not visible to the member. Nothing was changed.
    NotFound,
    /// The record is not at a version that the precondition names. Nothing was changed.
    PreconditionFailed,
    /// The record does not allow the change. Nothing was changed.
    Refused(Vec<FieldFault>),
    /// The author's credential is no longer valid. Nothing was changed.
    Unauthorized(Refusal),
}
