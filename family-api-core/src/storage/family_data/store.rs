//! Implements reads and writes for a host that only loads and stores a family's rows.

use std::borrow::Cow;
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{Author, FoundCredential, Member};
use crate::calendar::{EventRange, StatsPeriods};
use crate::for_each_kind;
use crate::id::{EventId, FamilyId, ItemId, ListId, NoteId, TaskId};
use crate::resource::{
    Board, Document, Event, Note, Person, RecordKind, ResourceKind, ShoppingItem, ShoppingList, TaskFilter, TaskStats,
    Verb,
};
#[cfg(doc)]
use crate::storage::family_data::FamilyWrite;
use crate::storage::family_data::complete::completed;
use crate::storage::family_data::row_steps::{Log, RowSteps};
use crate::storage::family_data::{Change, Needs, RowKind};
use crate::storage::reads::with_only_task;
use crate::storage::write_sequence::{SequenceResult, delete_checked_items, write_record};
use crate::storage::writes::unsupported;
use crate::storage::{
    Capabilities, ChangesQuery, DeletedRecordLimit, FamilyData, FoundChanges, ReadStorage, RecordWrite,
    RestorableEntry, RestorableQuery, StorageError, WriteStorage, Written,
};

/// Loads and stores the rows of families. Every implementation also implements [`ReadStorage`] and
/// [`WriteStorage`](crate::storage::WriteStorage), with all rules of the HTTP reference.
///
/// Use it for families of the size of a household, because a read of a resource loads all its rows. For large families,
/// implement the two traits with your own statements.
#[async_trait]
pub trait FamilyStore: Send + Sync {
    /// Returns what the store keeps. It gets no other [`FamilyWrite`]. Default: updates of tasks, and updates and
    /// deletions of notes.
    fn capabilities(&self) -> Capabilities {
        Capabilities::updates()
    }

    /// Loads the rows of the member's family that the call [needs](Needs), as of one moment. More rows are allowed.
    ///
    /// The user can leave the family between the authorization of the request and this call. The statement must check
    /// again that the user is in the family, and load no rows if not.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError>;

    /// Makes a change in one transaction without concurrent writes: loads the rows that it [needs](Change::needs), and
    /// stores the [writes](Change::writes), in their order. If there are none, stores nothing.
    ///
    /// The transaction cannot be retried. A host with serializable transactions takes an exclusive lock before it loads
    /// the rows, so that no conflict can roll the transaction back.
    ///
    /// Default: a fault, for a store that only reads.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Nothing was changed then.
    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let _ = change;
        Err(StorageError::backend("the store only reads"))
    }

    /// Finds the author's credential for [`Change::writes`], while the transaction of the change locks out every other
    /// writer. The transaction holds a connection then, so a lookup needs one of another pool: otherwise, changes that
    /// wait for the lock could hold all connections. [`Author::find_credential`] does so for a store that is also a
    /// [`KeyStorage`](crate::storage::KeyStorage). Default: a fault, for a store that does not call
    /// [`Change::writes`].
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_credential(&self, author: &Author) -> Result<FoundCredential, StorageError> {
        let _ = author;
        Err(StorageError::backend("the store finds no credentials"))
    }

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

    /// Deletes rows of the log, as [`WriteStorage::delete_old_changes`] does. Default: deletes nothing.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let _ = (until, limit);
        Ok(0)
    }

    /// Deletes rows of the log of a family, as [`WriteStorage::delete_surplus_changes`] does. Default: deletes nothing.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_surplus_changes(&self, family: &FamilyId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let _ = (family, keep, limit);
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

/// Loads rows, and adds the containers that the store does not keep.
async fn load<S: FamilyStore>(store: &S, member: &Member, needs: Needs) -> Result<FamilyData, StorageError> {
    let data = store.load(member, &needs).await?;
    Ok(completed(Cow::Owned(data), &FamilyStore::capabilities(store)).into_owned())
}

#[async_trait]
impl<S: FamilyStore> ReadStorage for S {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        let data = load(self, member, Needs::of_resource(ResourceKind::Tasks)).await?;
        Ok(Document::of(&data.list_tasks(&member.user, filter))?.with_revision(data.revision))
    }

    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        let data = load(self, member, Needs::of_record(RecordKind::Task, task.as_str())).await?;
        let boards = with_only_task(data.list_tasks(&member.user, TaskFilter::All), task);
        Ok(Document::of(&boards)?.with_revision(data.revision))
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let data = load(self, member, Needs::of_resource(ResourceKind::Events)).await?;
        Ok(Document::of(&data.list_events(range))?.with_revision(data.revision))
    }

    async fn find_event(&self, member: &Member, event: &EventId) -> Result<Document<Vec<Event>>, StorageError> {
        let data = load(self, member, Needs::of_record(RecordKind::Event, event.as_str())).await?;
        let mut events = data.list_events(&EventRange::default());
        events.retain(|other| other.id == *event);
        Ok(Document::of(&events)?.with_revision(data.revision))
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        let data = load(self, member, Needs::of_resource(ResourceKind::Events)).await?;
        Ok(Document::of(&data.list_overlapping_events(range))?.with_revision(data.revision))
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        let data = load(self, member, Needs::of_resource(ResourceKind::Shopping)).await?;
        Ok(Document::of(&data.list_shopping(&member.user))?.with_revision(data.revision))
    }

    async fn find_shopping_item(
        &self,
        member: &Member,
        item: &ItemId,
    ) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
        let data = load(self, member, Needs::of_record(RecordKind::ShoppingItem, item.as_str())).await?;
        let mut items: Vec<_> = data.list_shopping(&member.user).into_iter().flat_map(|list| list.items).collect();
        items.retain(|other| other.id == *item);
        Ok(Document::of(&items)?.with_revision(data.revision))
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        let data = load(self, member, Needs::of_resource(ResourceKind::Notes)).await?;
        Ok(Document::of(&data.list_notes())?.with_revision(data.revision))
    }

    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        let data = load(self, member, Needs::of_record(RecordKind::Note, note.as_str())).await?;
        let mut notes = data.list_notes();
        notes.retain(|other| other.id == *note);
        Ok(Document::of(&notes)?.with_revision(data.revision))
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        let data = load(self, member, Needs::of_resource(ResourceKind::TaskStats)).await?;
        Ok(Document::of(&data.find_task_stats(&member.user, periods))?.with_revision(data.revision))
    }

    /// Loads the deleted records of each kind that can be restored, with their containers.
    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        let capabilities = FamilyStore::capabilities(self);
        let kinds = RecordKind::ALL.into_iter().filter(|kind| capabilities.supports(*kind, Verb::Restore));
        let mut entries = Vec::new();
        for kind in kinds.filter(|kind| query.kind.is_none_or(|only| only == *kind)) {
            let data = load(self, member, Needs::of_deleted(kind)).await?;
            entries.extend(data.list_restorable(&member.user, kind.resource(), query)?);
        }
        Ok(query.page(entries))
    }

    async fn list_changes(&self, member: &Member, query: &ChangesQuery) -> Result<FoundChanges, StorageError> {
        if !FamilyStore::capabilities(self).keeps_changes() {
            return Err(StorageError::backend("the storage keeps no changes"));
        }
        load(self, member, Needs::of_changes(&query.kinds)).await?.list_changes(&member.user, query)
    }

    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        let data = load(self, member, Needs::of_members()).await?;
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
            ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
                if !FamilyStore::capabilities(self).supports(RecordKind::ShoppingItem, Verb::Delete) {
                    return Err(StorageError::backend("the storage does not delete shopping items"));
                }
                let needs = Needs::of_resource(ResourceKind::Shopping);
                decide(self, author, &needs, now, async |credential, steps| {
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

            async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                FamilyStore::delete_old_changes(self, until, limit).await
            }

            async fn delete_surplus_changes(
                &self,
                family: &FamilyId,
                keep: u32,
                limit: u32,
            ) -> Result<u64, StorageError> {
                FamilyStore::delete_surplus_changes(self, family, keep, limit).await
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
    let (capabilities, operation) = (FamilyStore::capabilities(store), &write.operation);
    let is_supported = |verb| capabilities.supports(R::KIND, verb);
    if !is_supported(operation.verb()) || (operation.new_id().is_some() && !is_supported(Verb::Create)) {
        return Err(unsupported(write));
    }
    decide(store, author, &Needs::of_write(write), write.now, async |credential, steps| {
        write_record(author, write, credential, steps).await
    })
    .await
}

/// Runs a sequence of steps on the rows that the store loads.
async fn decide<T: Send>(
    store: &impl FamilyStore,
    author: &Author,
    needs: &Needs,
    now: Timestamp,
    sequence: impl AsyncFnOnce(FoundCredential, &mut RowSteps<'_>) -> Result<SequenceResult<T>, StorageError> + Send,
) -> Result<Written<T>, StorageError> {
    let capabilities = FamilyStore::capabilities(store);
    let mut result = Ok(Written::NotFound);
    let decide = |credential, data: &FamilyData| {
        let user = &author.member.user;
        let data = &*completed(Cow::Borrowed(data), &capabilities);
        let log = Log::of(data, &capabilities, now);
        let mut steps = RowSteps { data, user, capabilities: &capabilities, writes: Vec::new(), log };
        let outcome = run_to_end(sequence(credential, &mut steps));
        let is_stored = outcome.as_ref().is_ok_and(|outcome| outcome.is_stored);
        result = outcome.map(|outcome| outcome.written);
        if is_stored { steps.writes } else { Vec::new() }
    };
    let credential = store.find_credential(author);
    store.change(Change { author, needs, now, credential, decide: Box::new(decide) }).await?;
    result
}

/// Runs a future that never waits.
fn run_to_end<T>(future: impl Future<Output = Result<T, StorageError>>) -> Result<T, StorageError> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(StorageError::backend("a step on the rows waits")),
    }
}
