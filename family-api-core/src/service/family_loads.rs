//! Bounds the work that one family takes at a time, so that a large family does not slow the others down.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::Error;
use crate::id::FamilyId;

/// The maximum number of documents of a family that are loaded or searched at the same time.
const RUNNING: usize = 2;

/// The maximum number of loads of a family that run or wait. It is half of the requests that the server has in progress
/// by default, so that the loads of one family leave places for others.
const PRESENT: usize = 32;

/// When a refused load can be tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The loads that run or wait. It has one entry for each family with such a load.
#[derive(Debug, Default)]
pub(super) struct FamilyLoads(Mutex<HashMap<FamilyId, Loads>>);

/// The loads of a family.
#[derive(Debug)]
struct Loads {
    present: usize,
    running: Arc<Semaphore>,
}

/// A load that runs. It ends on drop.
#[derive(Debug)]
pub(super) struct FamilyLoad<'a> {
    _running: OwnedSemaphorePermit,
    _present: Present<'a>,
}

/// A load that runs or waits. It ends on drop, also if the request is cancelled.
#[derive(Debug)]
struct Present<'a> {
    loads: &'a FamilyLoads,
    family: FamilyId,
}

impl FamilyLoads {
    /// Waits until fewer than [`RUNNING`] loads of the family run.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if [`PRESENT`] loads of the family run or wait.
    pub(super) async fn begin(&self, family: &FamilyId) -> Result<FamilyLoad<'_>, Error> {
        let (present, running) = self.enter(family)?;
        let running = running.acquire_owned().await.map_err(|closed| Error::Internal(closed.into()))?;
        Ok(FamilyLoad { _running: running, _present: present })
    }

    fn enter(&self, family: &FamilyId) -> Result<(Present<'_>, Arc<Semaphore>), Error> {
        let mut families = self.lock();
        let loads = families.entry(family.clone()).or_insert_with(Loads::new);
        if loads.present == PRESENT {
            return Err(Error::RateLimited { retry_after: RETRY_AFTER });
        }
        loads.present += 1;
        Ok((Present { loads: self, family: family.clone() }, Arc::clone(&loads.running)))
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

impl Drop for Present<'_> {
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

    #[tokio::test]
    async fn a_third_load_of_a_family_waits_and_another_family_does_not() {
        let loads = FamilyLoads::default();
        let (berg, tal) = (family("berg"), family("tal"));
        let first = loads.begin(&berg).await.unwrap();
        let second = loads.begin(&berg).await.unwrap();
        let mut third = Box::pin(loads.begin(&berg));
        assert!(poll_immediate(&mut third).await.is_none());
        assert!(poll_immediate(Box::pin(loads.begin(&tal))).await.is_some());
        drop(first);
        let third = third.await.unwrap();
        drop((second, third));
        assert!(loads.lock().is_empty());
    }

    #[tokio::test]
    async fn too_many_waiting_loads_are_refused_and_cancelled_ones_leave() {
        let loads = FamilyLoads::default();
        let berg = family("berg");
        let running = [loads.begin(&berg).await.unwrap(), loads.begin(&berg).await.unwrap()];
        let mut waiting: Vec<_> = (2..PRESENT).map(|_| Box::pin(loads.begin(&berg))).collect();
        for load in &mut waiting {
            assert!(poll_immediate(load).await.is_none());
        }
        assert!(matches!(loads.begin(&berg).await, Err(Error::RateLimited { retry_after: RETRY_AFTER })));
        waiting.pop();
        assert!(poll_immediate(Box::pin(loads.begin(&berg))).await.is_none());
        drop((waiting, running));
        assert!(loads.lock().is_empty());
    }
}
