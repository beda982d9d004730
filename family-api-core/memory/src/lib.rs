//! A storage in memory, for tests and demos.
//!
//! It is simple, not fast: it has one lock, keeps each family as [`FamilyData`](family_api_core::storage::FamilyData),
//! and scans the whole family on every read. The data is dropped with the last clone of the [`MemoryStorage`].

#![cfg_attr(docsrs, feature(doc_cfg))]

mod credentials;
mod families;
mod feeds;
mod grant_entry;
mod grants;
mod health;
mod keys;
mod load;
mod state;
mod users;

use std::sync::{Arc, Mutex, MutexGuard};

use family_api_core::storage::StorageError;
use state::State;

/// Stores families, users, keys, grants, feeds and sessions in memory. Clones share the data.
///
/// During a load, every write fails with [`StorageError::Unavailable`].
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: State,
    loading: bool,
}

impl MemoryStorage {
    /// Creates an empty storage.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> Result<MutexGuard<'_, Shared>, StorageError> {
        self.shared.lock().map_err(|_| StorageError::backend("a writer panicked"))
    }

    fn lock_to_write(&self) -> Result<MutexGuard<'_, Shared>, StorageError> {
        let shared = self.lock()?;
        if shared.loading { Err(StorageError::unavailable("a load is in progress")) } else { Ok(shared) }
    }
}
