//! The traits through which the suite uses the tested storage.

use async_trait::async_trait;
use family_api_core::storage::{BulkLoad, BulkUpdate, CredentialStorage, GrantStorage, Record, Storage};

/// A storage under test. Each case gets a new subject with an empty storage.
#[async_trait]
pub trait Subject: Send + Sync {
    /// Returns the storage.
    fn storage(&self) -> &dyn Storage;

    /// Stores records without applying the rules of the API. Parents come before their children.
    ///
    /// Creators, assignees, authors and adders can be ids of deleted users. There are only records of the kinds that
    /// the storage keeps, with values only in the fields that it keeps. The tasks of a storage without boards are in
    /// [`Column::only`](family_api_core::resource::Column::only), and the items of a storage without lists in
    /// [`ShoppingList::only`](family_api_core::resource::ShoppingList::only).
    ///
    /// # Panics
    /// Panics if the records cannot be stored.
    async fn seed(&self, records: Vec<Record>);
}

/// A subject whose storage implements [`BulkLoad`].
pub trait LoadSubject: Subject {
    /// Returns the storage as [`BulkLoad`].
    fn load(&self) -> &dyn BulkLoad;
}

/// A subject whose storage implements [`BulkUpdate`].
pub trait UpdateSubject: Subject {
    /// Returns the storage as [`BulkUpdate`].
    fn update(&self) -> &dyn BulkUpdate;

    /// Returns the subject if the storage also implements [`CredentialStorage`].
    ///
    /// Default: `None`. The cases about passwords and sessions then pass without a check.
    fn with_credentials(&self) -> Option<&dyn CredentialsSubject> {
        None
    }

    /// Returns the subject if the storage also implements [`GrantStorage`].
    ///
    /// Default: `None`. The cases about grants then pass without a check.
    fn with_grants(&self) -> Option<&dyn GrantsSubject> {
        None
    }
}

/// A subject whose storage implements [`CredentialStorage`].
pub trait CredentialsSubject: Subject {
    /// Returns the storage as [`CredentialStorage`].
    fn credentials(&self) -> &dyn CredentialStorage;
}

/// A subject whose storage implements [`GrantStorage`].
pub trait GrantsSubject: Subject {
    /// Returns the storage as [`GrantStorage`].
    fn grants(&self) -> &dyn GrantStorage;
}

/// Implements [`Subject::seed`] for a storage that implements [`BulkLoad`].
///
/// # Panics
/// Panics if the load fails.
pub async fn seed_by_load(storage: &dyn BulkLoad, records: Vec<Record>) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records {
        load.insert(record).await.unwrap();
    }
    load.commit().await.unwrap();
}
