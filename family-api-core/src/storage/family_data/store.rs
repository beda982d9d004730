//! Implements reads and writes for a host that only loads and stores a family's rows.

use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{Author, FoundCredential, Member};
use crate::calendar::{EventRange, StatsPeriods};
use crate::for_each_kind;
use crate::id::{FamilyId, ItemId, ListId, NoteId, TaskId};
use crate::resource::{
    Board, Document, Event, Note, Person, RecordKind, ResourceKind, ShoppingList, TaskFilter, TaskStats, Verb,
};
use crate::storage::family_data::row_steps::RowSteps;
use crate::storage::family_data::{FamilyWrite, RowKind};
use crate::storage::reads::with_only_task;
use crate::storage::write_sequence::{SequenceResult, delete_checked_items, write_record};
use crate::storage::writes::unsupported;
use crate::storage::{
    Capabilities, DeletedRecordLimit, FamilyData, ReadStorage, RecordWrite, RestorableEntry, RestorableQuery,
    StorageError, WriteStorage, Written,
};

/// Loads and stores the rows of families. Every implementation also implements [`ReadStorage`] and
/// [`WriteStorage`](crate::storage::WriteStorage), with all rules of the HTTP reference.
///
/// Use it for families of the size of a household, because each call loads all rows of a resource. For large families,
/// implement the two traits with your own statements.
#[async_trait]
pub trait FamilyStore: Send + Sync {
    /// Returns what the store keeps. It gets no other [`FamilyWrite`]. Default: updates of tasks, and updates and
    /// deletions of notes.
    fn capabilities(&self) -> Capabilities {
        Capabilities::updates()
    }

    /// Loads the rows of the member's family that the resource needs ([`FamilyData`]), as of one moment.
    ///
    /// The user can leave the family between the authorization of the request and this call. The statement should check
    /// again that the user is in the family, and load no rows if not.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError>;

    /// Loads the rows and the author's credential, calls `decide`, and stores the result, in one transaction without
    /// concurrent writes.
    ///
    /// Finds the credential in this transaction ([`FoundCredential`]): the key with the digest, or the user of a
    /// session that has not expired at `now`. [`Author::find_credential`] does so for a host whose transaction locks
    /// out every other writer.
    ///
    /// Passes `decide` the rows that [`load`](Self::load) returns, and the rows of [`FamilyData::deleted`] and
    /// [`FamilyData::answers`] if the store keeps them. Stores all writes that `decide` returns, in their order. If there
    /// are none, stores nothing.
    ///
    /// `decide` can be called only once, so the transaction cannot be retried. A host with serializable transactions
    /// takes an exclusive lock before it loads the rows, so that no conflict can roll the transaction back.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Nothing was changed then.
    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError>;

    /// Forgets deleted records, as [`WriteStorage::forget_old_deleted`] does. Default: forgets nothing.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let _ = (until, limit);
        Ok(0)
    }

    /// Forgets deleted records of a kind, as [`WriteStorage::forget_surplus_deleted`] does. Default: forgets nothing.
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

    /// Deletes answers, as [`WriteStorage::delete_old_idempotency_keys`] does. Default: deletes nothing.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let _ = (until, limit);
        Ok(0)
    }

    /// Deletes answers to a member, as [`WriteStorage::delete_surplus_idempotency_keys`] does. Default: deletes nothing.
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

/// Decides what to store, from the credential and the rows.
pub type DecideFn<'a> = Box<dyn FnOnce(FoundCredential, &FamilyData) -> Vec<FamilyWrite> + Send + 'a>;

#[async_trait]
impl<S: FamilyStore> ReadStorage for S {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        let data = self.load(member, ResourceKind::Tasks).await?;
        Ok(Document::of(&data.list_tasks(&member.user, filter))?.with_revision(data.revision))
    }

    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        let data = self.load(member, ResourceKind::Tasks).await?;
        let boards = with_only_task(data.list_tasks(&member.user, TaskFilter::All), task);
        Ok(Document::of(&boards)?.with_revision(data.revision))
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let data = self.load(member, ResourceKind::Events).await?;
        Ok(Document::of(&data.list_events(range))?.with_revision(data.revision))
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        let data = self.load(member, ResourceKind::Events).await?;
        Ok(Document::of(&data.list_overlapping_events(range))?.with_revision(data.revision))
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        let data = self.load(member, ResourceKind::Shopping).await?;
        Ok(Document::of(&data.list_shopping(&member.user))?.with_revision(data.revision))
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        let data = self.load(member, ResourceKind::Notes).await?;
        Ok(Document::of(&data.list_notes())?.with_revision(data.revision))
    }

    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        let data = self.load(member, ResourceKind::Notes).await?;
        let mut notes = data.list_notes();
        notes.retain(|other| other.id == *note);
        Ok(Document::of(&notes)?.with_revision(data.revision))
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        let data = self.load(member, ResourceKind::TaskStats).await?;
        Ok(Document::of(&data.find_task_stats(&member.user, periods))?.with_revision(data.revision))
    }

    /// Loads the rows of each resource with records that can be restored, with [`FamilyData::deleted`].
    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        let capabilities = FamilyStore::capabilities(self);
        let kinds = RecordKind::ALL.into_iter().filter(|kind| capabilities.supports(*kind, Verb::Restore));
        let mut entries = Vec::new();
        for kind in kinds.filter(|kind| query.kind.is_none_or(|only| only == *kind)) {
            let data = self.load(member, kind.resource()).await?;
            entries.extend(data.list_restorable(&member.user, kind.resource(), query)?);
        }
        Ok(query.page(entries))
    }

    /// Loads the rows of a resource that the store keeps: all of them include the people. Shopping lists usually have the
    /// fewest rows.
    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        let capabilities = FamilyStore::capabilities(self);
        let resources = [ResourceKind::Shopping, ResourceKind::Events, ResourceKind::Notes];
        let kept = resources.into_iter().find(|resource| capabilities.keeps_resource(*resource));
        let data = self.load(member, kept.unwrap_or(ResourceKind::Tasks)).await?;
        Ok(Document::of(&data.list_members())?.with_revision(data.revision))
    }
}

/// Implements [`WriteStorage`] for every [`FamilyStore`].
macro_rules! impl_write_storage {
    ($($method:ident: $Record:ident,)*) => {
        #[async_trait]
        impl<S: FamilyStore> WriteStorage for S {
            fn capabilities(&self) -> Capabilities {
                FamilyStore::capabilities(self)
            }

            $(
                async fn $method(
                    &self,
                    author: &Author,
                    write: &RecordWrite<crate::resource::$Record>,
                ) -> Result<Written<crate::resource::$Record>, StorageError> {
                    write_row(self, author, write).await
                }
            )*

            async fn delete_checked_items(
                &self,
                author: &Author,
                list: &ListId,
                now: Timestamp,
            ) -> Result<Written<Vec<ItemId>>, StorageError> {
                if !FamilyStore::capabilities(self).supports(RecordKind::ShoppingItem, Verb::Delete) {
                    return Err(StorageError::backend("the storage does not delete shopping items"));
                }
                decide(self, author, ResourceKind::Shopping, now, async |credential, steps| {
                    delete_checked_items(author, list, now, credential, steps).await
                })
                .await
            }

            async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                FamilyStore::forget_old_deleted(self, until, limit).await
            }

            async fn forget_surplus_deleted(
                &self,
                family: &FamilyId,
                kind: RecordKind,
                keep: DeletedRecordLimit,
                limit: u32,
            ) -> Result<u64, StorageError> {
                FamilyStore::forget_surplus_deleted(self, family, kind, keep, limit).await
            }

            async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                FamilyStore::delete_old_idempotency_keys(self, until, limit).await
            }

            async fn delete_surplus_idempotency_keys(
                &self,
                member: &Member,
                keep: u32,
                limit: u32,
            ) -> Result<u64, StorageError> {
                FamilyStore::delete_surplus_idempotency_keys(self, member, keep, limit).await
            }
        }
    };
}

for_each_kind!(impl_write_storage);

async fn write_row<R: RowKind>(
    store: &impl FamilyStore,
    author: &Author,
    write: &RecordWrite<R>,
) -> Result<Written<R>, StorageError> {
    if !FamilyStore::capabilities(store).supports(R::KIND, write.operation.verb()) {
        return Err(unsupported(write));
    }
    decide(store, author, R::KIND.resource(), write.now, async |credential, steps| {
        write_record(author, write, credential, steps).await
    })
    .await
}

/// Runs a sequence of steps on the rows that the store loads.
async fn decide<T: Send>(
    store: &impl FamilyStore,
    author: &Author,
    resource: ResourceKind,
    now: Timestamp,
    sequence: impl AsyncFnOnce(FoundCredential, &mut RowSteps<'_>) -> Result<SequenceResult<T>, StorageError> + Send,
) -> Result<Written<T>, StorageError> {
    let capabilities = FamilyStore::capabilities(store);
    let mut result = Ok(Written::NotFound);
    let decide = |credential, data: &FamilyData| {
        let user = &author.member.user;
        let mut steps = RowSteps { data, user, capabilities: &capabilities, writes: Vec::new() };
        let outcome = run_to_end(sequence(credential, &mut steps));
        let is_stored = outcome.as_ref().is_ok_and(|outcome| outcome.is_stored);
        result = outcome.map(|outcome| outcome.written);
        if is_stored { steps.writes } else { Vec::new() }
    };
    store.change(author, resource, now, Box::new(decide)).await?;
    result
}

/// Runs a future that never waits.
fn run_to_end<T>(future: impl Future<Output = Result<T, StorageError>>) -> Result<T, StorageError> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(StorageError::backend("a step on the rows waits")),
    }
}
