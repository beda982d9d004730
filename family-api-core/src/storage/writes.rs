//! Writes of family data by a member of the family.

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{Author, Denied, Member, Refusal};
use crate::calendar::Zone;
use crate::change::{Editable, New, WriteContext};
use crate::for_each_kind;
use crate::id::{FamilyId, ListId};
use crate::idempotency::IdempotentRequest;
use crate::precondition::Precondition;
use crate::resource::{RecordKind, ShoppingItem, Verb};
use crate::storage::{Capabilities, DeletedRecordLimit, StorageError};
use crate::validation::FieldFault;

/// A write of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordWrite<R: Editable> {
    /// The operation.
    pub operation: Operation<R>,
    /// The maximum number of records of the kind in the family. A record counts once, and once more for each full 1,024
    /// bytes of its [text](crate::resource::RecordKind::text_columns) as JSON. A creation or restoration beyond it is
    /// refused, and so is an update with which the record counts more often or that splits it. The API always passes the
    /// [maximum of the kind](crate::resource::RecordKind::max_records).
    pub max_records: u32,
    /// The time zone of the author.
    pub zone: Zone,
    /// The instant of the write.
    pub now: Timestamp,
}

/// What a write does with a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation<R: Editable> {
    /// Creates a record.
    Create {
        /// The identifier that the storage gives the new record, unless it assigns ids itself. No other record has it.
        id: R::Id,
        /// The fields of the new record.
        new: New<R::Update>,
        /// Makes the creation safe to repeat.
        idempotency: Option<IdempotentRequest>,
    },
    /// Updates a record.
    Update {
        /// The record.
        id: R::Id,
        /// The fields to change.
        update: R::Update,
        /// The condition that the current version of the record must meet.
        precondition: Precondition,
        /// The identifier that the storage gives the other part of a record that the update
        /// [splits](Editable::splits), unless it assigns ids itself. No other record has it. `None` if the update
        /// must not split the record: the rules then refuse one that does.
        new_id: Option<R::Id>,
    },
    /// Deletes a record.
    Delete {
        /// The record.
        id: R::Id,
        /// The condition that the current version of the record must meet.
        precondition: Precondition,
    },
    /// Restores a deleted record.
    Restore {
        /// The record.
        id: R::Id,
    },
}

impl<R: Editable> Operation<R> {
    /// Creates a record once for each call: the creation has no idempotency key.
    #[must_use]
    pub const fn create(id: R::Id, new: New<R::Update>) -> Self {
        Self::Create { id, new, idempotency: None }
    }

    /// Updates any version of a record: the update has no precondition.
    #[must_use]
    pub const fn update(id: R::Id, update: R::Update) -> Self {
        Self::Update { id, update, precondition: Precondition::None, new_id: None }
    }

    /// Deletes any version of a record: the deletion has no precondition.
    #[must_use]
    pub const fn delete(id: R::Id) -> Self {
        Self::Delete { id, precondition: Precondition::None }
    }

    /// Returns the operation without its data.
    #[must_use]
    pub const fn verb(&self) -> Verb {
        match self {
            Self::Create { .. } => Verb::Create,
            Self::Update { .. } => Verb::Update,
            Self::Delete { .. } => Verb::Delete,
            Self::Restore { .. } => Verb::Restore,
        }
    }

    /// Returns the identifier of the record.
    #[must_use]
    pub const fn id(&self) -> &R::Id {
        match self {
            Self::Create { id, .. } | Self::Update { id, .. } | Self::Delete { id, .. } | Self::Restore { id } => id,
        }
    }

    /// Returns the identifier of the record that the operation can create.
    #[must_use]
    pub const fn new_id(&self) -> Option<&R::Id> {
        match self {
            Self::Create { id, .. } => Some(id),
            Self::Update { new_id, .. } => new_id.as_ref(),
            Self::Delete { .. } | Self::Restore { .. } => None,
        }
    }
}

impl<R: Editable> RecordWrite<R> {
    /// Creates a write with the maximum of the kind.
    #[must_use]
    pub const fn new(operation: Operation<R>, zone: Zone, now: Timestamp) -> Self {
        Self { operation, max_records: R::KIND.max_records(), zone, now }
    }

    /// Returns whether the operation is an update without fields, which only reads the record.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        matches!(&self.operation, Operation::Update { update, .. } if R::is_empty(update))
    }

    /// Returns what the rules need to know about the write.
    #[must_use]
    pub fn context<'a>(&'a self, author: &'a Author) -> WriteContext<'a> {
        WriteContext { user: &author.member.user, zone: &self.zone, now: self.now }
    }
}

/// Declares [`WriteStorage`] with a method for each kind of record.
macro_rules! write_storage {
    ($task:ident: $Task:ident, $note:ident: $Note:ident, $($method:ident: $Record:ident,)*) => {
        /// Writes family data, each method in one transaction. Only a move of a task can take several, of which all but
        /// the last one make room between other tasks
        /// ([`TaskWrite::makes_room`](crate::change::TaskWrite::makes_room)). Each of them takes the steps below again,
        /// so that it checks the credential and the precondition.
        ///
        /// A write takes the steps of [`write_sequence`](crate::storage::write_sequence), in that order. A storage with
        /// concurrent transactions locks the rows of the author's credential: the transaction then sees every earlier
        /// revocation, and a later revocation waits for the commit.
        ///
        /// A deleted task, note, event or shopping item is kept apart from the records, so that it can be restored for
        /// 30 days. No read returns it. The service gives its id to no other record. The restoration of a record that
        /// is not deleted returns the record ([`Written::Existing`]). So does the restoration of a deleted record with
        /// the id of a stored record, which the host has created. A restoration replaces no record. A record of another
        /// kind can be deleted only if it contains no other record, not even one that the member does not see.
        ///
        /// If the preconditions of two concurrent writes name the same version, one of the writes fails.
        #[async_trait]
        pub trait WriteStorage: Send + Sync {
            /// Returns what the storage keeps. The API refuses everything else before it calls the storage.
            fn capabilities(&self) -> Capabilities {
                Capabilities::updates()
            }

            /// Writes a task, and returns it as it is after the write. An update also returns the task as it was
            /// before, and a deletion returns the deleted task.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn $task(
                &self,
                author: &Author,
                write: &RecordWrite<crate::resource::$Task>,
            ) -> Result<Written<crate::resource::$Task>, StorageError>;

            /// Writes a note, as [`write_task`](Self::write_task) does.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn $note(
                &self,
                author: &Author,
                write: &RecordWrite<crate::resource::$Note>,
            ) -> Result<Written<crate::resource::$Note>, StorageError>;

            $(
                /// Writes a record, as [`write_task`](Self::write_task) does. The result has no columns, tasks or
                /// items. Default: a fault.
                ///
                /// # Errors
                /// [`StorageError`] for a fault.
                async fn $method(
                    &self,
                    author: &Author,
                    write: &RecordWrite<crate::resource::$Record>,
                ) -> Result<Written<crate::resource::$Record>, StorageError> {
                    let _ = author;
                    Err(unsupported(write))
                }
            )*

            /// Deletes the checked items of a list that the member sees, at most 500, the earliest first. Returns
            /// them. They can be restored. Default: a fault.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn delete_checked_items(
                &self,
                author: &Author,
                list: &ListId,
                now: Timestamp,
            ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
                let _ = (author, list, now);
                Err(StorageError::backend("the storage does not delete shopping items"))
            }

            /// Forgets records that were deleted at `until` or earlier, at most `limit`, so that they cannot be
            /// restored any more. Returns their number. Default: forgets nothing.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                let _ = (until, limit);
                Ok(0)
            }

            /// Forgets deleted records of a kind in a family, except for those within `keep` that were deleted last, at
            /// most `limit`: those that were deleted first. Returns their number. Default: forgets nothing.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn forget_surplus_deleted(
                &self,
                family: &FamilyId,
                kind: RecordKind,
                keep: DeletedRecordLimit,
                limit: u32,
            ) -> Result<u64, StorageError> {
                let _ = (family, kind, keep, limit);
                Ok(0)
            }

            /// Deletes changes that were made at `until` or earlier from the [log](crate::storage::LoggedChange), at most
            /// `limit`, and with each the other changes of its transaction. Returns their number. Default: deletes
            /// nothing.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                let _ = (until, limit);
                Ok(0)
            }

            /// Deletes changes from the [log](crate::storage::LoggedChange) of a family, except for the last `keep`: the
            /// earliest transactions, at most `limit`. A transaction is deleted as a whole. Returns the number of the
            /// changes. Default: deletes nothing.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn delete_surplus_changes(
                &self,
                family: &FamilyId,
                keep: u32,
                limit: u32,
            ) -> Result<u64, StorageError> {
                let _ = (family, keep, limit);
                Ok(0)
            }

            /// Deletes idempotency keys that were used at `until` or earlier, at most `limit`. Returns their number.
            /// Default: deletes nothing.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                let _ = (until, limit);
                Ok(0)
            }

            /// Deletes idempotency keys of a member, except for the `keep` that were used last, at most `limit`: those
            /// that were used first. Returns their number. Default: deletes nothing.
            ///
            /// # Errors
            /// [`StorageError`] for a fault.
            async fn delete_surplus_idempotency_keys(
                &self,
                member: &Member,
                keep: u32,
                limit: u32,
            ) -> Result<u64, StorageError> {
                let _ = (member, keep, limit);
                Ok(0)
            }
        }
    };
}

for_each_kind!(write_storage);

/// Returns the fault for an operation that is not in the [`Capabilities`].
pub(super) fn unsupported<R: Editable>(write: &RecordWrite<R>) -> StorageError {
    let verb = write.operation.verb().as_str();
    StorageError::backend(format!("the storage does not {verb} records of the kind {}", R::KIND.as_str()))
}

/// The result of a write. Each operation has its own result if something was written, and shares the others:
///
/// | operation | written | not written |
/// |---|---|---|
/// | every operation | | `NotFound`, `Unauthorized` |
/// | creation | `Created` | `Existing`, `Refused`, `IdempotencyMismatch`, `LimitReached` |
/// | update | `Updated`, `Split` | `Existing`, `PreconditionFailed`, `Refused`, `LimitReached` |
/// | deletion | `Deleted` | `PreconditionFailed`, `NotEmpty` |
/// | restoration | `Restored` | `Existing`, `LimitReached` |
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written<T> {
    /// The record was created.
    Created(T),
    /// The record was updated. Contains it as the transaction of the update found it and as it stored it.
    Updated {
        /// The record before the update.
        before: T,
        /// The record after the update.
        after: T,
    },
    /// The record was updated, and a part of it became another record, in one transaction.
    Split {
        /// The record before the update.
        before: T,
        /// The record after the update.
        after: T,
        /// The other record, which was created.
        new: T,
    },
    /// The record was deleted. Contains it as it was before.
    Deleted(T),
    /// The deleted record was restored.
    Restored(T),
    /// The record of an earlier creation with the same idempotency key, of a restoration of a record that is not
    /// deleted, or of an update that gives no field a new value. Nothing was changed.
    Existing(T),
    /// The record, or a record that the write refers to, does not exist or is not visible to the member. Nothing was
    /// changed.
    NotFound,
    /// The record is not at a version that the precondition names. Nothing was changed.
    PreconditionFailed,
    /// The rules of the write refuse these fields, or the assignee is not in the family. Nothing was changed.
    Refused(Vec<FieldFault>),
    /// The author's credential is no longer valid. Nothing was changed.
    Unauthorized(Refusal),
    /// The record contains other records, so it cannot be deleted. Nothing was changed.
    NotEmpty,
    /// The user has used the idempotency key for another request. Nothing was changed.
    IdempotencyMismatch,
    /// With the write, the family would have more than the maximum number of records of the kind. Nothing was changed.
    LimitReached,
}

impl<T> Written<T> {
    /// Returns whether the operation was made. A deletion of checked items can also find none.
    #[must_use]
    pub const fn is_change(&self) -> bool {
        matches!(
            self,
            Self::Created(_) | Self::Updated { .. } | Self::Split { .. } | Self::Deleted(_) | Self::Restored(_)
        )
    }
}

impl<T> From<Denied> for Written<T> {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unauthorized(refusal) => Self::Unauthorized(refusal),
            Denied::NotFound => Self::NotFound,
        }
    }
}
