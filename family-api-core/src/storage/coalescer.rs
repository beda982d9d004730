//! Coalesces concurrent queries about state that other connections may change at any moment.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as AsyncMutex;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Maximum wait for the query of another caller. After it, a caller queries by itself.
const WAIT_TIMEOUT: Duration = Duration::from_millis(100);

/// Runs one query at a time. Callers that arrive during a query share the next one.
///
/// So an answer shows the state at some moment after its request, and many concurrent requests cost little more than
/// one.
pub(super) struct Coalescer<Q, A> {
    waiting: Mutex<Waiters<Q>>,
    last: AsyncMutex<Option<Round<A>>>,
}

/// The requests of the waiting callers, by number.
struct Waiters<Q> {
    requests: BTreeMap<u64, Q>,
    /// Number of requests that were ever registered.
    registered: u64,
}

struct Round<A> {
    /// `None` if the query failed. Only the caller that ran it gets the error.
    answer: Option<A>,
    /// The round answers the requests with lower numbers than this.
    next_number: u64,
}

impl<Q: Clone, A> Coalescer<Q, A> {
    pub(super) fn new() -> Self {
        let waiting = Waiters { requests: BTreeMap::new(), registered: 0 };
        Self { waiting: Mutex::new(waiting), last: AsyncMutex::new(None) }
    }

    /// Selects the result from a query that began after the call.
    ///
    /// `query` gets the requests of all waiting callers. If the caller that runs it is cancelled, the next waiting
    /// caller queries. Returns `None` if another caller's query fails or takes longer than [`WAIT_TIMEOUT`].
    pub(super) async fn query<T, E, F>(
        &self,
        request: Q,
        query: impl FnOnce(Vec<Q>) -> F,
        select: impl FnOnce(&A) -> T,
    ) -> Result<Option<T>, E>
    where
        F: Future<Output = Result<A, E>>,
    {
        let request = Waiter::register(self, request);
        let Ok(mut last) = timeout(WAIT_TIMEOUT, self.last.lock()).await else {
            return Ok(None);
        };
        if let Some(last) = last.as_ref().filter(|last| request.number < last.next_number) {
            return Ok(last.answer.as_ref().map(select));
        }
        // Lets requests that have arrived meanwhile register, so that one query serves all of them.
        yield_now().await;
        let (requests, next_number) = self.waiting().all();
        match query(requests).await {
            Ok(answer) => {
                let selected = select(&answer);
                *last = Some(Round { answer: Some(answer), next_number });
                Ok(Some(selected))
            }
            Err(fault) => {
                *last = Some(Round { answer: None, next_number });
                Err(fault)
            }
        }
    }

    /// Ignores poisoning: a panic cannot leave the waiters inconsistent.
    fn waiting(&self) -> MutexGuard<'_, Waiters<Q>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q: Clone> Waiters<Q> {
    fn all(&self) -> (Vec<Q>, u64) {
        (self.requests.values().cloned().collect(), self.registered)
    }
}

/// A registered request. Dropping it removes the request.
struct Waiter<'a, Q: Clone, A> {
    shared: &'a Coalescer<Q, A>,
    number: u64,
}

impl<'a, Q: Clone, A> Waiter<'a, Q, A> {
    fn register(shared: &'a Coalescer<Q, A>, request: Q) -> Self {
        let mut waiting = shared.waiting();
        let number = waiting.registered;
        waiting.registered += 1;
        waiting.requests.insert(number, request);
        Self { shared, number }
    }
}

impl<Q: Clone, A> Drop for Waiter<'_, Q, A> {
    fn drop(&mut self) {
        self.shared.waiting().requests.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::fmt::Debug;

    use futures_util::future::{join_all, poll_immediate};
    use tokio::sync::Notify;
    use tokio::time::advance;

    use super::*;

    /// Records the requests of each query.
    #[derive(Default)]
    struct Queries {
        batches: RefCell<Vec<Vec<u32>>>,
        resume: Notify,
    }

    impl Queries {
        /// Waits for `resume`, then returns the number of the query. Fails if the requests contain 13.
        async fn answer(&self, requests: Vec<u32>) -> Result<usize, &'static str> {
            let fails = requests.contains(&13);
            self.batches.borrow_mut().push(requests);
            let number = self.batches.borrow().len();
            self.resume.notified().await;
            if fails { Err("failed") } else { Ok(number) }
        }

        async fn query(&self, shared: &Coalescer<u32, usize>, request: u32) -> Result<Option<usize>, &'static str> {
            shared.query(request, |requests| self.answer(requests), |number| *number).await
        }
    }

    /// Polls twice, until the query has begun: a caller yields once before it queries.
    async fn begin(caller: &mut (impl Future<Output: Debug> + Unpin)) {
        for _ in 0..2 {
            let result = poll_immediate(&mut *caller).await;
            assert!(result.is_none(), "{result:?}");
        }
    }

    #[tokio::test]
    async fn callers_before_a_query_share_it() {
        let shared = Coalescer::new();
        let queries = Queries::default();
        queries.resume.notify_one();
        let results = join_all((0..5).map(|request| queries.query(&shared, request))).await;
        assert_eq!(results, [Ok(Some(1)); 5]);
        assert_eq!(*queries.batches.borrow(), [vec![0, 1, 2, 3, 4]]);
    }

    #[tokio::test]
    async fn callers_during_a_query_share_the_next_one() {
        let shared = Coalescer::new();
        let queries = Queries::default();
        let mut first = Box::pin(queries.query(&shared, 0));
        begin(&mut first).await;
        let mut others = Box::pin(join_all((1..5).map(|request| queries.query(&shared, request))));
        assert_eq!(poll_immediate(&mut others).await, None);
        queries.resume.notify_one();
        assert_eq!(first.await, Ok(Some(1)));
        queries.resume.notify_one();
        assert_eq!(others.await, [Ok(Some(2)); 4]);
        assert_eq!(*queries.batches.borrow(), [vec![0], vec![1, 2, 3, 4]]);
        assert!(shared.waiting().requests.is_empty());
    }

    #[tokio::test]
    async fn the_next_caller_queries_if_the_first_is_cancelled() {
        let shared = Coalescer::new();
        let queries = Queries::default();
        let mut cancelled = Box::pin(queries.query(&shared, 0));
        begin(&mut cancelled).await;
        let mut next = Box::pin(queries.query(&shared, 1));
        assert_eq!(poll_immediate(&mut next).await, None);
        drop(cancelled);
        queries.resume.notify_one();
        assert_eq!(next.await, Ok(Some(2)));
        queries.resume.notify_one();
        assert_eq!(queries.query(&shared, 2).await, Ok(Some(3)));
        assert_eq!(*queries.batches.borrow(), [vec![0], vec![1], vec![2]]);
        assert!(shared.waiting().requests.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn callers_stop_waiting_for_a_slow_query_of_another() {
        let shared = Coalescer::new();
        let queries = Queries::default();
        let mut slow = Box::pin(queries.query(&shared, 0));
        begin(&mut slow).await;
        let mut other = Box::pin(queries.query(&shared, 1));
        assert_eq!(poll_immediate(&mut other).await, None);
        advance(WAIT_TIMEOUT).await;
        assert_eq!(other.await, Ok(None));
        advance(10 * WAIT_TIMEOUT).await;
        queries.resume.notify_one();
        assert_eq!(slow.await, Ok(Some(1)));
        assert!(shared.waiting().requests.is_empty());
    }

    #[tokio::test]
    async fn only_the_caller_that_queried_gets_its_error() {
        let shared = Coalescer::new();
        let queries = Queries::default();
        let mut before = Box::pin(queries.query(&shared, 0));
        begin(&mut before).await;
        let mut failing = Box::pin(join_all([13, 1].map(|request| queries.query(&shared, request))));
        assert_eq!(poll_immediate(&mut failing).await, None);
        queries.resume.notify_one();
        assert_eq!(before.await, Ok(Some(1)));
        queries.resume.notify_one();
        assert_eq!(failing.await, [Err("failed"), Ok(None)]);
        queries.resume.notify_one();
        assert_eq!(queries.query(&shared, 2).await, Ok(Some(3)));
    }
}
