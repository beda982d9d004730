//! Keeps the metadata documents that were fetched.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use family_api_core::{Clock, Error};
use moka::sync::Cache;
use tokio::sync::{Mutex, Semaphore};

use crate::oauth::client::document::parse_document;
use crate::oauth::client::document_url::DocumentUrl;
use crate::oauth::client::metadata::InvalidMetadata;
use crate::oauth::client::{ClientDocuments, FetchError};
use crate::oauth::{ClientError, ResolvedClient};

/// Maximum number of documents in memory. A document has at most 5 KiB.
const MAX_DOCUMENTS: u64 = 1_000;

/// Maximum number of requests that fetch a document or wait for one. Further requests get 503. So slow sites take only
/// some of the requests that the server has in flight.
const MAX_WAITING: usize = 16;

/// Time after which a document is fetched again.
const FRESH_TIME: Duration = Duration::from_hours(24);

/// Time for which a document is used while its site is unreachable.
const STALE_TIME: Duration = Duration::from_hours(7 * 24);

/// Time between two attempts to reach the site of a stale document.
const RETRY_TIME: Duration = Duration::from_mins(1);

/// Fetches and caches metadata documents. Concurrent requests for a URL share one fetch. Errors are not cached.
pub(crate) struct DocumentCache {
    documents: Arc<dyn ClientDocuments>,
    clock: Arc<dyn Clock>,
    entries: Cache<DocumentUrl, Arc<Entry>>,
    waiting: Semaphore,
}

#[derive(Default)]
struct Entry {
    /// Counts the finished fetches. A request that has waited for another request's fetch shares its outcome.
    finished: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    copy: Option<Copy>,
    /// The error of the last fetch, if it failed and no copy could be used.
    error: Option<FetchError>,
}

struct Copy {
    client: ResolvedClient,
    fetched_at: Duration,
    fetch_again_at: Duration,
}

impl DocumentCache {
    pub(crate) fn new(documents: Arc<dyn ClientDocuments>, clock: Arc<dyn Clock>) -> Self {
        Self { documents, clock, entries: Cache::new(MAX_DOCUMENTS), waiting: Semaphore::new(MAX_WAITING) }
    }

    /// Returns the client that the document at a URL describes.
    pub(super) async fn find(&self, url: &DocumentUrl) -> Result<ResolvedClient, ClientError> {
        let entry = self.entries.get_with(url.clone(), Arc::default);
        let now = self.clock.monotonic();
        if let Some(client) = entry.state.try_lock().ok().and_then(|state| state.fresh_client(now)) {
            return Ok(client);
        }
        let _permit = self.waiting.try_acquire().map_err(|_| Error::Overloaded)?;
        let finished = entry.finished.load(Ordering::Acquire);
        let mut state = entry.state.lock().await;
        if let Some(client) = state.fresh_client(now) {
            return Ok(client);
        }
        if entry.finished.load(Ordering::Acquire) == finished {
            state.update(self.fetch(url).await, now);
            entry.finished.fetch_add(1, Ordering::Release);
        }
        match (&state.copy, &state.error) {
            (Some(copy), _) => Ok(copy.client.clone()),
            (None, error) => Err(ClientError::Document(error.as_ref().map(ToString::to_string).unwrap_or_default())),
        }
    }

    async fn fetch(&self, url: &DocumentUrl) -> Result<ResolvedClient, FetchError> {
        let document = self.documents.fetch(url.as_str()).await?;
        let refused = |reason: InvalidMetadata| FetchError::Refused(reason.to_string());
        parse_document(url, &document).map_err(refused)
    }
}

impl State {
    /// Returns the client if its document need not be fetched again.
    fn fresh_client(&self, now: Duration) -> Option<ResolvedClient> {
        self.copy.as_ref().filter(|copy| now < copy.fetch_again_at).map(|copy| copy.client.clone())
    }

    fn update(&mut self, fetched: Result<ResolvedClient, FetchError>, now: Duration) {
        self.error = None;
        match (fetched, &mut self.copy) {
            (Ok(client), _) => {
                self.copy = Some(Copy { client, fetched_at: now, fetch_again_at: now + FRESH_TIME });
            }
            (Err(FetchError::Unreachable(_)), Some(copy)) if now < copy.fetched_at + STALE_TIME => {
                copy.fetch_again_at = now + RETRY_TIME;
            }
            (Err(error), _) => {
                self.copy = None;
                self.error = Some(error);
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

    use super::*;

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
            let found = self.cache.find(&url.parse().unwrap()).await;
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
            let found = futures_util::future::join_all((0..MAX_WAITING).map(|_| fixture.name())).await;
            assert!(found.iter().all(|name| name.is_ok() == is_ok), "{found:?}");
            assert_eq!(fixture.fetches(), before + 1);
        }
    }

    #[tokio::test]
    async fn concurrent_fetches_and_kept_documents_are_bounded() {
        let fixture = Fixture::new();
        let urls: Vec<String> = (0..2 * MAX_WAITING).map(|number| format!("https://client.example/{number}")).collect();
        let found = futures_util::future::join_all(urls.iter().map(|url| fixture.name_at(url))).await;
        assert_eq!(found.iter().filter(|name| name.is_ok()).count(), MAX_WAITING);
        for number in 0..2 * MAX_DOCUMENTS {
            fixture.name_at(&format!("https://client.example/{number}")).await.unwrap();
        }
        fixture.cache.entries.run_pending_tasks();
        assert!(fixture.cache.entries.entry_count() <= MAX_DOCUMENTS);
    }
}
