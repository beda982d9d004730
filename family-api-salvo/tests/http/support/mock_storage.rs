//! A mock of all storage traits. A call without an expectation panics.

use std::ops::Range;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::change::ProfileChange;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::{
    Board, Document, Event, Note, Person, Profile, ShoppingList, Task, TaskFilter, TaskStats,
};
use family_api_core::storage::{
    Account, Author, FoundKey, Health, KeyInsert, KeyRevocation, KeyStorage, Member, NewKey, ReadStorage, RecordWrite,
    SignedIn, StorageError, UserStorage, WriteStorage, Written,
};

mockall::mock! {
    pub(crate) Storage {}

    #[async_trait]
    impl KeyStorage for Storage {
        async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError>;
        async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError>;
        async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError>;
        async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError>;
        async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError>;
        async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError>;
    }

    #[async_trait]
    impl UserStorage for Storage {
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
    impl ReadStorage for Storage {
        async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError>;
        async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError>;
        async fn list_overlapping_events(
            &self,
            member: &Member,
            range: &Range<Timestamp>,
        ) -> Result<Document<Vec<Event>>, StorageError>;
        async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError>;
        async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError>;
        async fn find_task_stats(
            &self,
            member: &Member,
            periods: &StatsPeriods,
        ) -> Result<Document<TaskStats>, StorageError>;
        async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError>;
    }

    #[async_trait]
    impl WriteStorage for Storage {
        async fn write_task(&self, author: &Author, write: &RecordWrite<Task>) -> Result<Written<Task>, StorageError>;
        async fn write_note(&self, author: &Author, write: &RecordWrite<Note>) -> Result<Written<Note>, StorageError>;
    }

    #[async_trait]
    impl Health for Storage {
        async fn check(&self) -> Result<(), StorageError>;
    }
}
