//! Keeps the metadata documents that were fetched.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use family_api_core::id::UserId;
use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error};
use moka::sync::Cache;

use crate::oauth::client::document::parse_document;
use crate::oauth::client::document_url::DocumentUrl;
use crate::oauth::client::fetch_permits::FetchPermits;
use crate::oauth::client::metadata::InvalidMetadata;
use crate::oauth::client::{ClientDocuments, FetchError};
use crate::oauth::{ClientError, ResolvedClient};

/// Maximum number of documents in memory. A document has at most 5 KiB.
const MAX_DOCUMENTS: u64 = 1_000;

/// Maximum number of fetches that one user can cause in a minute. A user connects fewer assistants.
const MAX_FETCHES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Time after which a document is fetched again.
const FRESH_TIME: Duration = Duration::from_hours(24);

/// Time for which a document is used while it cannot be fetched.
const STALE_TIME: Duration = Duration::from_hours(7 * 24);

/// Time between two attempts to reach the site of a stale document.
const RETRY_TIME: Duration = Duration::from_mins(1);

/// Fetches and caches metadata documents. Concurrent requests for a URL share one fetch. Errors are not cached.
pub(crate) struct DocumentCache {
    documents: Arc<dyn ClientDocuments>,
    clock: Arc<dyn Clock>,
    /// The documents that were fetched.
    entries: Cache<DocumentUrl, Arc<Entry>>,
    /// The documents that a request looks for now. An entry becomes part of the cache only with a document, so URLs
    /// without one evict nothing.
    wanted: Mutex<HashMap<DocumentUrl, Weak<Entry>>>,
    permits: FetchPermits,
    users: RateLimiter<UserId>,
}

#[derive(Default)]
struct Entry {
    copy: Mutex<Option<Copy>>,
    /// The error of the last fetch. Held during a fetch.
    error: tokio::sync::Mutex<Option<FetchError>>,
    /// Counts the finished fetches. A request that has waited for another request's fetch shares its outcome.
    finished: AtomicU64,
}

#[derive(Clone)]
struct Copy {
    client: ResolvedClient,
    fetched_at: Duration,
    fetch_again_at: Duration,
}

impl DocumentCache {
    pub(crate) fn new(documents: Arc<dyn ClientDocuments>, clock: Arc<dyn Clock>) -> Self {
        Self {
            documents,
            clock,
            entries: Cache::new(MAX_DOCUMENTS),
            wanted: Mutex::default(),
            permits: FetchPermits::default(),
            users: RateLimiter::new(Rate::per_minute(MAX_FETCHES)),
        }
    }

    /// Returns the client that the document at a URL describes. `user` has asked for it.
    pub(super) async fn find(&self, url: &DocumentUrl, user: &UserId) -> Result<ResolvedClient, ClientError> {
        let now = self.clock.monotonic();
        let entry = self.entry(url);
        if let Some(client) = entry.fresh_client(now) {
            return Ok(client);
        }
        match self.fetched(&entry, url, user, now).await {
            Err(ClientError::Api(error)) => entry.stale_client(now).ok_or(ClientError::Api(error)),
            found => found,
        }
    }

    /// Returns the entry of a URL. All requests that look for the URL at the same time get the same entry.
    fn entry(&self, url: &DocumentUrl) -> Arc<Entry> {
        if let Some(entry) = self.entries.get(url) {
            return entry;
        }
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = wanted.get(url).and_then(Weak::upgrade) {
            return entry;
        }
        wanted.retain(|_, entry| entry.strong_count() > 0);
        let entry = Arc::default();
        wanted.insert(url.clone(), Arc::downgrade(&entry));
        entry
    }

    /// Returns the client after a fetch, or after another request's fetch. A request is counted before it waits.
    async fn fetched(
        &self,
        entry: &Arc<Entry>,
        url: &DocumentUrl,
        user: &UserId,
        now: Duration,
    ) -> Result<ResolvedClient, ClientError> {
        self.users.check(user, now).into_result().map_err(Error::from)?;
        let finished = entry.finished.load(Ordering::Acquire);
        let mut last_error = entry.error.lock().await;
        if entry.finished.load(Ordering::Acquire) == finished {
            let _permit = self.permits.take(url.host()).ok_or(Error::Overloaded)?;
            *last_error = entry.update(self.fetch(url).await, now).err();
            entry.finished.fetch_add(1, Ordering::Release);
            match &*last_error {
                None => self.entries.insert(url.clone(), Arc::clone(entry)),
                Some(_) => self.entries.invalidate(url),
            }
        }
        match &*last_error {
            Some(error) => Err(ClientError::Document(error.to_string())),
            None => entry.stale_client(now).ok_or_else(|| Error::Overloaded.into()),
        }
    }

    async fn fetch(&self, url: &DocumentUrl) -> Result<ResolvedClient, FetchError> {
        let document = self.documents.fetch(url.as_str()).await?;
        let refused = |reason: InvalidMetadata| FetchError::Refused(reason.to_string());
        parse_document(url, &document).map_err(refused)
    }
}

impl Entry {
    fn copy(&self) -> Option<Copy> {
        self.copy.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the client if its document need not be fetched again.
    fn fresh_client(&self, now: Duration) -> Option<ResolvedClient> {
        self.copy().filter(|copy| now < copy.fetch_again_at).map(|copy| copy.client)
    }

    /// Returns the client if its document may be used while it cannot be fetched.
    fn stale_client(&self, now: Duration) -> Option<ResolvedClient> {
        self.copy().filter(|copy| now < copy.fetched_at + STALE_TIME).map(|copy| copy.client)
    }

    /// Keeps what was fetched. If the site is unreachable, a copy that may be used is kept. Otherwise returns the error.
    fn update(&self, fetched: Result<ResolvedClient, FetchError>, now: Duration) -> Result<(), FetchError> {
        let mut copy = self.copy.lock().unwrap_or_else(PoisonError::into_inner);
        match (fetched, copy.as_mut()) {
            (Ok(client), _) => {
                *copy = Some(Copy { client, fetched_at: now, fetch_again_at: now + FRESH_TIME });
                Ok(())
            }
            (Err(FetchError::Unreachable(_)), Some(copy)) if now < copy.fetched_at + STALE_TIME => {
                copy.fetch_again_at = now + RETRY_TIME;
                Ok(())
            }
            (Err(error), _) => {
                *copy = None;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use async_trait::async_trait;
    use bytes::Bytes;
    use family_api_core::ManualClock;
    use family_api_core::jiff::SignedDuration;
    use serde_json::json;

    use tokio::sync::Mutex;

    use super::*;
    use crate::oauth::client::fetch_permits::{MAX_PERMITS, MAX_PERMITS_OF_A_HOST};

    const URL: &str = "https://client.example/metadata.json";

    /// A site whose response the test sets. The response is the name in the document, or an error.
    struct Site {
        response: Mutex<Result<&'static str, FetchError>>,
        fetches: AtomicUsize,
    }

    #[async_trait]
    impl ClientDocuments for Site {
        async fn fetch(&self, url: &str) -> Result<Bytes, FetchError> {
            self.fetches.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            let name = self.response.lock().await.clone()?;
            let document = json!({ "client_id": url, "client_name": name, "redirect_uris": ["http://127.0.0.1/"] });
            Ok(document.to_string().into())
        }
    }

    struct Fixture {
        site: Arc<Site>,
        clock: ManualClock,
        cache: DocumentCache,
    }

    impl Fixture {
        fn new() -> Self {
            let site = Arc::new(Site { response: Mutex::new(Ok("one")), fetches: AtomicUsize::new(0) });
            let clock = ManualClock::new("2026-11-20T00:00:00Z".parse().unwrap());
            let cache = DocumentCache::new(site.clone(), Arc::new(clock.clone()));
            Self { site, clock, cache }
        }

        async fn respond(&self, response: Result<&'static str, FetchError>) {
            *self.site.response.lock().await = response;
        }

        async fn name(&self) -> Result<String, String> {
            self.name_at(URL).await
        }

        async fn name_at(&self, url: &str) -> Result<String, String> {
            self.name_for("ann", url).await
        }

        async fn name_for(&self, user: &str, url: &str) -> Result<String, String> {
            let found = self.cache.find(&url.parse().unwrap(), &user.parse().unwrap()).await;
            found.map(|client| client.name.unwrap()).map_err(|error| error.to_string())
        }

        fn fetches(&self) -> usize {
            self.site.fetches.load(Ordering::SeqCst)
        }
    }

    fn unreachable() -> FetchError {
        FetchError::Unreachable("the site does not respond".to_owned())
    }

    #[tokio::test]
    async fn document_is_kept_for_a_day() {
        let fixture = Fixture::new();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        fixture.respond(Ok("two")).await;
        fixture.clock.advance(SignedDuration::from_hours(23));
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        assert_eq!(fixture.fetches(), 1);
        fixture.clock.advance(SignedDuration::from_hours(1));
        assert_eq!(fixture.name().await.as_deref(), Ok("two"));
    }

    #[tokio::test]
    async fn stale_copy_is_used_for_a_week_while_the_site_is_down() {
        let fixture = Fixture::new();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        fixture.respond(Err(unreachable())).await;
        for day in 1..=6 {
            fixture.clock.advance(SignedDuration::from_hours(24));
            assert_eq!(fixture.name().await.as_deref(), Ok("one"), "day {day}");
        }
        assert_eq!(fixture.fetches(), 7);
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        assert_eq!(fixture.fetches(), 7, "the site is not asked twice in a minute");
        fixture.clock.advance(SignedDuration::from_hours(24));
        assert!(fixture.name().await.is_err());
        fixture.respond(Ok("two")).await;
        assert_eq!(fixture.name().await.as_deref(), Ok("two"));
    }

    #[tokio::test]
    async fn withdrawn_document_ends_its_copy() {
        let fixture = Fixture::new();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        fixture.respond(Err(FetchError::Refused("the site responds with status 404".to_owned()))).await;
        fixture.clock.advance(SignedDuration::from_hours(24));
        assert!(fixture.name().await.is_err());
        fixture.respond(Err(unreachable())).await;
        assert!(fixture.name().await.is_err());
    }

    #[tokio::test]
    async fn errors_are_not_cached() {
        let fixture = Fixture::new();
        fixture.respond(Err(unreachable())).await;
        assert!(fixture.name().await.is_err());
        fixture.respond(Ok("two")).await;
        assert_eq!(fixture.name().await.as_deref(), Ok("two"));
    }

    #[tokio::test]
    async fn concurrent_requests_share_one_fetch() {
        let fixture = Fixture::new();
        for response in [Err(unreachable()), Ok("two")] {
            let before = fixture.fetches();
            let is_ok = response.is_ok();
            fixture.respond(response).await;
            let found = futures_util::future::join_all((0..5).map(|_| fixture.name())).await;
            assert!(found.iter().all(|name| name.is_ok() == is_ok), "{found:?}");
            assert_eq!(fixture.fetches(), before + 1);
        }
    }

    #[tokio::test]
    async fn concurrent_fetches_and_kept_documents_are_bounded() {
        let fixture = Fixture::new();
        let found_at = async |urls: Vec<String>| {
            let users: Vec<String> = (0..urls.len()).map(|number| format!("user-{number}")).collect();
            let finding = urls.iter().zip(&users).map(|(url, user)| fixture.name_for(user, url));
            let found = futures_util::future::join_all(finding).await;
            found.iter().filter(|name| name.is_ok()).count()
        };
        let of_a_host = (0..5).map(|number| format!("https://slow.example/{number}")).collect();
        assert_eq!(found_at(of_a_host).await, MAX_PERMITS_OF_A_HOST);
        let of_many_hosts = (0..2 * MAX_PERMITS).map(|number| format!("https://{number}.slow.example/m")).collect();
        assert_eq!(found_at(of_many_hosts).await, MAX_PERMITS);
        for number in 0..2 * MAX_DOCUMENTS {
            let (user, url) = (format!("other-{number}"), format!("https://client.example/{number}"));
            fixture.name_for(&user, &url).await.unwrap();
        }
        fixture.cache.entries.run_pending_tasks();
        assert!(fixture.cache.entries.entry_count() <= MAX_DOCUMENTS);
    }

    #[tokio::test]
    async fn urls_without_a_document_evict_nothing() {
        let fixture = Fixture::new();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        fixture.respond(Err(unreachable())).await;
        for number in 0..2 * MAX_DOCUMENTS {
            let (user, url) = (format!("user-{number}"), format!("https://client.example/{number}"));
            assert!(fixture.name_for(&user, &url).await.is_err());
        }
        fixture.cache.entries.run_pending_tasks();
        assert_eq!(fixture.cache.entries.entry_count(), 1);
        assert!(fixture.cache.wanted.lock().unwrap().len() <= 2);
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
    }

    #[tokio::test]
    async fn fetches_of_a_user_are_limited_but_not_the_use_of_copies() {
        let fixture = Fixture::new();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        for number in 1..MAX_FETCHES.get() {
            fixture.name_at(&format!("https://client.example/{number}")).await.unwrap();
        }
        assert!(fixture.name_at("https://client.example/more").await.is_err());
        assert!(fixture.name_for("eve", "https://client.example/more").await.is_ok());
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
    }

    #[tokio::test]
    async fn stale_copy_is_used_while_too_many_documents_are_fetched() {
        let fixture = Fixture::new();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        fixture.clock.advance(SignedDuration::from_hours(48));
        let permits: Vec<_> = (0..MAX_PERMITS).map(|number| fixture.cache.permits.take(&number.to_string())).collect();
        assert_eq!(fixture.name().await.as_deref(), Ok("one"));
        assert!(fixture.name_at("https://client.example/other").await.is_err());
        drop(permits);
        fixture.respond(Ok("two")).await;
        assert_eq!(fixture.name().await.as_deref(), Ok("two"));
    }
}
