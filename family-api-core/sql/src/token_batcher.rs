//! Batches concurrent lookups of keys and access tokens.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use family_api_core::key::KeyDigest;
use family_api_core::storage::{FoundAccessToken, FoundKey, StorageError};
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Maximum wait for the statement of another caller. After this time, a caller runs a separate statement.
const WAIT_TIMEOUT: Duration = Duration::from_millis(100);

/// The digest of a token. The kind decides which statement finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TokenDigest {
    /// The digest of an integration key.
    Key(KeyDigest),
    /// The digest of an access token of a grant.
    Access(KeyDigest),
}

/// A token that was found by its digest.
#[derive(Debug, Clone)]
pub(crate) enum FoundToken {
    Key(FoundKey),
    Access(FoundAccessToken),
}

/// The tokens that exist, by digest. The value is an error if the row of the token cannot be read.
pub(crate) type FoundTokens = HashMap<TokenDigest, Result<Arc<FoundToken>, StorageError>>;

/// The digests of a batch, by the statement that finds them.
#[derive(Default)]
pub(crate) struct DigestsByKind {
    pub(crate) keys: Vec<KeyDigest>,
    pub(crate) access_tokens: Vec<KeyDigest>,
}

impl<'a> FromIterator<&'a TokenDigest> for DigestsByKind {
    fn from_iter<I: IntoIterator<Item = &'a TokenDigest>>(digests: I) -> Self {
        let mut by_kind = Self::default();
        for digest in digests {
            match digest {
                TokenDigest::Key(digest) => by_kind.keys.push(*digest),
                TokenDigest::Access(digest) => by_kind.access_tokens.push(*digest),
            }
        }
        by_kind
    }
}

/// Finds tokens with one batch at a time. Callers that arrive during a statement share the next one.
///
/// So every result shows the state of the database at some moment after its caller arrived, and many concurrent callers
/// cost little more than one.
#[derive(Default)]
pub(crate) struct TokenBatcher {
    waiting: Mutex<Waiting>,
    last_query: AsyncMutex<Option<FinishedQuery>>,
    /// The number of lookups that used the statement of another caller.
    coalesced: AtomicU64,
}

/// The digests of the waiting callers, by the number of the caller.
#[derive(Default)]
struct Waiting {
    digests: BTreeMap<u64, TokenDigest>,
    /// The number of the next caller.
    next_number: u64,
}

/// The last statement that finished.
struct FinishedQuery {
    /// `None` if the statement failed. Only the caller that ran it gets the error.
    found: Option<Arc<FoundTokens>>,
    /// The statement included all waiting callers with a lower number.
    next_number: u64,
}

impl TokenBatcher {
    /// Finds a key. If the statement of another caller is slow or fails, runs a separate statement.
    pub(crate) async fn find_key<F>(
        &self,
        digest: &KeyDigest,
        find: impl Fn(HashSet<TokenDigest>) -> F,
    ) -> Result<Option<FoundKey>, StorageError>
    where
        F: Future<Output = Result<FoundTokens, StorageError>>,
    {
        Ok(match self.find(TokenDigest::Key(*digest), find).await? {
            Some(FoundToken::Key(key)) => Some(key),
            Some(FoundToken::Access(_)) | None => None,
        })
    }

    /// Finds an access token, as [`find_key`](Self::find_key) finds a key.
    pub(crate) async fn find_access_token<F>(
        &self,
        digest: &KeyDigest,
        find: impl Fn(HashSet<TokenDigest>) -> F,
    ) -> Result<Option<FoundAccessToken>, StorageError>
    where
        F: Future<Output = Result<FoundTokens, StorageError>>,
    {
        Ok(match self.find(TokenDigest::Access(*digest), find).await? {
            Some(FoundToken::Access(token)) => Some(token),
            Some(FoundToken::Key(_)) | None => None,
        })
    }

    async fn find<F>(
        &self,
        digest: TokenDigest,
        find: impl Fn(HashSet<TokenDigest>) -> F,
    ) -> Result<Option<FoundToken>, StorageError>
    where
        F: Future<Output = Result<FoundTokens, StorageError>>,
    {
        let found = match self.find_batched(digest, &find).await? {
            Some(found) => found,
            None => Arc::new(find(HashSet::from([digest])).await?),
        };
        Ok(found.get(&digest).cloned().transpose()?.map(Arc::unwrap_or_clone))
    }

    /// Runs a statement for all waiting callers, or waits for the statement of another caller. If the caller that runs
    /// the statement is cancelled, the next waiting caller runs it again. Returns `None` if another caller's statement
    /// fails or takes longer than [`WAIT_TIMEOUT`].
    async fn find_batched<F>(
        &self,
        digest: TokenDigest,
        find: impl Fn(HashSet<TokenDigest>) -> F,
    ) -> Result<Option<Arc<FoundTokens>>, StorageError>
    where
        F: Future<Output = Result<FoundTokens, StorageError>>,
    {
        let caller = Caller::register(self, digest);
        let Ok(mut last_query) = timeout(WAIT_TIMEOUT, self.last_query.lock()).await else {
            return Ok(None);
        };
        if let Some(last) = last_query.as_ref().filter(|last| caller.number < last.next_number) {
            if last.found.is_some() {
                self.coalesced.fetch_add(1, Relaxed);
            }
            return Ok(last.found.clone());
        }
        // Lets other ready tasks register their digests, so that one statement serves all of them.
        yield_now().await;
        let (digests, next_number) = self.waiting().snapshot();
        let found = find(digests).await.map(Arc::new);
        *last_query = Some(FinishedQuery { found: found.as_ref().ok().cloned(), next_number });
        found.map(Some)
    }

    /// Returns the number of lookups, and how many of them used the statement of another caller.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let coalesced = self.coalesced.load(Relaxed);
        (self.waiting().next_number, coalesced)
    }

    /// Ignores poisoning: a panic cannot leave the waiting callers inconsistent.
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Returns the digests, and the number of the next caller.
    fn snapshot(&self) -> (HashSet<TokenDigest>, u64) {
        (self.digests.values().copied().collect(), self.next_number)
    }
}

/// A waiting caller. Dropping it removes its digest.
struct Caller<'a> {
    batcher: &'a TokenBatcher,
    number: u64,
}

impl<'a> Caller<'a> {
    fn register(batcher: &'a TokenBatcher, digest: TokenDigest) -> Self {
        let mut waiting = batcher.waiting();
        let number = waiting.next_number;
        waiting.next_number += 1;
        waiting.digests.insert(number, digest);
        Self { batcher, number }
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        self.batcher.waiting().digests.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::fmt::Debug;

    use family_api_core::key::{IntegrationKey, ScopeSet};
    use family_api_core::storage::KeyState;
    use futures_util::future::{join_all, poll_immediate};
    use tokio::sync::Notify;
    use tokio::time::advance;

    use super::*;

    fn digest(number: u32) -> TokenDigest {
        TokenDigest::Key(KeyDigest::of(&number.to_string()))
    }

    /// Returns a key whose hint is the number of the statement that found it.
    fn found_key(statement: usize) -> FoundToken {
        let key = IntegrationKey {
            id: "k".parse().unwrap(),
            mode: None,
            scopes: ScopeSet::default(),
            name: None,
            hint: statement.to_string(),
            created_at: "2026-11-20T10:15:30Z".parse().unwrap(),
            expires_at: None,
            last_used_at: None,
        };
        FoundToken::Key(FoundKey { key, state: KeyState::Active, user: "ada".parse().unwrap(), account: None })
    }

    /// Records the digests of each statement.
    #[derive(Default)]
    struct Statements {
        batches: RefCell<Vec<HashSet<TokenDigest>>>,
        resume: Notify,
    }

    impl Statements {
        /// Waits for `resume`, then finds every key. Fails if the digests contain that of 13.
        async fn run(&self, digests: HashSet<TokenDigest>) -> Result<FoundTokens, StorageError> {
            self.batches.borrow_mut().push(digests.clone());
            let found = Arc::new(found_key(self.batches.borrow().len()));
            self.resume.notified().await;
            if digests.contains(&digest(13)) {
                return Err(StorageError::unavailable("13"));
            }
            Ok(digests.into_iter().map(|digest| (digest, Ok(found.clone()))).collect())
        }

        /// Returns the number of the statement that found the key, or `None` if no shared statement did.
        async fn find(&self, batcher: &TokenBatcher, number: u32) -> Result<Option<usize>, &'static str> {
            let found = batcher.find_batched(digest(number), |digests| self.run(digests)).await;
            let found = found.map_err(|_| "failed")?;
            Ok(found.map(|found| match &**found[&digest(number)].as_ref().unwrap() {
                FoundToken::Key(found) => found.key.hint.parse().unwrap(),
                FoundToken::Access(_) => panic!("the key is an access token"),
            }))
        }

        fn assert_batches<const N: usize>(&self, expected: [&[u32]; N]) {
            let expected = expected.map(|numbers| numbers.iter().copied().map(digest).collect::<HashSet<_>>());
            assert_eq!(*self.batches.borrow(), expected);
        }
    }

    /// Polls twice, until the statement has begun: a caller yields once before it runs the statement.
    async fn begin(caller: &mut (impl Future<Output: Debug> + Unpin)) {
        for _ in 0..2 {
            let result = poll_immediate(&mut *caller).await;
            assert!(result.is_none(), "{result:?}");
        }
    }

    #[tokio::test]
    async fn callers_that_arrive_before_a_statement_share_it() {
        let (batcher, statements) = (TokenBatcher::default(), Statements::default());
        statements.resume.notify_one();
        let results = join_all((0..5).map(|number| statements.find(&batcher, number))).await;
        assert_eq!(results, [Ok(Some(1)); 5]);
        statements.assert_batches([&[0, 1, 2, 3, 4]]);
    }

    #[tokio::test]
    async fn callers_that_arrive_during_a_statement_share_the_next() {
        let (batcher, statements) = (TokenBatcher::default(), Statements::default());
        let mut first = Box::pin(statements.find(&batcher, 0));
        begin(&mut first).await;
        let mut others = Box::pin(join_all((1..5).map(|number| statements.find(&batcher, number))));
        assert_eq!(poll_immediate(&mut others).await, None);
        statements.resume.notify_one();
        assert_eq!(first.await, Ok(Some(1)));
        statements.resume.notify_one();
        assert_eq!(others.await, [Ok(Some(2)); 4]);
        statements.assert_batches([&[0], &[1, 2, 3, 4]]);
        assert_eq!(batcher.counts(), (5, 3));
        assert!(batcher.waiting().digests.is_empty());
    }

    #[tokio::test]
    async fn the_next_caller_runs_the_statement_if_the_first_is_cancelled() {
        let (batcher, statements) = (TokenBatcher::default(), Statements::default());
        let mut cancelled = Box::pin(statements.find(&batcher, 0));
        begin(&mut cancelled).await;
        let mut next = Box::pin(statements.find(&batcher, 1));
        assert_eq!(poll_immediate(&mut next).await, None);
        drop(cancelled);
        statements.resume.notify_one();
        assert_eq!(next.await, Ok(Some(2)));
        statements.resume.notify_one();
        assert_eq!(statements.find(&batcher, 2).await, Ok(Some(3)));
        statements.assert_batches([&[0], &[1], &[2]]);
        assert!(batcher.waiting().digests.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_stops_waiting_for_a_slow_statement_of_another_caller() {
        let (batcher, statements) = (TokenBatcher::default(), Statements::default());
        let mut slow = Box::pin(statements.find(&batcher, 0));
        begin(&mut slow).await;
        let mut other = Box::pin(statements.find(&batcher, 1));
        assert_eq!(poll_immediate(&mut other).await, None);
        advance(WAIT_TIMEOUT).await;
        assert_eq!(other.await, Ok(None));
        advance(10 * WAIT_TIMEOUT).await;
        statements.resume.notify_one();
        assert_eq!(slow.await, Ok(Some(1)));
        assert!(batcher.waiting().digests.is_empty());
    }

    #[tokio::test]
    async fn only_the_caller_that_ran_the_statement_gets_its_error() {
        let (batcher, statements) = (TokenBatcher::default(), Statements::default());
        let mut before = Box::pin(statements.find(&batcher, 0));
        begin(&mut before).await;
        let mut failing = Box::pin(join_all([13, 1].map(|number| statements.find(&batcher, number))));
        assert_eq!(poll_immediate(&mut failing).await, None);
        statements.resume.notify_one();
        assert_eq!(before.await, Ok(Some(1)));
        statements.resume.notify_one();
        assert_eq!(failing.await, [Err("failed"), Ok(None)]);
        assert_eq!(batcher.counts(), (3, 0));
        statements.resume.notify_one();
        assert_eq!(statements.find(&batcher, 2).await, Ok(Some(3)));
    }
}
