//! A mock storage.

use async_trait::async_trait;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::change::{NoteChange, ProfileChange, TaskUpdate};
use family_api_core::id::{KeyId, NoteId, TaskId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::{Board, Document, Event, Note, Profile, ShoppingList, Task, TaskFilter, TaskStats};
use family_api_core::storage::{
    Account, Author, FoundKey, Health, KeyInsert, KeyRevocation, KeyStorage, Member, NewKey, ReadStorage, SignedIn,
    StorageError, Update, UserStorage, WriteStorage,
};
use family_api_core::{Precondition, Timestamp};

mockall::mock! {
    pub(crate) FaultyStorage {}

    #[async_trait]
    impl KeyStorage for FaultyStorage {
        async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError>;
        async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError>;
        async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError>;
        async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError>;
        async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError>;
    }

    #[async_trait]
    impl UserStorage for FaultyStorage {
        async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError>;
        async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError>;
        async fn update_profile(
            &self,
            user: &SignedIn,
            change: &ProfileChange,
            now: Timestamp,
        ) -> Result<Option<Profile>, StorageError>;
    }

    #[async_trait]
    impl ReadStorage for FaultyStorage {
        async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError>;
        async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError>;
        async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError>;
        async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError>;
        async fn find_task_stats(
            &self,
            member: &Member,
            periods: &StatsPeriods,
        ) -> Result<Document<TaskStats>, StorageError>;
    }

    #[async_trait]
    impl WriteStorage for FaultyStorage {
        async fn update_task(
            &self,
            author: &Author,
            task: &TaskId,
            update: TaskUpdate,
            precondition: &Precondition,
            zone: &Zone,
            now: Timestamp,
        ) -> Result<Update<Task>, StorageError>;
        async fn update_note(
            &self,
            author: &Author,
            note: &NoteId,
            change: NoteChange,
            precondition: &Precondition,
            now: Timestamp,
        ) -> Result<Update<Note>, StorageError>;
        async fn delete_note(
            &self,
            author: &Author,
            note: &NoteId,
            precondition: &Precondition,
            now: Timestamp,
        ) -> Result<Update<()>, StorageError>;
    }

    #[async_trait]
    impl Health for FaultyStorage {
        async fn check(&self) -> Result<(), StorageError>;
    }
}

pub(crate) use MockFaultyStorage as FaultyStorage;
