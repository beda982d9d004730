//! The subjects of the built-in storages.

use async_trait::async_trait;
use family_api_conformance::{
    CredentialsSubject, FeedsSubject, GrantsSubject, LoadSubject, Subject, UpdateSubject, seed_by_load,
};
use family_api_core::storage::{BulkLoad, BulkUpdate, CredentialStorage, FeedStorage, GrantStorage, Record, Storage};
pub(crate) use family_api_sql::sqlite::SqliteStorage;

/// A storage, and the place of its data, such as a folder that is deleted with the subject.
pub(crate) struct Stored<S, P> {
    pub(crate) storage: S,
    pub(crate) place: P,
}

#[async_trait]
impl<S: Storage + BulkLoad, P: Send + Sync> Subject for Stored<S, P> {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        seed_by_load(&self.storage, records).await;
    }
}

impl<S: Storage + BulkLoad, P: Send + Sync> LoadSubject for Stored<S, P> {
    fn load(&self) -> &dyn BulkLoad {
        &self.storage
    }
}

impl<S, P: Send + Sync> UpdateSubject for Stored<S, P>
where
    S: Storage + BulkLoad + BulkUpdate + CredentialStorage + GrantStorage + FeedStorage,
{
    fn update(&self) -> &dyn BulkUpdate {
        &self.storage
    }

    fn with_credentials(&self) -> Option<&dyn CredentialsSubject> {
        Some(self)
    }

    fn with_grants(&self) -> Option<&dyn GrantsSubject> {
        Some(self)
    }

    fn with_feeds(&self) -> Option<&dyn FeedsSubject> {
        Some(self)
    }
}

impl<S: Storage + BulkLoad + CredentialStorage, P: Send + Sync> CredentialsSubject for Stored<S, P> {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.storage
    }
}

impl<S: Storage + BulkLoad + GrantStorage, P: Send + Sync> GrantsSubject for Stored<S, P> {
    fn grants(&self) -> &dyn GrantStorage {
        &self.storage
    }
}

impl<S: Storage + BulkLoad + FeedStorage, P: Send + Sync> FeedsSubject for Stored<S, P> {
    fn feeds(&self) -> &dyn FeedStorage {
        &self.storage
    }
}
