//! Changes of family data by a member of the family.

use async_trait::async_trait;

use crate::access::Refusal;
use crate::calendar::Zone;
use crate::change::{NoteUpdate, TaskUpdate};
use crate::id::{NoteId, TaskId};
use crate::precondition::Precondition;
use crate::resource::{Note, Task};
use crate::storage::{Author, StorageError};
use crate::timestamp::Timestamp;
use crate::validation::FieldFault;

/// Changes family data, each method in one transaction.
///
/// The transaction first finds the author's credential and checks it ([`Author::check`]). It does so also for an update
/// that names no field, because the result contains the record. A storage with concurrent transactions locks the rows
/// of the credential: the transaction then sees every earlier revocation, and a later revocation waits for the commit.
///
/// An update then takes four steps:
///
/// 1. Collect the facts that the rules of the change need ([`TaskFacts`](crate::change::TaskFacts),
///    [`NoteFacts`](crate::change::NoteFacts)), as the member sees them.
/// 2. Check the precondition against the record ([`Precondition::holds`]).
/// 3. Apply the rules to the facts. The result is a [`Verdict`](crate::change::Verdict).
/// 4. Write the record of the verdict. The statement checks again that the record is in the family and,
///    for a task, that the member sees it.
///
/// If the preconditions of two concurrent writes name the same version, one of the writes fails.
#[async_trait]
pub trait WriteStorage: Send + Sync {
    /// Updates a task that the member sees ([`TaskUpdate::decide`]), and returns the updated task.
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

    /// Updates a note of the family ([`NoteUpdate::decide`]), and returns the updated note.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_note(
        &self,
        author: &Author,
        note: &NoteId,
        update: NoteUpdate,
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
    /// The record, or a record that the change refers to, does not exist or is not visible to the member. Nothing was
    /// changed.
    NotFound,
    /// The record is not at a version that the precondition names. Nothing was changed.
    PreconditionFailed,
    /// The rules of the change refuse these fields. Nothing was changed.
    Refused(Vec<FieldFault>),
    /// The author's credential is no longer valid. Nothing was changed.
    Unauthorized(Refusal),
}
