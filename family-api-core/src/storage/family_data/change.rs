//! A change of a family's rows.

use std::pin::Pin;

use crate::Timestamp;
use crate::access::{Author, FoundCredential};
#[cfg(doc)]
use crate::storage::FamilyStore;
use crate::storage::family_data::{FamilyWrite, Needs};
use crate::storage::{FamilyData, StorageError};

/// A change of a family's rows, which a [`FamilyStore`] makes in one transaction.
pub struct Change<'a> {
    /// The member who makes the change, and their credential.
    pub author: &'a Author,
    /// The rows that the change needs.
    pub needs: &'a Needs,
    /// The instant of the change.
    pub now: Timestamp,
    /// Finds the author's credential with [`FamilyStore::find_credential`].
    pub credential: Pin<Box<dyn Future<Output = Result<FoundCredential, StorageError>> + Send + 'a>>,
    /// Decides what to store. Apply it to a credential that the transaction has found itself, and locked, if other
    /// transactions run at the same time: the key with the digest, or the user of a session that has not expired at
    /// `now`.
    pub decide: DecideFn<'a>,
}

/// Decides what to store, from the credential and the rows.
pub type DecideFn<'a> = Box<dyn FnOnce(FoundCredential, &FamilyData) -> Vec<FamilyWrite> + Send + 'a>;

impl Change<'_> {
    /// Returns the writes to store. `data` contains the rows that the change needs, and was loaded in the transaction,
    /// which locks out every other writer. Finds the author's credential first.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    pub async fn writes(self, data: &FamilyData) -> Result<Vec<FamilyWrite>, StorageError> {
        Ok((self.decide)(self.credential.await?, data))
    }
}

impl std::fmt::Debug for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Change").field("author", self.author).field("needs", self.needs).finish_non_exhaustive()
    }
}
