//! Bounds the work that one family takes at a time, so that a large family does not slow the others down.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::Error;
use crate::id::FamilyId;

/// The maximum number of documents of a family that are loaded or searched at the same time.
const RUNNING: usize = 2;

/// The maximum number of requests of a family that load a document or wait for one. It is half of the requests that the
/// HTTP layer has in progress by default, so that one family leaves places for others.
const PRESENT: usize = 32;

/// The maximum time for which a load waits. The credential was judged before.
const WAIT: Duration = Duration::from_secs(1);

/// When a refused request can be repeated.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The requests that load a document or wait for one. It has one entry for each family with such a request.
#[derive(Debug, Clone, Default)]
pub(super) struct FamilyLoads(Arc<Mutex<HashMap<FamilyId, Loads>>>);

/// The loads of a family.
#[derive(Debug)]
struct Loads {
    present: usize,
    running: Arc<Semaphore>,
}

/// A request that loads a document or waits for one. It ends on drop.
#[derive(Debug)]
pub(super) struct Present {
    loads: FamilyLoads,
    family: FamilyId,
    running: Arc<Semaphore>,
}

/// A load that runs. It ends on drop, so whatever does the work must own it: the request can be cancelled before.
#[derive(Debug)]
pub(super) struct FamilyLoad {
    _running: OwnedSemaphorePermit,
    _present: Present,
}

/// The family has too many loads.
#[derive(Debug, Clone, Copy)]
pub(super) struct TooManyLoads;

impl From<TooManyLoads> for Error {
    fn from(_: TooManyLoads) -> Self {
        Self::RateLimited { retry_after: RETRY_AFTER }
    }
}

impl FamilyLoads {
    /// Counts a request.
    ///
    /// # Errors
    /// [`TooManyLoads`] if [`PRESENT`] requests of the family are counted.
    pub(super) fn enter(&self, family: &FamilyId) -> Result<Present, TooManyLoads> {
        let mut families = self.lock();
        let loads = families.entry(family.clone()).or_insert_with(Loads::new);
        if loads.present >= PRESENT {
            return Err(TooManyLoads);
        }
        loads.present += 1;
        Ok(Present { loads: self.clone(), family: family.clone(), running: Arc::clone(&loads.running) })
    }

    /// Ignores a poisoned lock: a panic cannot leave a count inconsistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<FamilyId, Loads>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loads {
    fn new() -> Self {
        Self { present: 0, running: Arc::new(Semaphore::new(RUNNING)) }
    }
}

impl Present {
    /// Waits until fewer than [`RUNNING`] loads of the family run.
    ///
    /// # Errors
    /// [`TooManyLoads`] after [`WAIT`].
    pub(super) async fn begin(self) -> Result<FamilyLoad, TooManyLoads> {
        match timeout(WAIT, Arc::clone(&self.running).acquire_owned()).await {
            Ok(Ok(running)) => Ok(FamilyLoad { _running: running, _present: self }),
            // Nothing closes the semaphore.
            Ok(Err(_)) | Err(_) => Err(TooManyLoads),
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        if let Entry::Occupied(mut entry) = self.loads.lock().entry(self.family.clone()) {
            entry.get_mut().present -= 1;
            if entry.get().present == 0 {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::poll_immediate;

    use super::*;

    fn family(id: &str) -> FamilyId {
        id.parse().unwrap()
    }

    async fn begin(loads: &FamilyLoads, family: &FamilyId) -> Result<FamilyLoad, TooManyLoads> {
        loads.enter(family)?.begin().await
    }

    #[tokio::test(start_paused = true)]
    async fn a_third_load_of_a_family_waits_and_another_family_does_not() {
        let loads = FamilyLoads::default();
        let (berg, tal) = (family("berg"), family("tal"));
        let first = begin(&loads, &berg).await.unwrap();
        let second = begin(&loads, &berg).await.unwrap();
        let mut third = Box::pin(begin(&loads, &berg));
        assert!(poll_immediate(&mut third).await.is_none());
        assert!(poll_immediate(Box::pin(begin(&loads, &tal))).await.is_some());
        drop(first);
        let third = third.await.unwrap();
        // Nothing ends within the time to wait.
        assert!(begin(&loads, &berg).await.is_err());
        drop((second, third));
        assert!(loads.lock().is_empty());
    }

    #[tokio::test]
    async fn too_many_requests_are_refused_and_cancelled_ones_leave() {
        let loads = FamilyLoads::default();
        let berg = family("berg");
        let running = [begin(&loads, &berg).await.unwrap(), begin(&loads, &berg).await.unwrap()];
        let mut waiting: Vec<_> = (2..PRESENT).map(|_| Box::pin(begin(&loads, &berg))).collect();
        for load in &mut waiting {
            assert!(poll_immediate(load).await.is_none());
        }
        assert!(loads.enter(&berg).is_err());
        waiting.pop();
        assert!(loads.enter(&berg).is_ok());
        drop((waiting, running));
        assert!(loads.lock().is_empty());
    }
}
