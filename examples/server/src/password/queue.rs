//! Limits the number of passwords that are verified at the same time.

use std::sync::Arc;
use std::time::Duration;

use family_api_core::Error;
use family_api_core::storage::{PasswordHash, StorageError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use zeroize::Zeroizing;

use crate::password::hasher;

/// Maximum wait of a sign-in for a permit, before it fails with [`Error::Overloaded`].
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// Verifies passwords on blocking threads, at most one per CPU core at a time.
#[derive(Clone)]
pub(crate) struct PasswordQueue {
    permits: Arc<Semaphore>,
}

impl PasswordQueue {
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new(cores)) }
    }

    /// Returns the hash if the password matches it, otherwise `None`. Without a hash, it takes the same time and
    /// returns `None`.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if no permit is free in time, [`Error::Internal`] for an invalid hash.
    pub(crate) async fn verify(
        &self,
        password: Zeroizing<String>,
        hash: Option<PasswordHash>,
    ) -> Result<Option<PasswordHash>, Error> {
        let permit = self.acquire().await?;
        let verified = spawn_blocking(move || {
            // The permit is released when the work ends, even if the request was cancelled.
            let _permit = permit;
            Ok::<_, StorageError>(hasher::verify(&password, hash.as_ref())?.then_some(hash).flatten())
        });
        verified.await.map_err(|error| Error::Internal(error.into()))?.map_err(Error::from)
    }

    async fn acquire(&self) -> Result<OwnedSemaphorePermit, Error> {
        match timeout(QUEUE_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await {
            Ok(permit) => permit.map_err(|closed| Error::Internal(closed.into())),
            Err(_) => Err(Error::Overloaded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_sign_in_that_waits_too_long_is_refused_as_overloaded() {
        let passwords = PasswordQueue { permits: Arc::new(Semaphore::new(1)) };
        let _permit = passwords.acquire().await.unwrap();
        let verified = passwords.verify(Zeroizing::new("x".to_owned()), None).await;
        assert!(matches!(verified, Err(Error::Overloaded)));
    }
}
