//! A bulkhead: a bound on the calls to a server that run at the same time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use family_api_core::storage::StorageError;
use tokio::pin;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// Maximum wait for a permit.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// A server that completes no call for this time does not respond.
const MAX_SILENCE: Duration = Duration::from_secs(1);

/// Bounds the calls to a server that run at the same time. More calls wait for a permit.
///
/// While the server does not respond, calls do not wait, but are refused at once. Otherwise, the waiting calls would
/// reach the limits on concurrent requests, and requests for other servers would be refused.
pub(crate) struct Bulkhead {
    size: usize,
    permits: Arc<Semaphore>,
    /// When the server last completed a call, or when a call began while no other was running. `None` if the last call
    /// took [`MAX_SILENCE`] or longer.
    responded_at: Mutex<Option<Instant>>,
}

/// A running call.
pub(crate) struct Permit {
    bulkhead: Arc<Bulkhead>,
    begun_at: Instant,
    _place: OwnedSemaphorePermit,
}

impl Bulkhead {
    /// Creates a bulkhead for this number of calls, but at least for one.
    pub(super) fn new(size: usize) -> Self {
        let size = size.clamp(1, Semaphore::MAX_PERMITS);
        Self { size, permits: Arc::new(Semaphore::new(size)), responded_at: Mutex::new(Some(Instant::now())) }
    }

    /// Begins a call. Returns `None` if the maximum number are running.
    pub(crate) fn try_enter(self: &Arc<Self>) -> Option<Permit> {
        let is_idle = self.permits.available_permits() == self.size;
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        if is_idle && let Some(responded_at) = self.responded_at().as_mut() {
            *responded_at = Instant::now();
        }
        Some(self.begin(permit))
    }

    /// Begins a call, after a wait if the maximum number are running.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] after [`MAX_WAIT`], or when the server does not respond.
    pub(crate) async fn enter(self: &Arc<Self>) -> Result<Permit, StorageError> {
        if let Some(permit) = self.try_enter() {
            return Ok(permit);
        }
        let permit = Arc::clone(&self.permits).acquire_owned();
        pin!(permit);
        let latest = Instant::now() + MAX_WAIT;
        loop {
            let deadline = self.open_until().min(latest);
            if deadline <= Instant::now() {
                return Err(StorageError::unavailable("a server of the database does not respond"));
            }
            if let Ok(permit) = timeout_at(deadline, &mut permit).await {
                return Ok(self.begin(permit.map_err(StorageError::backend)?));
            }
        }
    }

    fn begin(self: &Arc<Self>, place: OwnedSemaphorePermit) -> Permit {
        Permit { bulkhead: Arc::clone(self), begun_at: Instant::now(), _place: place }
    }

    /// Returns until when calls wait for a permit, if the server completes no call before.
    fn open_until(&self) -> Instant {
        self.responded_at().map_or_else(Instant::now, |responded_at| responded_at + MAX_SILENCE)
    }

    fn responded_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.responded_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Completes the call.
impl Drop for Permit {
    fn drop(&mut self) {
        let is_response = self.begun_at.elapsed() < MAX_SILENCE;
        *self.bulkhead.responded_at() = is_response.then(Instant::now);
    }
}

#[cfg(test)]
mod tests {
    use std::iter::from_fn;

    use futures_util::FutureExt;
    use tokio::time::sleep;

    use super::*;

    const SIZE: usize = 2;

    /// Begins as many calls as possible.
    fn fill(bulkhead: &Arc<Bulkhead>) -> Vec<Permit> {
        let running: Vec<_> = from_fn(|| bulkhead.try_enter()).collect();
        assert_eq!(running.len(), SIZE);
        running
    }

    /// Returns whether a call would wait. If not, asserts that it is refused.
    fn waits(bulkhead: &Arc<Bulkhead>) -> bool {
        let entered = bulkhead.enter().now_or_never();
        assert!(!matches!(entered, Some(Ok(_))));
        entered.is_none()
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_as_long_as_others_complete() {
        let bulkhead = Arc::new(Bulkhead::new(SIZE));
        sleep(MAX_SILENCE * 2).await;
        let mut running = fill(&bulkhead);
        let completed = async {
            for _ in 0..SIZE {
                sleep(MAX_SILENCE * 2 / 3).await;
                running.pop();
            }
        };
        // The first to wait gets the permit of the first that completes.
        let (first, second, ()) = tokio::join!(bulkhead.enter(), bulkhead.enter(), completed);
        assert!(first.is_ok() && second.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_is_refused_if_no_other_completes() {
        let bulkhead = Arc::new(Bulkhead::new(SIZE));
        let running = fill(&bulkhead);
        let begun_at = Instant::now();
        assert!(bulkhead.enter().await.is_err());
        assert_eq!(begun_at.elapsed(), MAX_SILENCE);
        assert!(!waits(&bulkhead));
        // The next calls are the first that show whether the server responds again.
        drop(running);
        let running = fill(&bulkhead);
        assert!(!waits(&bulkhead));
        drop(running);
        let _running = fill(&bulkhead);
        assert!(waits(&bulkhead));
    }
}
