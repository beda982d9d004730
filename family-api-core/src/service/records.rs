//! Creates, updates, deletes and restores records of every kind.

use std::marker::PhantomData;

use serde::Serialize;
use tracing::instrument;

use crate::Timestamp;
use crate::access::{Author, Caller, Member, write_scope};
use crate::audit::{AuditEvent, RecordId};
use crate::change::New;
use crate::error::Error;
use crate::id::{Id, ListId};
use crate::idempotency::IdempotentRequest;
use crate::key::RandomnessUnavailable;
use crate::logged_id::loggable_text;
use crate::precondition::Precondition;
use crate::resource::{Deleted, DeletedItems, RecordKind, ShoppingItem, Verb};
use crate::service::FamilyApi;
use crate::service::audit::PendingAudit;
use crate::service::purge::PurgeStep;
use crate::service::storage_call::StorageCall;
use crate::storage::{Operation, RecordWrite, StorageError, Writable, Written};
use crate::validation::{FieldFault, Reference};

/// A handle to write records of one kind.
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
pub enum CreateOutcome<R> {
    /// The record was created or restored.
    New(R),
    /// Nothing was written: an earlier request has created the record, or the record is not deleted. It is returned as
    /// it is now.
    Existing(R),
}

impl<R> CreateOutcome<R> {
    /// Returns the record.
    #[must_use]
    pub fn into_record(self) -> R {
        match self {
            Self::New(record) | Self::Existing(record) => record,
        }
    }
}

/// The result of an update: the record as the transaction of the update found it, and as it stored it.
///
/// If no field has a new value, nothing was stored, and the records are equal. An update that
/// [splits](crate::change::Editable::splits) the record also creates another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Updated<R> {
    /// The record before the update.
    pub before: R,
    /// The record after the update.
    pub after: R,
    /// The other part of the record, if the update has split it.
    pub created: Option<R>,
}

impl FamilyApi {
    /// Returns a handle for writes of records of one kind. Checks whether the caller may perform the operation
    /// `verb`, so that an adapter can refuse a request before it reads the body.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the storage does not support the operation.
    /// - [`Error::InsufficientScope`] if a token lacks the scope of the operation.
    pub fn records<'a, R: Writable>(&'a self, caller: &'a Caller, verb: Verb) -> Result<RecordService<'a, R>, Error> {
        self.check_write(caller, R::KIND, verb)?;
        Ok(RecordService { api: self, caller, kind: PhantomData })
    }

    fn check_write(&self, caller: &Caller, kind: RecordKind, verb: Verb) -> Result<(), Error> {
        if !self.capabilities.supports(kind, verb) {
            return Err(Error::NotFound);
        }
        self.allow(caller, caller.require(&write_scope(kind, verb)))
    }
}

impl<R: Writable> RecordService<'_, R> {
    /// Creates a record and returns it.
    ///
    /// If the same user made the same idempotent request within the last 24 hours, this call creates nothing. It
    /// returns the record of that request as it is now, as [`CreateOutcome::Existing`].
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
    ) -> Result<CreateOutcome<R>, Error> {
        let author = self.author(Verb::Create).await?;
        self.check_fields(Verb::Create, &new)?;
        let begin = |request: &IdempotentRequest| {
            let running = self.api.running_creations.begin((self.caller.user().clone(), request.key.clone()));
            running.ok_or(Error::IdempotencyRunning)
        };
        let _running = idempotency.as_ref().map(begin).transpose()?;
        let now = self.now();
        let id = new_id(now)?;
        match self.write(&author, Operation::Create { id, new, idempotency }, now).await? {
            Written::Created(record) => Ok(CreateOutcome::New(record)),
            Written::Existing(record) => Ok(CreateOutcome::Existing(record)),
            other => Err(self.not_written(other)),
        }
    }

    /// Updates a record, and returns it before and after the update. [`write_sequence`](crate::storage::write_sequence)
    /// shows the way of an update through this crate.
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if the rules do not allow the update, or the storage does not keep a field.
    /// - [`Error::NotFound`] if the caller cannot see the record, or a record that the update refers to.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - [`Error::RecordLimitReached`] if the update makes the record longer or splits it, and the family already has the
    ///   maximum number of records of this kind.
    /// - [`Error::Unavailable`] if the operating system returns no random bytes for the id of the other part.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "update_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str(), id = id.id().and_then(loggable_text)))]
    pub async fn update(
        &self,
        id: &Reference<R::Id>,
        update: R::Update,
        precondition: &Precondition,
    ) -> Result<Updated<R>, Error> {
        let author = self.author(Verb::Update).await?;
        let id = id.id().ok_or(Error::NotFound)?;
        self.check_fields(Verb::Update, &update)?;
        let now = self.now();
        // Without an id, the rules refuse an update that splits the record.
        let can_split = R::CAN_SPLIT && R::splits(&update) && self.api.capabilities.supports(R::KIND, Verb::Create);
        let new_id = can_split.then(|| new_id(now)).transpose()?;
        let operation = Operation::Update { id: id.clone(), update, precondition: precondition.clone(), new_id };
        match self.write(&author, operation, now).await? {
            Written::Updated { before, after } => Ok(Updated { before, after, created: None }),
            Written::Split { before, after, new } => Ok(Updated { before, after, created: Some(new) }),
            Written::Existing(record) => Ok(Updated { before: record.clone(), after: record, created: None }),
            other => Err(self.not_written(other)),
        }
    }

    /// Deletes a record. A task, note, event or shopping item can be restored for 30 days.
    ///
    /// # Errors
    /// Those of [`take`](Self::take).
    pub async fn delete(&self, id: &Reference<R::Id>, precondition: &Precondition) -> Result<Deleted<R::Id>, Error> {
        self.take(id, precondition).await.map(|record| Deleted::new(record.id().clone()))
    }

    /// Deletes a record as [`delete`](Self::delete), and returns it as it was.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller cannot see the record.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - [`Error::NotEmpty`] if the record contains other records.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "delete_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str(), id = id.id().and_then(loggable_text)))]
    pub async fn take(&self, id: &Reference<R::Id>, precondition: &Precondition) -> Result<R, Error> {
        let author = self.author(Verb::Delete).await?;
        let id = id.id().ok_or(Error::NotFound)?;
        let operation = Operation::Delete { id: id.clone(), precondition: precondition.clone() };
        match self.write(&author, operation, self.now()).await? {
            Written::Deleted(record) => Ok(record),
            other => Err(self.not_written(other)),
        }
    }

    /// Restores a deleted record and returns it. A record that is not deleted is returned as it is, as
    /// [`CreateOutcome::Existing`].
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the record does not exist or was deleted more than 30 days ago, or if the caller cannot
    ///   see it or the column or list that contained it.
    /// - [`Error::RecordLimitReached`] if the family already has the maximum number of records of this kind.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "restore_record", skip_all, fields(user = %self.caller.user(), kind = R::KIND.as_str(), id = id.id().and_then(loggable_text)))]
    pub async fn restore(&self, id: &Reference<R::Id>) -> Result<CreateOutcome<R>, Error> {
        let author = self.author(Verb::Restore).await?;
        let id = id.id().ok_or(Error::NotFound)?;
        match self.write(&author, Operation::Restore { id: id.clone() }, self.now()).await? {
            Written::Restored(record) => Ok(CreateOutcome::New(record)),
            Written::Existing(record) => Ok(CreateOutcome::Existing(record)),
            other => Err(self.not_written(other)),
        }
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
        let fault = |name: &str| FieldFault::of_field(name, "is not kept by this application");
        let faults: Vec<_> = lost.filter(is_sent).map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(Error::InvalidField(faults.into())) }
    }

    /// Runs a write. If it changes a record, records its event and counts the rows that it adds beside the records. A
    /// split has a second event.
    async fn write(
        &self,
        author: &Author,
        operation: Operation<R>,
        now: Timestamp,
    ) -> Result<Written<R>, StorageError> {
        let changes = if let Operation::Update { update, .. } = &operation { R::max_changes(update) } else { 1 };
        let write = RecordWrite::new(operation, self.caller.zone().clone(), now);
        let (verb, id) = (write.operation.verb(), write.operation.id());
        let pending = (!write.only_reads()).then(|| self.begin_event(author, verb, id));
        let other_part = write.operation.new_id().filter(|_| verb == Verb::Update);
        let split = other_part.map(|id| self.begin_event(author, Verb::Create, id));
        let (mut pending, mut split) = (pending.unwrap_or_default(), split.unwrap_or_default());
        let written = R::write(&*self.api.storage, author, &write).traced("write_record").await;
        // Another fault of the storage drops the events: the outcome is then unknown.
        let written = split.called(pending.called(written))?;
        pending.complete_with(written.is_change(), |event| name_created(event, &written));
        split.complete_with(matches!(written, Written::Split { .. }), |event| name_created(event, &written));
        let Member { family, user } = &author.member;
        if written.is_change() {
            self.api.count_for_purge(PurgeStep::SurplusChanges(family.clone()), changes);
        }
        match (write.operation, &written) {
            (Operation::Create { idempotency: Some(_), .. }, Written::Created(_)) => {
                self.api.count_for_purge(PurgeStep::SurplusIdempotencyKeys(family.clone(), user.clone()), 1);
            }
            (Operation::Delete { .. }, Written::Deleted(record)) if R::KIND.is_restorable() => {
                self.api.count_deleted(family, record);
            }
            _ => {}
        }
        Ok(written)
    }

    /// Returns the error for a result that is no success of the operation. If the credential became invalid during the
    /// request, the error is the same as for a new request.
    fn not_written<T>(&self, written: Written<T>) -> Error {
        match written {
            Written::Unauthorized(reason) => self.api.refuse_caller(self.caller, reason),
            Written::NotFound => Error::NotFound,
            Written::PreconditionFailed => Error::PreconditionFailed,
            Written::Refused(faults) => Error::InvalidField(faults.into()),
            Written::NotEmpty => Error::NotEmpty,
            Written::IdempotencyMismatch => Error::IdempotencyMismatch,
            Written::LimitReached => Error::RecordLimitReached { limit: R::KIND.max_records() },
            Written::Created(_)
            | Written::Updated { .. }
            | Written::Split { .. }
            | Written::Deleted(_)
            | Written::Restored(_)
            | Written::Existing(_) => StorageError::backend("the result of another operation").into(),
        }
    }

    fn begin_event(&self, author: &Author, verb: Verb, id: &R::Id) -> PendingAudit {
        let (family, record) = (author.member.family.clone(), RecordId::new(R::KIND, id));
        self.api.begin_token_event(self.caller, |user, token| match verb {
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

/// Names a created record by the id that the storage gave it.
fn name_created<R: Writable>(event: &mut AuditEvent, written: &Written<R>) {
    if let (AuditEvent::RecordCreated { record, .. }, Written::Created(created) | Written::Split { new: created, .. }) =
        (event, written)
    {
        *record = RecordId::new(R::KIND, created.id());
    }
}

impl RecordService<'_, ShoppingItem> {
    /// Deletes the checked items of a list that the caller can see, at most 500. The result is empty if the list has no
    /// checked item.
    ///
    /// # Errors
    /// Those of [`take_checked`](Self::take_checked).
    pub async fn delete_checked(&self, list: &Reference<ListId>) -> Result<DeletedItems, Error> {
        let items = self.take_checked(list).await?;
        Ok(DeletedItems::new(items.into_iter().map(|item| item.id).collect()))
    }

    /// Deletes checked items as [`delete_checked`](Self::delete_checked), and returns them as they were.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller cannot see the list.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "delete_checked_items", skip_all, fields(user = %self.caller.user(), list = list.id().and_then(loggable_text)))]
    pub async fn take_checked(&self, list: &Reference<ListId>) -> Result<Vec<ShoppingItem>, Error> {
        let author = self.author(Verb::Delete).await?;
        let list = list.id().ok_or(Error::NotFound)?;
        let (family, of_list) = (author.member.family.clone(), Some(list.clone()));
        let mut pending = self.api.begin_token_event(self.caller, |user, token| {
            let items = Vec::new();
            AuditEvent::CheckedItemsDeleted { user, token, family, list: of_list, items }
        });
        let storage = &self.api.storage;
        let deleted = storage.delete_checked_items(&author, list, self.now()).traced("delete_checked_items").await;
        let deleted: Written<_> = pending.called(deleted)?;
        let ids = match &deleted {
            Written::Deleted(items) => items.iter().map(|item| item.id.clone()).collect(),
            _ => Vec::new(),
        };
        let is_changed = !ids.is_empty();
        pending.complete_with(is_changed, |event| {
            if let AuditEvent::CheckedItemsDeleted { items, .. } = event {
                *items = ids;
            }
        });
        let Written::Deleted(items) = deleted else {
            return Err(self.not_written(deleted));
        };
        if is_changed {
            let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
            let step = PurgeStep::SurplusDeleted(author.member.family.clone(), RecordKind::ShoppingItem);
            self.api.count_for_purge(step, count);
            self.api.count_for_purge(PurgeStep::SurplusChanges(author.member.family.clone()), count);
        }
        Ok(items)
    }
}

/// Generates an id that no record has.
pub(super) fn new_id<I: Id>(now: Timestamp) -> Result<I, RandomnessUnavailable> {
    let mut random = [0; 10];
    getrandom::fill(&mut random).map_err(|_| RandomnessUnavailable)?;
    Ok(I::new_v7(now, random))
}
