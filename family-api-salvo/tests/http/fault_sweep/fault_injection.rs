//! A storage that injects a fault into one call.

use std::future::pending;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::change::ProfileChange;
use family_api_core::id::{KeyId, ListId, NoteId, TaskId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::{
    Board, Column, Document, Event, Note, NoteCategory, Person, Profile, ShoppingItem, ShoppingList, Task, TaskFilter,
    TaskStats,
};
use family_api_core::storage::{
    Account, Author, Capabilities, ChangesQuery, FoundChanges, FoundKey, Health, KeyInsert, KeyRevocation, KeyStorage,
    Member, NewKey, ReadStorage, RecordWrite, RestorableEntry, RestorableQuery, SignedIn, Storage, StorageError,
    UserStorage, WriteStorage, Written,
};
use tokio::sync::Notify;
use tokio::task::yield_now;

use crate::storages::StorageKind;
use crate::support::fixture;

/// What goes wrong in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Unavailable,
    /// The call takes effect, and then reports a failure.
    UnavailableAfterEffect,
    Corrupt,
    Backend,
    Panic,
    PanicAfterEffect,
    Slow,
    /// The call never returns. The test drops its future.
    Hang,
    HangAfterEffect,
}

impl Fault {
    pub(crate) const ALL: [Self; 9] = [
        Self::Unavailable,
        Self::UnavailableAfterEffect,
        Self::Corrupt,
        Self::Backend,
        Self::Panic,
        Self::PanicAfterEffect,
        Self::Slow,
        Self::Hang,
        Self::HangAfterEffect,
    ];
}

/// Counts calls and injects a fault into one of them.
pub(crate) struct FaultInjection {
    inner: Arc<dyn Storage>,
    capabilities: Capabilities,
    /// The maximum number of records of each kind in a family. Default: that of the API.
    pub(crate) max_records: Option<u32>,
    calls: AtomicUsize,
    planned: Mutex<Option<(usize, Fault)>>,
    hang_started: Notify,
}

impl FaultInjection {
    pub(crate) fn new(inner: Arc<dyn Storage>) -> Self {
        let capabilities = inner.capabilities();
        Self {
            inner,
            capabilities,
            max_records: None,
            calls: AtomicUsize::new(0),
            planned: Mutex::default(),
            hang_started: Notify::new(),
        }
    }

    /// Creates a storage in memory with the fixture.
    pub(crate) async fn in_memory() -> Self {
        let (storage, _) = fixture::seeded(StorageKind::Memory).await;
        Self::new(storage)
    }

    /// Sets what the storage says that it can do.
    pub(crate) fn with_capabilities(self, capabilities: Capabilities) -> Self {
        Self { capabilities, ..self }
    }

    /// Resets the call counter, and sets the number of the call that gets a fault. The first call has number 1.
    pub(crate) fn set_fault(&self, fault: Option<(usize, Fault)>) {
        *self.planned.lock().unwrap() = fault;
        self.calls.store(0, Ordering::SeqCst);
    }

    /// Returns the number of calls since the last `set_fault`.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Waits until a call with `Fault::Hang` starts to hang.
    pub(crate) async fn wait_for_hang(&self) {
        self.hang_started.notified().await;
    }

    /// Counts a call, and returns its fault.
    fn next_fault(&self) -> Option<Fault> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let planned = *self.planned.lock().unwrap();
        planned.filter(|(faulty, _)| *faulty == number).map(|(_, fault)| fault)
    }

    async fn inject<T>(&self, call: impl Future<Output = Result<T, StorageError>> + Send) -> Result<T, StorageError> {
        let Some(fault) = self.next_fault() else { return call.await };
        let unavailable = || Err(StorageError::unavailable("canary"));
        match fault {
            Fault::Unavailable => unavailable(),
            Fault::UnavailableAfterEffect => {
                call.await?;
                unavailable()
            }
            Fault::Corrupt => Err(StorageError::corrupt("canary")),
            Fault::Backend => Err(StorageError::backend("canary")),
            Fault::Panic => panic!("canary"),
            Fault::PanicAfterEffect => {
                call.await?;
                panic!("canary")
            }
            Fault::Slow => {
                for _ in 0..100 {
                    yield_now().await;
                }
                call.await
            }
            Fault::Hang => self.hang().await,
            Fault::HangAfterEffect => {
                call.await?;
                self.hang().await
            }
        }
    }

    async fn hang<T>(&self) -> T {
        self.hang_started.notify_one();
        pending().await
    }
}

/// Forwards the first methods of a trait with a fault. The others are as they are.
macro_rules! inject {
    ($trait:ident { $(fn $method:ident($($name:ident: $type:ty),*) -> $value:ty;)+ } { $($other:tt)* }) => {
        #[async_trait]
        impl $trait for FaultInjection {
            $(async fn $method(&self, $($name: $type),*) -> Result<$value, StorageError> {
                self.inject(self.inner.$method($($name),*)).await
            })+
            $($other)*
        }
    };
}

inject! {
    KeyStorage {
        fn insert_key(new: &NewKey, limit: u32) -> KeyInsert;
        fn find_key(digest: &KeyDigest) -> Option<FoundKey>;
        fn list_keys(user: &UserId, now: Timestamp) -> Vec<IntegrationKey>;
        fn revoke_key(user: &SignedIn, key: &KeyId, now: Timestamp) -> KeyRevocation;
        fn revoke_access(user: &SignedIn, now: Timestamp) -> Option<RevokedAccess>;
    } {
        /// Not counted, because a background task calls it and not the request.
        async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
            self.inner.record_uses(keys, at).await
        }
    }
}

inject! {
    UserStorage {
        fn find_account(user: &UserId) -> Option<Account>;
        fn find_profile(user: &UserId) -> Option<Profile>;
        fn update_profile(user: &SignedIn, change: &ProfileChange, now: Timestamp) -> Option<Profile>;
    } {}
}

inject! {
    ReadStorage {
        fn list_restorable(member: &Member, query: &RestorableQuery) -> Vec<RestorableEntry>;
        fn list_tasks(member: &Member, filter: TaskFilter) -> Document<Vec<Board>>;
        fn find_task(member: &Member, task: &TaskId) -> Document<Vec<Board>>;
        fn find_note(member: &Member, note: &NoteId) -> Document<Vec<Note>>;
        fn list_events(member: &Member, range: &EventRange) -> Document<Vec<Event>>;
        fn list_overlapping_events(member: &Member, range: &Range<Timestamp>) -> Document<Vec<Event>>;
        fn list_shopping(member: &Member) -> Document<Vec<ShoppingList>>;
        fn list_notes(member: &Member) -> Document<Vec<Note>>;
        fn find_task_stats(member: &Member, periods: &StatsPeriods) -> Document<TaskStats>;
        fn list_changes(member: &Member, query: &ChangesQuery) -> FoundChanges;
        fn list_members(member: &Member) -> Document<Vec<Person>>;
    } {}
}

inject! {
    Health {
        fn check() -> ();
    } {}
}

/// Forwards the writes of each kind of record, with a fault.
macro_rules! inject_writes {
    ($($method:ident: $record:ty,)+) => {
        #[async_trait]
        impl WriteStorage for FaultInjection {
            fn capabilities(&self) -> Capabilities {
                self.capabilities.clone()
            }

            $(async fn $method(
                &self,
                author: &Author,
                write: &RecordWrite<$record>,
            ) -> Result<Written<$record>, StorageError> {
                let write = RecordWrite { max_records: self.max_records.unwrap_or(write.max_records), ..write.clone() };
                self.inject(self.inner.$method(author, &write)).await
            })+

            async fn delete_checked_items(
                &self,
                author: &Author,
                list: &ListId,
                now: Timestamp,
            ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
                self.inject(self.inner.delete_checked_items(author, list, now)).await
            }
        }
    };
}

inject_writes! {
    write_task: Task,
    write_note: Note,
    write_event: Event,
    write_shopping_item: ShoppingItem,
    write_board: Board,
    write_column: Column,
    write_shopping_list: ShoppingList,
    write_note_category: NoteCategory,
}
