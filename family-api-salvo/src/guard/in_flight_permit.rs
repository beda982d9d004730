//! The permit of a request that counts as in flight.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use family_api_core::Error;
use futures_util::future::poll_immediate;
use salvo::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::guard::known_first::PresentedCredential;

/// How long a request with a known credential waits for a permit after a slow body, or after it was accepted. Waiting
/// requests get permits before new requests.
const REACQUIRE_TIMEOUT: Duration = Duration::from_secs(1);

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
    /// The credential on which the permit depends. `None` if it depends on none, or if the request has none where the
    /// service looks for it.
    credential: Option<PresentedCredential>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The permits of requests whose credential was accepted. `None` if the request gets its permits from them already.
    accepted: Option<Arc<Semaphore>>,
    held: Held,
}

#[derive(Debug)]
enum Held {
    Permit(OwnedSemaphorePermit),
    /// No permit. The next one comes from here.
    None(Arc<Semaphore>),
    /// The request has ended.
    Ended,
}

impl InFlightPermit {
    /// Takes a permit at once.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if no permit is free.
    pub(super) fn try_acquire(
        permits: &Arc<Semaphore>,
        credential: Option<PresentedCredential>,
    ) -> Result<Self, Error> {
        let held = Arc::clone(permits).try_acquire_owned().map_err(|_| Error::Overloaded)?;
        Ok(Self::new(None, held, credential))
    }

    /// Waits for a permit of a request whose credential is not known. Only the request's timeout ends the wait. When
    /// the credential is [accepted](Self::credential_accepted), the request exchanges the permit for one of `accepted`.
    pub(super) async fn acquire(
        permits: &Arc<Semaphore>,
        accepted: &Arc<Semaphore>,
        credential: Option<PresentedCredential>,
    ) -> Result<Self, Error> {
        let held = Arc::clone(permits).acquire_owned().await.map_err(|closed| Error::Internal(closed.into()))?;
        Ok(Self::new(Some(Arc::clone(accepted)), held, credential))
    }

    fn new(
        accepted: Option<Arc<Semaphore>>,
        held: OwnedSemaphorePermit,
        credential: Option<PresentedCredential>,
    ) -> Self {
        let state = Mutex::new(State { accepted, held: Held::Permit(held) });
        Self(Arc::new(Inner { credential, state }))
    }

    /// Stores the permit in the request. The returned guard releases it when the later handlers return, panic or are
    /// cancelled. Otherwise the copy in the request would hold the permit until the response is sent.
    pub(super) fn hold(self, req: &mut Request) -> ReleaseOnDrop {
        req.extensions_mut().insert(self.clone());
        ReleaseOnDrop(self)
    }

    /// Returns the permit of a request, or `None` if concurrency is not limited.
    pub(crate) fn of(req: &Request) -> Option<Self> {
        req.extensions().get().cloned()
    }

    /// Remembers that the request's credential was accepted. If it was not known, exchanges the permit for one of the
    /// requests with known credentials.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if none is free within [`REACQUIRE_TIMEOUT`].
    pub(crate) async fn credential_accepted(req: &Request) -> Result<(), Error> {
        let Some(permit) = Self::of(req) else { return Ok(()) };
        if let Some(credential) = &permit.0.credential {
            credential.remember();
        }
        if permit.exchange() { permit.reacquire().await } else { Ok(()) }
    }

    /// Forgets the request's credential if it is not valid. Counts it if it is a session: the endpoints of tokens count
    /// their own. Any other refusal, such as that of a rate limit, and a fault of the server say nothing about the
    /// credential.
    pub(crate) fn credential_refused(req: &Request, error: &Error) {
        if matches!(error, Error::InvalidToken | Error::NotSignedIn)
            && let Some(permit) = Self::of(req)
            && let Some(credential) = &permit.0.credential
        {
            credential.forget(req);
        }
    }

    /// Awaits data from the client. If the data is not ready at once, releases the permit while it waits. Data that did
    /// not arrive as a whole needs no permit.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if no permit is free again within [`REACQUIRE_TIMEOUT`].
    pub(crate) async fn wait<T, E>(
        permit: Option<Self>,
        future: impl Future<Output = Result<T, E>>,
    ) -> Result<Awaited<Result<T, E>>, Error> {
        let mut future = pin!(future);
        if let Some(output) = poll_immediate(&mut future).await {
            return Ok(Awaited { output, is_late: false });
        }
        if let Some(permit) = &permit {
            permit.release();
        }
        let output = future.await;
        if let Some(permit) = permit.filter(|_| output.is_ok()) {
            permit.reacquire().await?;
        }
        Ok(Awaited { output, is_late: true })
    }

    /// Requests whose credential is not known wait until their own timeout, as for their first permit.
    async fn reacquire(&self) -> Result<(), Error> {
        let (permits, is_known) = match &*self.state() {
            State { held: Held::None(permits), accepted } => (Arc::clone(permits), accepted.is_none()),
            State { held: Held::Permit(_) | Held::Ended, .. } => return Ok(()),
        };
        let acquired = if is_known {
            timeout(REACQUIRE_TIMEOUT, permits.acquire_owned()).await.map_err(|_| Error::Overloaded)?
        } else {
            permits.acquire_owned().await
        };
        let permit = acquired.map_err(|closed| Error::Internal(closed.into()))?;
        self.state().held = Held::Permit(permit);
        Ok(())
    }

    /// Releases the permit, and takes the next one from those of accepted credentials. Returns `false` if it came from
    /// them already.
    fn exchange(&self) -> bool {
        let mut state = self.state();
        let accepted = state.accepted.take();
        accepted.is_some_and(|accepted| {
            state.held = Held::None(accepted);
            true
        })
    }

    fn release(&self) {
        let mut state = self.state();
        if let Held::Permit(permit) = &state.held {
            state.held = Held::None(Arc::clone(permit.semaphore()));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Releases the permit when it is dropped.
#[must_use]
pub(super) struct ReleaseOnDrop(InFlightPermit);

impl Drop for ReleaseOnDrop {
    fn drop(&mut self) {
        self.0.state().held = Held::Ended;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::ready;

    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    fn permit(semaphore: &Arc<Semaphore>) -> InFlightPermit {
        InFlightPermit::try_acquire(semaphore, None).unwrap()
    }

    #[tokio::test]
    async fn ready_future_keeps_the_permit() {
        let semaphore = Arc::new(Semaphore::new(1));
        let permit = permit(&semaphore);
        let observed = Arc::clone(&semaphore);
        let body = async move { Ok::<_, Infallible>(observed.available_permits()) };
        let read = InFlightPermit::wait(Some(permit.clone()), body).await;
        assert_eq!(read.unwrap(), Awaited { output: Ok(0), is_late: false });
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
            Ok::<_, Infallible>(other.try_acquire_owned().unwrap())
        };
        assert!(matches!(InFlightPermit::wait(Some(permit), slow).await, Err(Error::Overloaded)));
        assert_eq!(semaphore.available_permits(), 1);
    }

    #[tokio::test]
    async fn request_whose_body_ends_early_needs_no_permit() {
        let semaphore = Arc::new(Semaphore::new(1));
        let (end, body) = oneshot::channel::<()>();
        let mut waiting = pin!(InFlightPermit::wait(Some(permit(&semaphore)), body));
        assert!(poll_immediate(&mut waiting).await.is_none());
        let _other = permit(&semaphore);
        drop(end);
        let read = poll_immediate(waiting).await.unwrap().unwrap();
        assert!(read.is_late && read.output.is_err());
    }

    #[tokio::test]
    async fn wait_without_a_permit_returns_the_output() {
        let ready = InFlightPermit::wait(None, ready(Ok::<_, Infallible>(1))).await;
        assert_eq!(ready.unwrap().output, Ok(1));
        let late = async {
            yield_now().await;
            Ok::<_, Infallible>(2)
        };
        assert_eq!(InFlightPermit::wait(None, late).await.unwrap().output, Ok(2));
    }
}
