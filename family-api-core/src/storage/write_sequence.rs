//! How a write of a record is made, from beginning to end. Every storage takes the same steps in one transaction. A move
//! can need others before it, which only make gaps between other tasks:
//!
//! 1. Check the author's credential ([`Author::check`]), before anything about the record is revealed. So does an update
//!    that names no field, because its result contains the record.
//! 2. For a creation, assign the id ([`WriteSteps::assign_id`]). For a creation with an idempotency key, keep the key, or
//!    find the record that an earlier request of the user with this key has created within the last 24 hours. If the
//!    digest of that request is equal, return the record as it is now ([`Written::Existing`]). Otherwise return
//!    [`Written::IdempotencyMismatch`]. For a restoration, find the deleted record. If there is none, return the record
//!    with this id as it is now.
//! 3. Find the facts that the rules of the kind need ([`Editable::Facts`]), as the member sees them. The record of a
//!    creation is [blank](Editable::blank). If the member does not see the record, return [`Written::NotFound`].
//! 4. Check the precondition of an update or deletion against the record ([`Precondition::holds`]). For a deletion, then
//!    delete the record, and keep it if it can be restored. The steps below do not apply to it.
//! 5. Apply the rules to the facts: [`Editable::decide`], [`Editable::decide_new`] or [`Editable::decide_restore`]. The
//!    result is a [`Verdict`]. An update that can split the record in two first assigns the id of the other part
//!    ([`Editable::decide_split`]). If no field has a new value, return the record as it is ([`Written::Existing`]). A
//!    restoration then forgets the deleted record.
//! 6. For a creation, a restoration or a split, and for an update with which the record counts more often, check that
//!    the family then has at most [`max_records`](RecordWrite::max_records) records of the kind. Otherwise return
//!    [`Written::LimitReached`].
//! 7. Store the record of the verdict. The statement checks again that the record is in the family and that the member
//!    sees it. If a record with the id of a restored one is stored, return that record as it is. Then insert the other
//!    part of a split.
//! 8. Add each record to the log of changes ([`WriteSteps::log`]), if the storage
//!    [keeps one](crate::storage::Capabilities::keeps_changes).
//!
//! [`write_record`] makes the decisions. A storage implements only [`WriteSteps`], the reads and writes between them.
//! The kind of a record enters through these contracts, each of which adds to the one before:
//!
//! | contract | says about a kind | where |
//! |---|---|---|
//! | [`Editable`] | its bodies, its facts and its rules | `change`, which implements it for each kind |
//! | [`StoredFields`](crate::storage::value::StoredFields) | its columns, from `record!` | everything that stores a record |
//! | [`Writable`] | its method of [`WriteStorage`](crate::storage::WriteStorage), and its size | the service, and this page |
//! | `RowKind` | its rows in memory, and who sees them | [`FamilyData`](crate::storage::FamilyData) |
//! | `SqlKind` | its statements | the storages of `family-api-sql` |
//!
//! A write is carried by two values: the [`Operation`] as the service has it, and the [`Target`] whose facts a storage
//! finds. The way of a PATCH: `RecordService::update` → [`Writable::write`] → `WriteStorage::write_task` →
//! [`write_record`] → [`WriteSteps`], which `RowSteps` implements over rows and `SqlSteps` with statements.

use crate::Timestamp;
use crate::access::{Author, FoundCredential, write_scope};
#[cfg(doc)]
use crate::change::Editable;
use crate::change::{New, Split, Verdict};
use crate::idempotency::IdempotentRequest;
use crate::precondition::Precondition;
use crate::storage::kept::{DELETED_RECORD_RETENTION, IDEMPOTENCY_RETENTION, parse_deleted};
use crate::storage::writes::unsupported;
use crate::storage::{DeletedRecord, IdempotentAnswer, Operation, RecordWrite, StorageError, Writable, Written};

pub use crate::storage::checked_items::{CheckedItemSteps, MAX_CHECKED_ITEMS, delete_checked_items};
pub use crate::storage::target::Target;

/// What a write adds to the records of a kind. A record counts once, and once more for each of its
/// [blocks](Writable::blocks).
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// 1 for a creation, a restoration or a split, 0 for any other update.
    records: u32,
    /// The blocks of a new record, or the blocks that an update adds. A split adds those of both parts.
    pub blocks: u32,
}

impl Growth {
    /// Returns the growth by a creation or restoration.
    fn of_new<R: Writable>(write: &R::Write) -> Self {
        Self { records: 1, blocks: R::output(write.clone()).blocks() }
    }

    /// Returns by how much the count of the records grows.
    #[must_use]
    pub const fn counted(self) -> u32 {
        self.records.saturating_add(self.blocks)
    }
}

/// The steps of a write that differ between storages. All of them run in one transaction, as one member of the family.
///
/// A fault of a step ends the write, and the transaction must then be rolled back. A storage whose step needs several
/// transactions ends the sequence with a fault of its own, and begins it again.
pub trait WriteSteps<R: Writable>: Send {
    /// Returns the id of the record to create. Default: the proposed one.
    fn assign_id(&mut self, proposed: &R::Id) -> impl Future<Output = Result<R::Id, StorageError>> + Send {
        std::future::ready(Ok(proposed.clone()))
    }

    /// Returns what the storage keeps of a write. Default: every field of the record.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    fn kept(&self, write: R::Write) -> Result<R::Write, StorageError> {
        Ok(write)
    }

    /// Keeps an answer, and replaces an earlier answer of the user with the same key. If the earlier answer was given
    /// after `since`, returns it and keeps it.
    fn keep_answer(
        &mut self,
        answer: IdempotentAnswer,
        since: Timestamp,
    ) -> impl Future<Output = Result<Option<IdempotentAnswer>, StorageError>> + Send;

    /// Returns `None` if the member does not see the stored record.
    fn find_facts(
        &mut self,
        target: Target<'_, R>,
        now: Timestamp,
    ) -> impl Future<Output = Result<Option<R::Facts>, StorageError>> + Send;

    /// Returns whether the records of the kind in the family count at most `max` after the write. Comes after
    /// [`find_facts`](Self::find_facts).
    fn has_room(&mut self, growth: Growth, max: u32) -> impl Future<Output = Result<bool, StorageError>> + Send;

    /// Takes note that the records of the kind have fewer [blocks](Writable::blocks) after the write.
    fn release_blocks(&mut self, blocks: u32) -> impl Future<Output = Result<(), StorageError>> + Send;

    /// Returns `false` if a record with this id is stored. Replaces no record.
    fn insert(&mut self, write: &R::Write) -> impl Future<Output = Result<bool, StorageError>> + Send;

    /// Returns `false` if the member does not see the record any more.
    fn update(&mut self, write: &R::Write) -> impl Future<Output = Result<bool, StorageError>> + Send;

    /// Returns `false` if the member does not see the record any more, or if it contains other records.
    fn delete(&mut self, id: &R::Id) -> impl Future<Output = Result<bool, StorageError>> + Send;

    /// Returns the JSON of a record that was deleted after `since`.
    fn find_deleted(
        &mut self,
        id: &R::Id,
        since: Timestamp,
    ) -> impl Future<Output = Result<Option<String>, StorageError>> + Send;

    /// Keeps a deleted record, so that it can be restored.
    fn keep_deleted(&mut self, deleted: DeletedRecord) -> impl Future<Output = Result<(), StorageError>> + Send;

    /// Adds a change to the log. `after` is the record after the change, and `None` if it was deleted. The steps know who
    /// saw the record before the change. `is_new` tells that it was not stored before.
    fn log(
        &mut self,
        id: &R::Id,
        after: Option<&R>,
        is_new: bool,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), StorageError>> + Send;

    /// Returns `false` if there is no deleted record with this id any more.
    fn forget_deleted(&mut self, id: &R::Id) -> impl Future<Output = Result<bool, StorageError>> + Send;
}

/// The result of a write, and whether the transaction must be committed.
#[derive(Debug)]
pub struct SequenceResult<T> {
    /// The result.
    pub written: Written<T>,
    /// Whether something was stored. If not, the transaction must be rolled back, so that the revision stays the same.
    pub is_stored: bool,
}

/// Why a sequence ends before it stores anything.
pub(super) enum Stop<T> {
    Unchanged(Written<T>),
    Fault(StorageError),
}

impl<T> From<StorageError> for Stop<T> {
    fn from(fault: StorageError) -> Self {
        Self::Fault(fault)
    }
}

impl<T> SequenceResult<T> {
    pub(super) fn of(result: Result<Written<T>, Stop<T>>) -> Result<Self, StorageError> {
        match result {
            Ok(written) => Ok(Self { written, is_stored: true }),
            Err(Stop::Unchanged(written)) => Ok(Self { written, is_stored: false }),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }
}

/// Runs the sequence. `credential` was found in the same transaction, and does not change before its end. A write that
/// [only reads](RecordWrite::only_reads) stores nothing and needs no transaction.
///
/// # Errors
/// [`StorageError`] for a fault.
pub async fn write_record<R: Writable>(
    author: &Author,
    write: &RecordWrite<R>,
    credential: FoundCredential,
    steps: &mut impl WriteSteps<R>,
) -> Result<SequenceResult<R>, StorageError> {
    SequenceResult::of(Sequence { author, write, steps }.run(credential).await)
}

/// Returns whether an update would give a record only another version. A move that makes room can change other tasks.
fn has_no_new_value<R: Writable>(write: &R::Write, before: &R) -> bool {
    R::map_record(write.clone(), |record| record.with_version_of(before)) == before.clone().into()
}

struct Sequence<'a, R: Writable, S> {
    author: &'a Author,
    write: &'a RecordWrite<R>,
    steps: &'a mut S,
}

impl<R: Writable, S: WriteSteps<R>> Sequence<'_, R, S> {
    async fn run(mut self, credential: FoundCredential) -> Result<Written<R>, Stop<R>> {
        let scope = write_scope(R::KIND, self.write.operation.verb());
        let checked = self.author.check(credential, &scope, self.write.now);
        checked.map_err(|denied| Stop::Unchanged(denied.into()))?;
        match &self.write.operation {
            Operation::Create { id, new, idempotency } => {
                self.create(id, new, idempotency.as_ref()).await.map(Written::Created)
            }
            Operation::Update { id, update, precondition, new_id } => {
                self.update(id, update, precondition, new_id.as_ref()).await
            }
            Operation::Delete { id, precondition } => self.delete(id, precondition).await.map(Written::Deleted),
            Operation::Restore { id } => self.restore(id).await.map(Written::Restored),
        }
    }

    async fn create(
        &mut self,
        id: &R::Id,
        new: &New<R::Update>,
        idempotency: Option<&IdempotentRequest>,
    ) -> Result<R, Stop<R>> {
        let id = &self.steps.assign_id(id).await?;
        if let Some(request) = idempotency {
            self.keep_answer(request, id).await?;
        }
        let facts = self.find_facts(Target::New(id, new.fields())).await?;
        let decided = self.decided(R::decide_new(new.clone(), facts, &self.write.context(self.author)))?;
        self.check_room(Growth::of_new::<R>(&decided)).await?;
        self.insert_new(&decided).await?;
        let created = R::output(decided);
        self.steps.log(created.id(), Some(&created), true, self.write.now).await?;
        Ok(created)
    }

    /// Keeps the answer to a creation before the record is stored. So a new key takes one statement, not a second one
    /// that looks for it. Ends the sequence if the key was used before.
    async fn keep_answer(&mut self, request: &IdempotentRequest, id: &R::Id) -> Result<(), Stop<R>> {
        let now = self.write.now;
        let answer = IdempotentAnswer::new::<R>(&self.author.member.user, request, id, now);
        let since = now.saturating_add(-IDEMPOTENCY_RETENTION);
        let Some(earlier) = self.steps.keep_answer(answer, since).await? else {
            return Ok(());
        };
        if !earlier.is_of(request) {
            return Err(Stop::Unchanged(Written::IdempotencyMismatch));
        }
        let id = earlier.id.parse().map_err(StorageError::corrupt)?;
        Err(self.read(&id).await?)
    }

    /// Returns the record before and after the update, both from this transaction. With an id for another record, the
    /// update can split the record.
    async fn update(
        &mut self,
        id: &R::Id,
        update: &R::Update,
        precondition: &Precondition,
        new_id: Option<&R::Id>,
    ) -> Result<Written<R>, Stop<R>> {
        if self.write.only_reads() {
            let facts = self.find_facts_if(precondition, Target::Stored(id, None)).await?;
            return Err(Stop::Unchanged(Written::Existing(R::record(&facts).clone())));
        }
        let facts = self.find_facts_if(precondition, Target::Stored(id, Some(update))).await?;
        let before = R::record(&facts).clone();
        let context = self.write.context(self.author);
        let Split { record, new } = match new_id {
            None => self.decided_split(R::decide(update.clone(), facts, &context).map(Split::from))?,
            Some(new_id) => {
                let new_id = self.steps.assign_id(new_id).await?;
                self.decided_split(R::decide_split(update.clone(), new_id, facts, &context))?
            }
        };
        if new.is_none() && has_no_new_value(&record, &before) {
            return Err(Stop::Unchanged(Written::Existing(before)));
        }
        let after = R::output(record.clone());
        let new_blocks = new.as_ref().map_or(0, |new| R::output(new.clone()).blocks());
        let (old_blocks, blocks) = (before.blocks(), after.blocks().saturating_add(new_blocks));
        let growth = Growth { records: u32::from(new.is_some()), blocks: blocks.saturating_sub(old_blocks) };
        if growth.counted() > 0 {
            self.check_room(growth).await?;
        }
        if !self.steps.update(&record).await? {
            return Err(Stop::Unchanged(Written::NotFound));
        }
        if let Some(new) = &new {
            self.insert_new(new).await?;
        }
        if blocks < old_blocks {
            self.steps.release_blocks(old_blocks - blocks).await?;
        }
        self.steps.log(id, Some(&after), false, self.write.now).await?;
        let new = new.map(R::output);
        if let Some(new) = &new {
            self.steps.log(new.id(), Some(new), true, self.write.now).await?;
        }
        Ok(match new {
            None => Written::Updated { before, after },
            Some(new) => Written::Split { before, after, new },
        })
    }

    async fn delete(&mut self, id: &R::Id, precondition: &Precondition) -> Result<R, Stop<R>> {
        let facts = self.find_facts_if(precondition, Target::Stored(id, None)).await?;
        let record = R::record(&facts);
        if !self.steps.delete(id).await? {
            return Err(Stop::Unchanged(if R::KIND.is_container() { Written::NotEmpty } else { Written::NotFound }));
        }
        if record.blocks() > 0 {
            self.steps.release_blocks(record.blocks()).await?;
        }
        if R::KIND.is_restorable() {
            self.steps.keep_deleted(DeletedRecord::new(record, self.write.now)?).await?;
        }
        self.steps.log(id, None, false, self.write.now).await?;
        Ok(record.clone())
    }

    async fn restore(&mut self, id: &R::Id) -> Result<R, Stop<R>> {
        if !R::KIND.is_restorable() {
            return Err(unsupported(self.write).into());
        }
        let since = self.write.now.saturating_add(-DELETED_RECORD_RETENTION);
        let Some(deleted) = self.steps.find_deleted(id, since).await? else {
            return Err(self.read(id).await?);
        };
        let deleted: R = parse_deleted(&deleted)?;
        let facts = self.find_facts(Target::Deleted(&deleted)).await?;
        let decided = self.decided(R::decide_restore(facts, &self.write.context(self.author)))?;
        if !self.steps.forget_deleted(id).await? {
            return Err(Stop::Unchanged(Written::NotFound));
        }
        self.check_room(Growth::of_new::<R>(&decided)).await?;
        if !self.steps.insert(&decided).await? {
            // Someone else, such as the host, has stored a record with this id after the deletion.
            return Err(self.read(id).await?);
        }
        let restored = R::output(decided);
        self.steps.log(id, Some(&restored), true, self.write.now).await?;
        Ok(restored)
    }

    /// Inserts a record whose id no other record may have.
    async fn insert_new(&mut self, write: &R::Write) -> Result<(), StorageError> {
        if self.steps.insert(write).await? {
            return Ok(());
        }
        Err(StorageError::backend("a record with the id of the new record exists"))
    }

    async fn check_room(&mut self, growth: Growth) -> Result<(), Stop<R>> {
        let has_room = self.steps.has_room(growth, self.write.max_records).await?;
        if has_room { Ok(()) } else { Err(Stop::Unchanged(Written::LimitReached)) }
    }

    fn decided(&self, verdict: Verdict<R::Write>) -> Result<R::Write, Stop<R>> {
        Ok(self.decided_split(verdict.map(Split::from))?.record)
    }

    fn decided_split(&self, verdict: Verdict<Split<R::Write>>) -> Result<Split<R::Write>, Stop<R>> {
        let kept = |write| self.steps.kept(write);
        match verdict {
            Verdict::Write(Split { record, new }) => {
                Ok(Split { record: kept(record)?, new: new.map(kept).transpose()? })
            }
            Verdict::NotFound => Err(Stop::Unchanged(Written::NotFound)),
            Verdict::Refused(faults) => Err(Stop::Unchanged(Written::Refused(faults))),
        }
    }

    /// Ends the sequence with the record as it is.
    async fn read(&mut self, id: &R::Id) -> Result<Stop<R>, Stop<R>> {
        let facts = self.find_facts(Target::Stored(id, None)).await?;
        Ok(Stop::Unchanged(Written::Existing(R::record(&facts).clone())))
    }

    async fn find_facts(&mut self, target: Target<'_, R>) -> Result<R::Facts, Stop<R>> {
        let facts = self.steps.find_facts(target, self.write.now).await?;
        facts.ok_or(Stop::Unchanged(Written::NotFound))
    }

    /// Finds the facts, and checks the precondition.
    async fn find_facts_if(&mut self, precondition: &Precondition, target: Target<'_, R>) -> Result<R::Facts, Stop<R>> {
        let facts = self.find_facts(target).await?;
        let holds = precondition.holds(R::record(&facts)).map_err(StorageError::from)?;
        if holds { Ok(facts) } else { Err(Stop::Unchanged(Written::PreconditionFailed)) }
    }
}
