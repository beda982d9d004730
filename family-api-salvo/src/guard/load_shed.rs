//! Sheds load: limits the number of concurrent requests.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use family_api_core::Error;
use futures_util::future::poll_immediate;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::HttpError;

/// Default maximum number of concurrent requests.
///
/// With four database connections and 1 ms per request, 64 requests take 16 ms.
const MAX_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// How long a request waits for a permit after a slow body. Waiting requests get permits before new requests.
const REACQUIRE_TIMEOUT: Duration = Duration::from_secs(1);

/// Answers 503 `unavailable` at once if the maximum number of concurrent requests is reached. Default: 64.
///
/// Clones share one limit. A request does not count while it waits for the rest of its body
/// ([`read_json`](crate::read_json), [`read_body`](crate::read_body)), or while its response is sent. So slow clients
/// do not hold permits.
#[derive(Debug, Clone)]
pub struct LoadShed {
    permits: Arc<Semaphore>,
}

impl LoadShed {
    /// Sets the maximum number of concurrent requests.
    #[must_use]
    pub fn new(max: NonZeroUsize) -> Self {
        Self { permits: Arc::new(Semaphore::new(max.get().min(Semaphore::MAX_PERMITS))) }
    }
}

impl Default for LoadShed {
    /// 64 requests.
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
            // Releases the permit when the handler returns, panics or is cancelled. Otherwise the copy in the request
            // would hold the permit until the response is sent.
            let _release_guard = ReleaseOnDrop(permit);
            ctrl.call_next(req, depot, res).await;
        } else {
            res.render(HttpError::Api(Error::Overloaded));
            ctrl.skip_rest();
        }
    }
}

/// Data from the client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Awaited<T> {
    pub(crate) output: T,
    /// Whether the request waited for the data.
    pub(crate) is_late: bool,
}

/// The permit of a request that counts as in flight. It is stored in the request's extensions.
#[derive(Debug, Clone)]
pub(crate) struct InFlightPermit(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    permits: Arc<Semaphore>,
    held: Mutex<Option<OwnedSemaphorePermit>>,
}

impl InFlightPermit {
    fn new(permits: &Arc<Semaphore>, permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Inner { permits: Arc::clone(permits), held: Mutex::new(Some(permit)) }))
    }

    /// Returns the permit of a request, or `None` if concurrency is not limited.
    pub(crate) fn of(req: &Request) -> Option<Self> {
        req.extensions().get().cloned()
    }

    /// Awaits data from the client. If the data is not ready at once, releases the permit while it waits.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if no permit is free again within [`REACQUIRE_TIMEOUT`].
    pub(crate) async fn wait<T>(permit: Option<Self>, future: impl Future<Output = T>) -> Result<Awaited<T>, Error> {
        let mut future = pin!(future);
        if let Some(output) = poll_immediate(&mut future).await {
            return Ok(Awaited { output, is_late: false });
        }
        if let Some(permit) = &permit {
            permit.release();
        }
        let output = future.await;
        if let Some(permit) = &permit {
            permit.reacquire().await?;
        }
        Ok(Awaited { output, is_late: true })
    }

    async fn reacquire(&self) -> Result<(), Error> {
        let acquired = timeout(REACQUIRE_TIMEOUT, Arc::clone(&self.0.permits).acquire_owned()).await;
        let permit = acquired.map_err(|_| Error::Overloaded)?.map_err(|closed| Error::Internal(closed.into()))?;
        *self.held() = Some(permit);
        Ok(())
    }

    fn release(&self) {
        self.held().take();
    }

    fn held(&self) -> MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
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
    async fn ready_future_keeps_the_permit() {
        let semaphore = Arc::new(Semaphore::new(1));
        let permit = permit(&semaphore);
        let observed = Arc::clone(&semaphore);
        let read = InFlightPermit::wait(Some(permit.clone()), async move { observed.available_permits() }).await;
        assert_eq!(read.unwrap(), Awaited { output: 0, is_late: false });
        assert_eq!(semaphore.available_permits(), 0);
    }

    #[tokio::test]
    async fn request_with_slow_body_gets_a_permit_before_new_requests() {
        let semaphore = Arc::new(Semaphore::new(1));
        let new_request = || Arc::clone(&semaphore).try_acquire_owned();
        let (end, body) = oneshot::channel();
        let mut waiting = pin!(InFlightPermit::wait(Some(permit(&semaphore)), body));
        assert!(new_request().is_err());
        assert!(poll_immediate(&mut waiting).await.is_none());
        let other = new_request().unwrap();
        end.send("the body").unwrap();
        assert!(poll_immediate(&mut waiting).await.is_none());
        drop(other);
        assert!(new_request().is_err());
        assert_eq!(waiting.await.unwrap(), Awaited { output: Ok("the body"), is_late: true });
        assert!(new_request().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn request_without_free_permit_after_slow_body_is_overloaded() {
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
    async fn wait_without_a_permit_returns_the_output() {
        assert_eq!(InFlightPermit::wait(None, ready(1)).await.unwrap().output, 1);
        assert_eq!(InFlightPermit::wait(None, async { yield_now().await }).await.unwrap().output, ());
    }
}
