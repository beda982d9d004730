//! The methods of the storage. Each calls the method of the host's storage.

use std::ops::Range;

use async_trait::async_trait;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::change::ProfileChange;
use family_api_core::id::{EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::{
    Board, Column, Document, Event, Note, NoteCategory, Person, Profile, RecordKind, ShoppingItem, ShoppingList, Task,
    TaskFilter, TaskStats,
};
use family_api_core::storage::{
    Account, Author, Capabilities, ChangesQuery, DeletedRecordLimit, FoundChanges, FoundKey, Health, KeyInsert,
    KeyRevocation, KeyStorage, Member, NewKey, ReadStorage, RecordWrite, RestorableEntry, RestorableQuery, SignedIn,
    StorageError, UserStorage, WriteStorage, Written,
};
use family_api_core::{Timestamp, for_each_kind};

use super::{HostIds, ToHost, ToNames, writes};

/// Implements a trait. The arguments before the semicolon, and the result, are translated.
macro_rules! translated {
    (
        $Trait:ident {
            $(fn $method:ident($($argument:ident: &$Type:ty),*; $($unchanged:ident: $Unchanged:ty),*) -> $Output:ty;)*
        }
        $($with_body:tt)*
    ) => {
        #[async_trait]
        impl $Trait for HostIds<'_> {
            $(async fn $method(
                &self,
                $($argument: &$Type,)*
                $($unchanged: $Unchanged,)*
            ) -> Result<$Output, StorageError> {
                let result = self.host().$method($(&$argument.to_host(&self.names),)* $($unchanged,)*).await?;
                Ok(result.to_names(&self.names))
            })*

            $($with_body)*
        }
    };
}

translated! {
    Health {
        fn check(;) -> ();
    }
}

translated! {
    KeyStorage {
        fn insert_key(new: &NewKey; limit: u32) -> KeyInsert;
        fn find_key(; digest: &KeyDigest) -> Option<FoundKey>;
        fn list_keys(user: &UserId; now: Timestamp) -> Vec<IntegrationKey>;
        fn revoke_key(user: &SignedIn; key: &KeyId, now: Timestamp) -> KeyRevocation;
        fn revoke_access(user: &SignedIn; now: Timestamp) -> Option<RevokedAccess>;
        fn record_uses(; keys: &[KeyDigest], at: Timestamp) -> ();
        fn delete_ended_keys(; until: Timestamp, spared: &[KeyDigest], limit: u32) -> u64;
        fn delete_surplus_keys(
            user: &UserId; until: Timestamp, keep: u32, spared: &[KeyDigest], limit: u32
        ) -> u64;
    }
}

translated! {
    UserStorage {
        fn find_account(user: &UserId;) -> Option<Account>;
        fn find_profile(user: &UserId;) -> Option<Profile>;
        fn update_profile(user: &SignedIn; change: &ProfileChange, now: Timestamp) -> Option<Profile>;
    }
}

translated! {
    ReadStorage {
        fn list_tasks(member: &Member; filter: TaskFilter) -> Document<Vec<Board>>;
        fn find_task(member: &Member, task: &TaskId;) -> Document<Vec<Board>>;
        fn list_events(member: &Member; range: &EventRange) -> Document<Vec<Event>>;
        fn find_event(member: &Member, event: &EventId;) -> Document<Vec<Event>>;
        fn list_overlapping_events(member: &Member; range: &Range<Timestamp>) -> Document<Vec<Event>>;
        fn list_shopping(member: &Member;) -> Document<Vec<ShoppingList>>;
        fn find_shopping_item(member: &Member, item: &ItemId;) -> Document<Vec<ShoppingItem>>;
        fn list_notes(member: &Member;) -> Document<Vec<Note>>;
        fn find_note(member: &Member, note: &NoteId;) -> Document<Vec<Note>>;
        fn find_task_stats(member: &Member; periods: &StatsPeriods) -> Document<TaskStats>;
        fn list_members(member: &Member;) -> Document<Vec<Person>>;
        fn list_restorable(member: &Member, query: &RestorableQuery;) -> Vec<RestorableEntry>;
        fn list_changes(member: &Member; query: &ChangesQuery) -> FoundChanges;
    }
}

/// Implements the methods that write a record.
macro_rules! write_storage {
    ($($method:ident: $Record:ident,)*) => {
        translated! {
            WriteStorage {
                fn delete_checked_items(author: &Author, list: &ListId; now: Timestamp) -> Written<Vec<ShoppingItem>>;
                fn forget_old_deleted(; until: Timestamp, limit: u32) -> u64;
                fn forget_surplus_deleted(
                    family: &FamilyId; kind: RecordKind, keep: DeletedRecordLimit, limit: u32
                ) -> u64;
                fn delete_old_changes(; until: Timestamp, limit: u32) -> u64;
                fn delete_surplus_changes(family: &FamilyId; keep: u32, limit: u32) -> u64;
                fn delete_old_idempotency_keys(; until: Timestamp, limit: u32) -> u64;
                fn delete_surplus_idempotency_keys(member: &Member; keep: u32, limit: u32) -> u64;
            }

            fn capabilities(&self) -> Capabilities {
                self.host().capabilities()
            }

            $(async fn $method(
                &self,
                author: &Author,
                write: &RecordWrite<$Record>,
            ) -> Result<Written<$Record>, StorageError> {
                let names = &self.names;
                let written = self.host().$method(&author.to_host(names), &writes::to_host(write, names)).await?;
                Ok(writes::to_names(write, written, names))
            })*
        }
    };
}

for_each_kind!(write_storage);
