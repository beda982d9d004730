//! The traits through which the suite uses the tested storage.

use async_trait::async_trait;

use crate::storage::{CredentialStorage, Load, Record, Storage};

/// A fresh storage under test. Each case gets its own.
#[async_trait]
pub trait Subject: Send + Sync {
    /// Returns the storage.
    fn storage(&self) -> &dyn Storage;

    /// Stores records without applying the rules of the API. Parents come before their children.
    ///
    /// Creators, assignees, authors and adders may be ids of users that no longer exist.
    ///
    /// # Panics
    /// Panics if the records cannot be stored.
    async fn seed(&self, records: Vec<Record>);
}

/// A subject whose storage implements [`Load`].
pub trait LoadSubject: Subject {
    /// Returns the storage as [`Load`].
    fn load(&self) -> &dyn Load;
}

/// A subject whose storage implements [`CredentialStorage`].
pub trait CredentialsSubject: Subject {
    /// Returns the storage as [`CredentialStorage`].
    fn credentials(&self) -> &dyn CredentialStorage;
}

/// Implements [`Subject::seed`] for a storage that implements [`Load`].
///
/// # Panics
/// Panics if the load fails.
pub async fn seed_by_load(storage: &dyn Load, records: Vec<Record>) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records {
        load.insert(record).await.unwrap();
    }
    load.commit().await.unwrap();
}
