//! Creates, updates, deletes and restores records of every kind.

use std::marker::PhantomData;

use serde::Serialize;
use tracing::instrument;

use crate::access::{Author, Caller, write_scope};
use crate::audit::{AuditEvent, RecordId};
use crate::change::New;
use crate::error::Error;
use crate::id::{Id, ListId, traced};
use crate::idempotency::IdempotentRequest;
use crate::key::RandomnessUnavailable;
use crate::precondition::Precondition;
use crate::resource::{Deleted, DeletedItems, RecordKind, ShoppingItem, Verb};
use crate::service::FamilyApi;
use crate::service::audit::PendingAudit;
use crate::service::purge::PurgeStep;
use crate::service::storage_call::StorageCall;
use crate::storage::{Member, Operation, RecordWrite, StorageError, Update, Writable};
use crate::timestamp::Timestamp;
use crate::validation::{FieldFault, Reference};

/// The permission to write records of one kind.
///
/// [`FamilyApi::records`] checks the permission for one operation. Each method checks the permission for its own
/// operation again.
#[derive(Debug)]
pub struct RecordService<'a, R> {
    api: &'a FamilyApi,
    caller: &'a Caller,
    kind: PhantomData<fn() -> R>,
}

/// The result of a creation or restoration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOutcome<R> {
    /// The record was created or restored.
    Written(R),
    /// Nothing was written: an earlier request has created the record, or the record is not deleted. It is returned as
    /// it is now.
    Existing(R),
}

impl<R> WriteOutcome<R> {
    /// Returns the record.
    #[must_use]
    pub fn into_record(self) -> R {
        match self {
            Self::Written(record) | Self::Existing(record) => record,
        }
    }
}

/// The result of an update: the record as the transaction of the update found it, and as it stored it.
///
/// If no field has a new value, the records differ only in the time of the update. If the update names no field, they
/// are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Updated<R> {
    /// The record before the update.
    pub before: R,
    /// The record after the update.
    pub after: R,
}

impl FamilyApi {
    /// Returns the handle for writes of records of one kind. Checks whether the caller may perform the operation
    /// `verb`, so that an adapter can refuse a request before it reads the body.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the storage does not support the operation.
    /// - [`Error::InsufficientScope`] if a token lacks the scope of the operation.
    /// - [`Error::NotSignedIn`] if the caller has a token, but only a session can write records of this kind.
    pub fn records<'a, R: Writable>(&'a self, caller: &'a Caller, verb: Verb) -> Result<RecordService<'a, R>, Error> {
        self.check_write(caller, R::KIND, verb)?;
        Ok(RecordService { api: self, caller, kind: PhantomData })
    }

    fn check_write(&self, caller: &Caller, kind: RecordKind, verb: Verb) -> Result<(), Error> {
        if !self.capabilities.supports(kind, verb) {
            return Err(Error::NotFound);
        }
        match write_scope(kind, verb) {
            Some(scope) => self.allow(caller, caller.require(&scope)),
            None => Ok(caller.signed_in().map(drop)?),
        }
    }
}

impl<R: Writable> RecordService<'_, R> {
    /// Creates a record and returns it.
    ///
    /// If the same user made the same idempotent request within the last 24 hours, this call creates nothing. It
    /// returns the record of that request as it is now, as [`WriteOutcome::Existing`].
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if the rules do not allow the record, or the storage does not keep a field.
    /// - [`Error::NotFound`] if the caller cannot see a record that the fields refer to, or if the record of the
    ///   earlier request with the idempotency key no longer exists.
    /// - [`Error::IdempotencyMismatch`] if the idempotency key was used for another request.
    /// - [`Error::IdempotencyRunning`] if a request with the idempotency key is still running on this node.
    /// - [`Error::RecordLimitReached`] if the family already has the maximum number of records of this kind.
    /// - [`Error::Unavailable`] if the operating system returns no random bytes.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "create_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str()))]
    pub async fn create(
        &self,
        new: New<R::Update>,
        idempotency: Option<IdempotentRequest>,
    ) -> Result<WriteOutcome<R>, Error> {
        let author = self.author(Verb::Create).await?;
        self.check_fields(Verb::Create, &new)?;
        let begin = |request: &IdempotentRequest| self.api.running_creations.begin(self.caller.user(), &request.key);
        let _running = idempotency.as_ref().map(begin).transpose()?;
        let now = self.now();
        let id = new_id(now)?;
        let write = self.record_write(Operation::Create { id, new }, now);
        self.outcome(self.write(&author, RecordWrite { idempotency, ..write }).await?)
    }

    /// Updates a record, and returns it before and after the update.
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if the rules do not allow the update, or the storage does not keep a field.
    /// - [`Error::NotFound`] if the caller cannot see the record, or a record that the update refers to.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - [`Error::RecordLimitReached`] if the update makes the record longer, and the family already has the maximum
    ///   number of records of this kind.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "update_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str(), id = id.id().and_then(traced)))]
    pub async fn update(
        &self,
        id: &Reference<R::Id>,
        update: R::Update,
        precondition: &Precondition,
    ) -> Result<Updated<R>, Error> {
        let author = self.author(Verb::Update).await?;
        let id = id.id().ok_or(Error::NotFound)?;
        self.check_fields(Verb::Update, &update)?;
        match self.write_if(&author, Operation::Update { id: id.clone(), update }, precondition).await? {
            Update::Changed { before, after } => Ok(Updated { before, after }),
            other => {
                let record = self.outcome(other)?.into_record();
                Ok(Updated { before: record.clone(), after: record })
            }
        }
    }

    /// Deletes a record. A task, note, event or shopping item can be restored for 30 days.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller cannot see the record.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - [`Error::NotEmpty`] if the record contains other records.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "delete_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str(), id = id.id().and_then(traced)))]
    pub async fn delete(&self, id: &Reference<R::Id>, precondition: &Precondition) -> Result<Deleted<R::Id>, Error> {
        let author = self.author(Verb::Delete).await?;
        let id = id.id().ok_or(Error::NotFound)?;
        self.outcome(self.write_if(&author, Operation::Delete { id: id.clone() }, precondition).await?)?;
        Ok(Deleted::new(id.clone()))
    }

    /// Restores a deleted record and returns it. A record that is not deleted is returned as it is, as
    /// [`WriteOutcome::Existing`].
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the record does not exist or was deleted more than 30 days ago, or if the caller cannot
    ///   see it or the column or list that contained it.
    /// - [`Error::RecordLimitReached`] if the family already has the maximum number of records of this kind.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "restore_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str(), id = id.id().and_then(traced)))]
    pub async fn restore(&self, id: &Reference<R::Id>) -> Result<WriteOutcome<R>, Error> {
        let author = self.author(Verb::Restore).await?;
        let id = id.id().ok_or(Error::NotFound)?;
        self.outcome(self.write_if(&author, Operation::Restore { id: id.clone() }, &Precondition::None).await?)
    }

    /// Checks the permission for the operation again, and returns the author.
    async fn author(&self, verb: Verb) -> Result<Author, Error> {
        self.api.check_write(self.caller, R::KIND, verb)?;
        self.api.author(self.caller, write_scope(R::KIND, verb)).await
    }

    /// Checks that the storage keeps every field of the body. Otherwise the response would show values that are lost.
    fn check_fields(&self, verb: Verb, fields: &impl Serialize) -> Result<(), Error> {
        let mut lost = self.api.capabilities.lost_fields(R::KIND).peekable();
        if lost.peek().is_none() {
            return Ok(());
        }
        let fields = serde_json::to_value(fields).map_err(StorageError::backend)?;
        // The container of a new record is in the path. A storage can lack its field, and then moves no record.
        let is_sent = |name: &&str| {
            fields.get(name).is_some() && (verb != Verb::Create || R::new_schema()["properties"].get(name).is_some())
        };
        let fault = |name: &str| FieldFault::of_member(name, "is not kept by this application");
        let faults: Vec<_> = lost.filter(is_sent).map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(Error::InvalidField(faults.into())) }
    }

    async fn write_if(
        &self,
        author: &Author,
        operation: Operation<R>,
        precondition: &Precondition,
    ) -> Result<Update<R>, StorageError> {
        let precondition = precondition.clone();
        self.write(author, RecordWrite { precondition, ..self.record_write(operation, self.now()) }).await
    }

    fn record_write(&self, operation: Operation<R>, now: Timestamp) -> RecordWrite<R> {
        RecordWrite::new(operation, self.caller.zone().clone(), now)
    }

    /// Runs a write. If it changes a record, records its event and counts the rows that it adds beside the records.
    async fn write(&self, author: &Author, write: RecordWrite<R>) -> Result<Update<R>, StorageError> {
        let pending = (!write.only_reads()).then(|| self.begin_event(author, &write.operation));
        // A fault of the storage drops the event: the outcome is then unknown.
        let update = R::write(&*self.api.storage, author, &write).traced("write_record").await?;
        let is_changed = matches!(update, Update::Done(_) | Update::Changed { .. });
        if let Some(pending) = pending {
            pending.complete(is_changed);
        }
        let Member { family, user } = &author.member;
        match (write.operation.verb(), &update) {
            (Verb::Create, Update::Done(_)) if write.idempotency.is_some() => {
                self.api.count_for_purge(PurgeStep::SurplusIdempotencyKeys(family.clone(), user.clone()), 1);
            }
            (Verb::Delete, Update::Done(deleted)) if R::KIND.is_restorable() => {
                self.api.count_deleted(family, deleted);
            }
            _ => {}
        }
        Ok(update)
    }

    /// Converts the result of a write.
    fn outcome(&self, update: Update<R>) -> Result<WriteOutcome<R>, Error> {
        let is_written = matches!(update, Update::Done(_) | Update::Changed { .. });
        let record = self.api.write_result(self.caller, R::KIND, update)?;
        Ok(if is_written { WriteOutcome::Written(record) } else { WriteOutcome::Existing(record) })
    }

    fn begin_event(&self, author: &Author, operation: &Operation<R>) -> PendingAudit {
        let (family, record) = (author.member.family.clone(), RecordId::new(R::KIND, operation.id()));
        self.api.begin_token_event(self.caller, |user, token| match operation.verb() {
            Verb::Create => AuditEvent::RecordCreated { user, token, family, record },
            Verb::Update => AuditEvent::RecordUpdated { user, token, family, record },
            Verb::Delete => AuditEvent::RecordDeleted { user, token, family, record },
            Verb::Restore => AuditEvent::RecordRestored { user, token, family, record },
        })
    }

    fn now(&self) -> Timestamp {
        self.api.clock.now()
    }
}

impl RecordService<'_, ShoppingItem> {
    /// Deletes the checked items of a list that the caller can see, at most 500. The result is empty if the list has no
    /// checked item.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller cannot see the list.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "delete_checked_items", skip_all, fields(user = %self.caller.user(), list = list.id().and_then(traced)))]
    pub async fn delete_checked(&self, list: &Reference<ListId>) -> Result<DeletedItems, Error> {
        let author = self.author(Verb::Delete).await?;
        let list = list.id().ok_or(Error::NotFound)?;
        let (family, of_list) = (author.member.family.clone(), Some(list.clone()));
        let pending = self.api.begin_token_event(self.caller, |user, token| {
            let items = Vec::new();
            AuditEvent::CheckedItemsDeleted { user, token, family, list: of_list, items }
        });
        let storage = &self.api.storage;
        let deleted: Update<_> =
            storage.delete_checked_items(&author, list, self.now()).traced("delete_checked_items").await?;
        let ids = if let Update::Done(ids) = &deleted { ids.clone() } else { Vec::new() };
        let is_changed = !ids.is_empty();
        pending.complete_with(is_changed, |event| {
            if let AuditEvent::CheckedItemsDeleted { items, .. } = event {
                *items = ids;
            }
        });
        let items = self.api.write_result(self.caller, RecordKind::ShoppingItem, deleted)?;
        if is_changed {
            let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
            let step = PurgeStep::SurplusRecords(author.member.family.clone(), RecordKind::ShoppingItem);
            self.api.count_for_purge(step, count);
        }
        Ok(DeletedItems::new(items))
    }
}

/// Generates an id that no record has.
pub(super) fn new_id<I: Id>(now: Timestamp) -> Result<I, RandomnessUnavailable> {
    let mut random = [0; 10];
    getrandom::fill(&mut random).map_err(|_| RandomnessUnavailable)?;
    Ok(I::new_v7(now, random))
}
