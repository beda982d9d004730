//! A storage in memory, for tests and trials.
//!
//! Clear rather than fast: one lock, each family's records as [`FamilyData`](crate::storage::FamilyData), and every read
//! looks at the whole family. What is in it is gone with the last clone of its [`MemoryStorage`].

mod credentials;
mod families;
mod health;
mod keys;
mod load;
mod state;
mod users;

use std::sync::{Arc, Mutex, MutexGuard};

use crate::storage::StorageError;
use state::State;

/// Keeps families, users, keys and sessions in memory; clones share what they keep.
///
/// While a load is under way, every write is answered with [`StorageError::Unavailable`].
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
    /// A storage that holds nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> Result<MutexGuard<'_, Shared>, StorageError> {
        self.shared.lock().map_err(|_| StorageError::backend("a writer panicked"))
    }

    fn lock_to_write(&self) -> Result<MutexGuard<'_, Shared>, StorageError> {
        let shared = self.lock()?;
        if shared.loading { Err(StorageError::unavailable("a load is under way")) } else { Ok(shared) }
    }
}
