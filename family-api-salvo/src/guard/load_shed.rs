//! Turns requests away while too many are at work.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use family_api_core::Error;
use futures_util::future::poll_immediate;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::Failure;

/// How many requests are at work at once, unless it is set.
///
/// Many times what the databases do at once, and still little to wait for: where a request takes a millisecond of one
/// of four connections, the last of so many waits for sixteen.
const MAX_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// How long a request whose body came late waits for its permit, ahead of all newcomers.
const REACQUIRE_TIMEOUT: Duration = Duration::from_secs(1);

/// Answers 503 `unavailable` at once where more than 64 requests, or another number, are at work already, so that those
/// which were let in are served soon.
///
/// Clones count together. A request that waits for the rest of its body ([`read_json`](crate::read_json),
/// [`read_body`](crate::read_body)) is not at work: slow clients take nobody's permit. Neither is one whose answer is
/// being sent.
#[derive(Debug, Clone)]
pub struct LoadShed {
    permits: Arc<Semaphore>,
}

impl LoadShed {
    /// So many at once.
    #[must_use]
    pub fn new(most: NonZeroUsize) -> Self {
        Self { permits: Arc::new(Semaphore::new(most.get().min(Semaphore::MAX_PERMITS))) }
    }
}

impl Default for LoadShed {
    /// 64 at once.
    fn default() -> Self {
        Self::new(MAX_IN_FLIGHT)
    }
}

#[async_trait]
impl Handler for LoadShed {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            let permit = InFlightPermit::new(&self.permits, permit);
            req.extensions_mut().insert(permit.clone());
            // The request outlives its handler, and must not keep the permit: not where the handler panics or is cut off
            // either.
            let _released_at_the_end = ReleaseOnDrop(permit);
            ctrl.call_next(req, depot, res).await;
        } else {
            res.render(Failure(Error::Overloaded));
            ctrl.skip_rest();
        }
    }
}

/// A request's permit among those at work, kept in its extensions.
#[derive(Debug, Clone)]
pub(crate) struct InFlightPermit(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    permits: Arc<Semaphore>,
    taken: Mutex<Option<OwnedSemaphorePermit>>,
}

impl InFlightPermit {
    fn new(permits: &Arc<Semaphore>, permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Inner { permits: Arc::clone(permits), taken: Mutex::new(Some(permit)) }))
    }

    /// The permit of a request, where one is needed.
    pub(crate) fn of(req: &Request) -> Option<Self> {
        req.extensions().get().cloned()
    }

    /// Waits for what comes from the client, leaving the permit to others unless it is there already.
    ///
    /// # Errors
    /// [`Error::Overloaded`] where there is no permit again soon.
    pub(crate) async fn wait<T>(permit: Option<Self>, coming: impl Future<Output = T>) -> Result<T, Error> {
        let mut coming = pin!(coming);
        if let Some(there) = poll_immediate(&mut coming).await {
            return Ok(there);
        }
        let Some(permit) = permit else { return Ok(coming.await) };
        permit.release();
        let came = coming.await;
        permit.reacquire().await?;
        Ok(came)
    }

    async fn reacquire(&self) -> Result<(), Error> {
        let acquired = timeout(REACQUIRE_TIMEOUT, Arc::clone(&self.0.permits).acquire_owned()).await;
        let permit = acquired.map_err(|_| Error::Overloaded)?.map_err(|closed| Error::Internal(closed.into()))?;
        *self.taken() = Some(permit);
        Ok(())
    }

    fn release(&self) {
        self.taken().take();
    }

    fn taken(&self) -> MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct ReleaseOnDrop(InFlightPermit);

impl Drop for ReleaseOnDrop {
    fn drop(&mut self) {
        self.0.release();
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    fn permit(semaphore: &Arc<Semaphore>) -> InFlightPermit {
        InFlightPermit::new(semaphore, Arc::clone(semaphore).try_acquire_owned().unwrap())
    }

    #[tokio::test]
    async fn what_is_there_already_costs_no_place() {
        let semaphore = Arc::new(Semaphore::new(1));
        let permit = permit(&semaphore);
        let free = Arc::clone(&semaphore);
        let read = InFlightPermit::wait(Some(permit.clone()), async move { free.available_permits() }).await;
        assert_eq!((read.unwrap(), semaphore.available_permits()), (0, 0));
    }

    #[tokio::test]
    async fn who_waits_leaves_the_place_and_comes_back_before_newcomers() {
        let semaphore = Arc::new(Semaphore::new(1));
        let newcomer = || Arc::clone(&semaphore).try_acquire_owned();
        let (end, body) = oneshot::channel();
        let mut waiting = pin!(InFlightPermit::wait(Some(permit(&semaphore)), body));
        assert!(newcomer().is_err());
        assert!(poll_immediate(&mut waiting).await.is_none());
        let other = newcomer().unwrap();
        end.send("the body").unwrap();
        assert!(poll_immediate(&mut waiting).await.is_none());
        drop(other);
        assert!(newcomer().is_err());
        assert_eq!(waiting.await.unwrap(), Ok("the body"));
        assert!(newcomer().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn who_finds_no_place_again_is_turned_away() {
        let semaphore = Arc::new(Semaphore::new(1));
        let permit = permit(&semaphore);
        let other = Arc::clone(&semaphore);
        let slow = async move {
            yield_now().await;
            other.try_acquire_owned().unwrap()
        };
        assert!(matches!(InFlightPermit::wait(Some(permit), slow).await, Err(Error::Overloaded)));
        assert_eq!(semaphore.available_permits(), 1);
    }

    #[tokio::test]
    async fn without_a_bound_there_is_no_place_to_leave() {
        assert_eq!(InFlightPermit::wait(None, ready(1)).await.unwrap(), 1);
        assert_eq!(InFlightPermit::wait(None, async { yield_now().await }).await.unwrap(), ());
    }
}
