//! Queries at what others may change at any moment, each shared by those who wait for one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as AsyncMutex;
use tokio::task::yield_now;
use tokio::time::timeout;

/// How long a look of another is waited for: where it is slow, those who wait look for themselves.
const WAIT_TIMEOUT: Duration = Duration::from_millis(100);

/// Answers requests by queries, one after the other: whoever asks while one is under way shares the next. So an answer
/// is what was there at some moment after its request, and many who ask at once cost little more than one.
pub(super) struct Coalescer<Q, A> {
    waiting: Mutex<Waiters<Q>>,
    last: AsyncMutex<Option<Round<A>>>,
}

/// The requests of those who wait, by their numbers.
struct Waiters<Q> {
    requests: BTreeMap<u64, Q>,
    /// How many were registered, ever.
    registered: u64,
}

struct Round<A> {
    /// `None` where it failed, which is told to nobody but who looked.
    answer: Option<A>,
    /// How many had been registered before it: it is an answer to them.
    answers: u64,
}

impl<Q: Clone, A> Coalescer<Q, A> {
    pub(super) fn new() -> Self {
        let waiting = Waiters { requests: BTreeMap::new(), registered: 0 };
        Self { waiting: Mutex::new(waiting), last: AsyncMutex::new(None) }
    }

    /// Takes its answer from a look that began after the call; `None` where no look of others tells it soon.
    ///
    /// `look` is given the requests of all who wait. Where nobody waits for it any more, the next of them queries.
    pub(super) async fn query<T, E, F>(
        &self,
        request: Q,
        query: impl FnOnce(Vec<Q>) -> F,
        take: impl FnOnce(&A) -> T,
    ) -> Result<Option<T>, E>
    where
        F: Future<Output = Result<A, E>>,
    {
        let request = Waiter::register(self, request);
        let Ok(mut last) = timeout(WAIT_TIMEOUT, self.last.lock()).await else {
            return Ok(None);
        };
        if let Some(last) = last.as_ref().filter(|last| request.number < last.answers) {
            return Ok(last.answer.as_ref().map(take));
        }
        // Requests that have come meanwhile ask first: then it is one look for all of them.
        yield_now().await;
        let (requests, answers) = self.waiting().all();
        match query(requests).await {
            Ok(answer) => {
                let taken = take(&answer);
                *last = Some(Round { answer: Some(answer), answers });
                Ok(Some(taken))
            }
            Err(fault) => {
                *last = Some(Round { answer: None, answers });
                Err(fault)
            }
        }
    }

    /// A panic leaves it as it should be.
    fn waiting(&self) -> MutexGuard<'_, Waiters<Q>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q: Clone> Waiters<Q> {
    fn all(&self) -> (Vec<Q>, u64) {
        (self.requests.values().cloned().collect(), self.registered)
    }
}

/// A request for as long as somebody waits for its answer.
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

    /// What each look was registered.
    #[derive(Default)]
    struct Queries {
        seen: RefCell<Vec<Vec<u32>>>,
        go_on: Notify,
    }

    impl Queries {
        /// Answers when it is told to, with the number of the look; the request 13 has it fail.
        async fn answer(&self, requests: Vec<u32>) -> Result<usize, &'static str> {
            let fails = requests.contains(&13);
            self.seen.borrow_mut().push(requests);
            let number = self.seen.borrow().len();
            self.go_on.notified().await;
            if fails { Err("failed") } else { Ok(number) }
        }

        async fn query(&self, shared: &Coalescer<u32, usize>, request: u32) -> Result<Option<usize>, &'static str> {
            shared.query(request, |requests| self.answer(requests), |number| *number).await
        }
    }

    /// Polls until a look is under way: who asks lets others ask first.
    async fn begin(asking: &mut (impl Future<Output: Debug> + Unpin)) {
        for _ in 0..2 {
            let told = poll_immediate(&mut *asking).await;
            assert!(told.is_none(), "{told:?}");
        }
    }

    #[tokio::test]
    async fn those_who_ask_before_a_look_begins_share_it() {
        let (shared, queries) = (Coalescer::new(), Queries::default());
        queries.go_on.notify_one();
        let told = join_all((0..5).map(|request| queries.query(&shared, request))).await;
        assert_eq!(told, [Ok(Some(1)); 5]);
        assert_eq!(*queries.seen.borrow(), [vec![0, 1, 2, 3, 4]]);
    }

    #[tokio::test]
    async fn those_who_ask_while_a_look_is_under_way_share_the_next() {
        let (shared, queries) = (Coalescer::new(), Queries::default());
        let mut first = Box::pin(queries.query(&shared, 0));
        begin(&mut first).await;
        let mut others = Box::pin(join_all((1..5).map(|request| queries.query(&shared, request))));
        assert_eq!(poll_immediate(&mut others).await, None);
        queries.go_on.notify_one();
        assert_eq!(first.await, Ok(Some(1)));
        queries.go_on.notify_one();
        assert_eq!(others.await, [Ok(Some(2)); 4]);
        assert_eq!(*queries.seen.borrow(), [vec![0], vec![1, 2, 3, 4]]);
        assert!(shared.waiting().requests.is_empty());
    }

    #[tokio::test]
    async fn where_nobody_waits_for_a_look_the_next_one_looks() {
        let (shared, queries) = (Coalescer::new(), Queries::default());
        let mut given_up = Box::pin(queries.query(&shared, 0));
        begin(&mut given_up).await;
        let mut next = Box::pin(queries.query(&shared, 1));
        assert_eq!(poll_immediate(&mut next).await, None);
        drop(given_up);
        queries.go_on.notify_one();
        assert_eq!(next.await, Ok(Some(2)));
        queries.go_on.notify_one();
        assert_eq!(queries.query(&shared, 2).await, Ok(Some(3)));
        assert_eq!(*queries.seen.borrow(), [vec![0], vec![1], vec![2]]);
        assert!(shared.waiting().requests.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_look_is_an_answer_to_who_looks_and_not_waited_for_by_others() {
        let (shared, queries) = (Coalescer::new(), Queries::default());
        let mut slow = Box::pin(queries.query(&shared, 0));
        begin(&mut slow).await;
        let mut other = Box::pin(queries.query(&shared, 1));
        assert_eq!(poll_immediate(&mut other).await, None);
        advance(WAIT_TIMEOUT).await;
        assert_eq!(other.await, Ok(None));
        advance(10 * WAIT_TIMEOUT).await;
        queries.go_on.notify_one();
        assert_eq!(slow.await, Ok(Some(1)));
        assert!(shared.waiting().requests.is_empty());
    }

    #[tokio::test]
    async fn a_look_that_fails_fails_for_who_looked_alone() {
        let (shared, queries) = (Coalescer::new(), Queries::default());
        let mut before = Box::pin(queries.query(&shared, 0));
        begin(&mut before).await;
        let mut failing = Box::pin(join_all([13, 1].map(|request| queries.query(&shared, request))));
        assert_eq!(poll_immediate(&mut failing).await, None);
        queries.go_on.notify_one();
        assert_eq!(before.await, Ok(Some(1)));
        queries.go_on.notify_one();
        assert_eq!(failing.await, [Err("failed"), Ok(None)]);
        queries.go_on.notify_one();
        assert_eq!(queries.query(&shared, 2).await, Ok(Some(3)));
    }
}
