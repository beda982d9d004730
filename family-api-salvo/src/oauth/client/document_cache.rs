//! Keeps the metadata documents that were fetched.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use family_api_core::id::UserId;
use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};
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
    copies: Cache<DocumentUrl, Copy>,
    /// The fetches that requests wait for now. A document is cached only after its fetch, so URLs without one evict
    /// nothing.
    fetches: Mutex<HashMap<DocumentUrl, WeakShared<Fetch>>>,
    permits: FetchPermits,
    users: RateLimiter<UserId>,
}

/// A fetch that several requests can wait for. It goes on while one of them waits.
type Fetch = BoxFuture<'static, Result<ResolvedClient, FetchError>>;

/// The client that a document describes.
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
            copies: Cache::new(MAX_DOCUMENTS),
            fetches: Mutex::default(),
            permits: FetchPermits::default(),
            users: RateLimiter::new(Rate::per_minute(MAX_FETCHES)),
        }
    }

    /// Returns the client that the document at a URL describes. `user` has asked for it.
    pub(super) async fn find(&self, url: &DocumentUrl, user: &UserId) -> Result<ResolvedClient, ClientError> {
        let now = self.clock.monotonic();
        if let Some(copy) = self.copies.get(url).filter(|copy| now < copy.fetch_again_at) {
            return Ok(copy.client);
        }
        match self.fetched(url, user, now).await {
            Err(ClientError::Api(error)) => {
                let usable = self.copies.get(url).filter(|copy| copy.is_usable(now));
                usable.map(|copy| copy.client).ok_or(ClientError::Api(error))
            }
            found => found,
        }
    }

    /// Returns the client after a fetch. A request is counted even if it shares the fetch of another request.
    async fn fetched(&self, url: &DocumentUrl, user: &UserId, now: Duration) -> Result<ResolvedClient, ClientError> {
        self.users.check(user, now).into_result().map_err(Error::from)?;
        self.fetch(url, now)?.await.map_err(|error| ClientError::Document(error.to_string()))
    }

    /// Returns the fetch that runs for a URL, or a new one.
    fn fetch(&self, url: &DocumentUrl, now: Duration) -> Result<Shared<Fetch>, Error> {
        let mut fetches = self.fetches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetch) = fetches.get(url).and_then(WeakShared::upgrade) {
            return Ok(fetch);
        }
        let permit = self.permits.take(url.host()).ok_or(Error::Overloaded)?;
        let documents = Arc::clone(&self.documents);
        let copies = self.copies.clone();
        let wanted = url.clone();
        let fetch = async move {
            let _permit = permit;
            let document = documents.fetch(wanted.as_str()).await;
            let refused = |reason: InvalidMetadata| FetchError::Refused(reason.to_string());
            let client = document.and_then(|json| parse_document(&wanted, &json).map_err(refused));
            update(&copies, &wanted, client, now)
        };
        let fetch = fetch.boxed().shared();
        fetches.retain(|_, fetch| fetch.upgrade().is_some());
        fetches.extend(fetch.downgrade().map(|weak| (url.clone(), weak)));
        Ok(fetch)
    }
}

impl Copy {
    /// Returns whether the copy may be used while its document cannot be fetched.
    fn is_usable(&self, now: Duration) -> bool {
        now < self.fetched_at + STALE_TIME
    }
}

/// Keeps what was fetched. If the site is unreachable, a copy that may be used is kept. Otherwise returns the error.
fn update(
    copies: &Cache<DocumentUrl, Copy>,
    url: &DocumentUrl,
    fetched: Result<ResolvedClient, FetchError>,
    now: Duration,
) -> Result<ResolvedClient, FetchError> {
    let usable = copies.get(url).filter(|copy| copy.is_usable(now));
    let copy = match (fetched, usable) {
        (Ok(client), _) => Copy { client, fetched_at: now, fetch_again_at: now + FRESH_TIME },
        (Err(FetchError::Unreachable(_)), Some(copy)) => Copy { fetch_again_at: now + RETRY_TIME, ..copy },
        (Err(error), _) => {
            copies.invalidate(url);
            return Err(error);
        }
    };
    copies.insert(url.clone(), copy.clone());
    Ok(copy.client)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use bytes::Bytes;
    use family_api_core::ManualClock;
    use family_api_core::jiff::SignedDuration;
    use futures_util::future::poll_immediate;
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
    async fn fetch_goes_on_until_all_its_requests_are_cancelled() {
        let fixture = Fixture::new();
        let silence = fixture.site.response.lock().await;
        let mut first = Box::pin(fixture.name());
        let mut second = Box::pin(fixture.name());
        assert!(poll_immediate(&mut first).await.is_none());
        assert!(poll_immediate(&mut second).await.is_none());
        drop(first);
        drop(silence);
        assert_eq!(second.await.as_deref(), Ok("one"));
        assert_eq!(fixture.fetches(), 1);
        fixture.clock.advance(SignedDuration::from_hours(24));
        let silence = fixture.site.response.lock().await;
        for fetches in 2..=1 + MAX_PERMITS {
            let user = format!("user-{fetches}");
            assert!(poll_immediate(Box::pin(fixture.name_for(&user, URL))).await.is_none());
            assert_eq!(fixture.fetches(), fetches);
        }
        drop(silence);
        fixture.respond(Ok("two")).await;
        assert_eq!(fixture.name().await.as_deref(), Ok("two"));
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
        fixture.cache.copies.run_pending_tasks();
        assert!(fixture.cache.copies.entry_count() <= MAX_DOCUMENTS);
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
        fixture.cache.copies.run_pending_tasks();
        assert_eq!(fixture.cache.copies.entry_count(), 1);
        assert!(fixture.cache.fetches.lock().unwrap().len() <= 2);
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
