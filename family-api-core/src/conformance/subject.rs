//! What a host says of the storage that is held to the suite.

use async_trait::async_trait;

use crate::storage::{CredentialStorage, Load, Record, Storage};

/// A fresh storage, and how records get into it; each case takes one of its own.
#[async_trait]
pub trait Subject: Send + Sync {
    /// The storage.
    fn storage(&self) -> &dyn Storage;

    /// Puts records into the storage, parents before children, past all its rules; it panics where it cannot.
    ///
    /// People that a record names may be gone: their ids are no user's.
    async fn seed(&self, records: Vec<Record>);
}

/// A subject whose storage takes loads.
pub trait LoadSubject: Subject {
    /// The storage, as what takes loads.
    fn load(&self) -> &dyn Load;
}

/// A subject whose storage keeps passwords and sessions.
pub trait CredentialsSubject: Subject {
    /// The storage, as what keeps passwords and sessions.
    fn credentials(&self) -> &dyn CredentialStorage;
}

/// Seeds a storage that takes loads.
///
/// # Panics
/// Where the load fails.
pub async fn seed_by_load(storage: &dyn Load, records: Vec<Record>) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records {
        load.insert(record).await.unwrap();
    }
    load.commit().await.unwrap();
}
