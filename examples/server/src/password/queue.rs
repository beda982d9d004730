//! Verifying passwords for many who come at once.

use std::sync::Arc;
use std::time::Duration;

use family_api_core::Error;
use family_api_core::storage::{PasswordHash, StorageError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use zeroize::Zeroizing;

use crate::password::Hasher;

/// How long a sign-in waits for its turn before the server says that it is busy.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// Verifies passwords off the request path, no more at once than there are cores.
#[derive(Clone)]
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    hasher: Arc<Hasher>,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { turns: Arc::new(Semaphore::new(cores)), hasher: Arc::default() }
    }

    /// The hash again, if the password is its own; where there is no hash there is none, after the same time.
    ///
    /// # Errors
    /// [`Error::Overloaded`] where too many wait already, [`Error::Internal`] for a hash that cannot be read.
    pub(crate) async fn verify(
        &self,
        password: Zeroizing<String>,
        hash: Option<PasswordHash>,
    ) -> Result<Option<PasswordHash>, Error> {
        let (turn, hasher) = (self.turn().await?, Arc::clone(&self.hasher));
        let verified = spawn_blocking(move || {
            // The turn ends with the work, also where nobody waits for the answer any more.
            let _turn = turn;
            Ok::<_, StorageError>(hasher.verify(&password, hash.as_ref())?.then_some(hash).flatten())
        });
        verified.await.map_err(|error| Error::Internal(error.into()))?.map_err(Error::from)
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, Error> {
        match timeout(QUEUE_TIMEOUT, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(turn) => turn.map_err(|closed| Error::Internal(closed.into())),
            Err(_) => Err(Error::Overloaded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_is_told_that_the_server_is_busy() {
        let passwords = Passwords { turns: Arc::new(Semaphore::new(1)), hasher: Arc::default() };
        let _taken = passwords.turn().await.unwrap();
        let verified = passwords.verify(Zeroizing::new("x".to_owned()), None).await;
        assert!(matches!(verified, Err(Error::Overloaded)));
    }
}
