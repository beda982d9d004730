//! The cache of documents.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use tokio::sync::OnceCell;

use crate::content_coding::ContentCoding;
use crate::entity_tag::EntityTag;
use crate::error::Error;
use crate::service::DocumentCacheStatistics;
use crate::service::cached_documents::{CachedDocuments, Evicted};
use crate::service::family_loads::TooManyLoads;
use crate::storage::StorageError;

/// A document in a content coding, with its entity tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Representation {
    pub(super) tag: EntityTag,
    pub(super) coding: ContentCoding,
    pub(super) body: Bytes,
    /// Whether records may be missing.
    pub(super) is_truncated: bool,
}

/// A cache of the last version of each document. It is limited in bytes. The least recently used documents are
/// compressed, and then evicted.
///
/// The key is the text of the request. The tag identifies the request and the revision of the family's data. The
/// authentication of each request reads the current revision from the storage. So a document that was outdated when the
/// request was authenticated is never returned.
#[derive(Clone)]
pub(super) struct DocumentCache {
    documents: Arc<Mutex<CachedDocuments>>,
    in_flight: Arc<Mutex<InFlight>>,
    lookups: Arc<Lookups>,
}

/// Counters of lookups, by their result.
#[derive(Default)]
struct Lookups {
    hits: AtomicU64,
    misses: AtomicU64,
    coalesced: AtomicU64,
}

impl DocumentCache {
    pub(super) fn with_capacity(max_bytes: u64) -> Self {
        let documents = Arc::new(Mutex::new(CachedDocuments::with_capacity(max_bytes)));
        Self { documents, in_flight: Arc::default(), lookups: Arc::default() }
    }

    /// Returns the document with the tag if it is cached and not compressed.
    pub(super) fn find(&self, request: &str, tag: &EntityTag) -> Option<Representation> {
        let cached = lock(&self.documents).find(request, tag)?;
        self.lookups.hits.fetch_add(1, Relaxed);
        Some(cached)
    }

    /// Decompresses or makes a document that [`find`](Self::find) has not found. Concurrent calls with the same tag are coalesced: one
    /// makes the document and the others wait for it.
    ///
    /// If the data has changed since the tag was computed, the new document has another tag. It is valid for all
    /// waiting calls, because the calls began before the document was made.
    pub(super) async fn make(&self, request: &str, tag: EntityTag, make: impl Future<Output = Made>) -> Made {
        let cell = self.in_flight(&tag);
        let mut counter = &self.lookups.coalesced;
        let result = cell.get_or_init(|| async {
            // Another call may have made the document after the lookup.
            let plain = lock(&self.documents).find(request, &tag);
            let cached = if plain.is_some() { plain } else { self.decompress(request, &tag).await };
            if let Some(cached) = cached {
                counter = &self.lookups.hits;
                return Ok(cached);
            }
            counter = &self.lookups.misses;
            let document = make.await?;
            let evicted = lock(&self.documents).insert(request, document.clone());
            self.compress(evicted);
            Ok(document)
        });
        let result = result.await.clone();
        counter.fetch_add(1, Relaxed);
        result
    }

    pub(super) fn statistics(&self) -> DocumentCacheStatistics {
        let (documents, bytes) = lock(&self.documents).size();
        DocumentCacheStatistics {
            hits: self.lookups.hits.load(Relaxed),
            misses: self.lookups.misses.load(Relaxed),
            coalesced: self.lookups.coalesced.load(Relaxed),
            documents: documents as u64,
            bytes: bytes as u64,
        }
    }

    /// Returns the compressed document with the tag.
    async fn decompress(&self, request: &str, tag: &EntityTag) -> Option<Representation> {
        let compressed = lock(&self.documents).find_compressed(request, tag)?;
        let document = compressed.decompress().await?;
        let evicted = lock(&self.documents).restore(request, document.clone());
        self.compress(evicted);
        Some(document)
    }

    /// Compresses an evicted document in a task of its own, so that no request waits.
    fn compress(&self, mut evicted: Option<Evicted>) {
        if evicted.is_none() {
            return;
        }
        let documents = Arc::clone(&self.documents);
        tokio::spawn(async move {
            while let Some(next) = evicted {
                let (request, compressed) = next.compress().await;
                evicted = lock(&documents).finish(request, compressed);
            }
        });
    }

    /// Returns the cell of a document that other calls wait for, or a new one. If the call that makes the document is
    /// cancelled, another call makes it.
    fn in_flight(&self, tag: &EntityTag) -> Arc<OnceCell<Made>> {
        let mut in_flight = lock(&self.in_flight);
        if let Some(made) = in_flight.get(tag).and_then(Weak::upgrade) {
            return made;
        }
        in_flight.retain(|_, made| made.strong_count() > 0);
        let made = Arc::default();
        in_flight.insert(tag.clone(), Arc::downgrade(&made));
        made
    }
}

/// Ignores a poisoned lock: a panic cannot leave an entry half updated.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of making a document. All coalesced calls return it.
type Made = Result<Representation, NotMade>;

/// Why a document was not made.
#[derive(Debug, Clone)]
pub(super) enum NotMade {
    Fault(StorageError),
    TooManyLoads(TooManyLoads),
}

impl From<StorageError> for NotMade {
    fn from(fault: StorageError) -> Self {
        Self::Fault(fault)
    }
}

impl From<TooManyLoads> for NotMade {
    fn from(refused: TooManyLoads) -> Self {
        Self::TooManyLoads(refused)
    }
}

impl From<NotMade> for Error {
    fn from(reason: NotMade) -> Self {
        match reason {
            NotMade::Fault(fault) => fault.into(),
            NotMade::TooManyLoads(refused) => refused.into(),
        }
    }
}

/// The documents that are being made. A result lives as long as a call for it, so an error is returned only to calls
/// that waited for it. moka's `try_get_with` panics in a call that outlives 200 cancelled ones.
type InFlight = HashMap<EntityTag, Weak<OnceCell<Made>>>;

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use futures_util::future::{join_all, pending, poll_immediate};
    use tokio::task::yield_now;

    use super::*;
    use crate::service::cached_documents::entry_size;

    /// Capacity for three documents of 1,000 bytes.
    const CAPACITY: u64 = 3 * 1_300;

    fn empty_document(tag: &[u8]) -> Representation {
        let (tag, coding) = (EntityTag::of(tag), ContentCoding::Identity);
        Representation { tag, coding, body: Bytes::new(), is_truncated: false }
    }

    /// Requests a document of `length` bytes at a revision. Returns whether the cache had to make the document.
    async fn is_made(documents: &DocumentCache, request: &str, revision: u32, length: usize) -> bool {
        let document = Representation {
            tag: EntityTag::of(format!("{request} {revision}").as_bytes()),
            coding: ContentCoding::Identity,
            body: vec![b'x'; length].into(),
            is_truncated: false,
        };
        let mut is_made = false;
        let make = async {
            is_made = true;
            Ok(document.clone())
        };
        assert_eq!(documents.make(request, document.tag.clone(), make).await.unwrap(), document);
        is_made
    }

    #[tokio::test]
    async fn a_document_that_changes_often_evicts_no_other() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        assert!(is_made(&documents, "another", 1, 1_000).await);
        for revision in 1..100 {
            assert!(is_made(&documents, "the same", revision, 1_000).await);
            assert!(!is_made(&documents, "the same", revision, 1_000).await);
        }
        assert!(!is_made(&documents, "another", 1, 1_000).await);
    }

    #[tokio::test]
    async fn a_document_larger_than_the_cache_evicts_no_other() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        for request in ["another", "growing"] {
            is_made(&documents, request, 1, 1_000).await;
        }
        for _ in 0..2 {
            assert!(is_made(&documents, "growing", 2, 10_000).await);
            assert!(!is_made(&documents, "another", 1, 1_000).await);
        }
        assert_eq!(documents.statistics().documents, 1);
    }

    #[tokio::test]
    async fn the_least_recently_used_document_is_evicted() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        for request in ["1", "2", "3", "1", "4"] {
            is_made(&documents, request, 1, 1_000).await;
        }
        for (request, is_evicted) in [("1", false), ("3", false), ("4", false), ("2", true)] {
            assert_eq!(is_made(&documents, request, 1, 1_000).await, is_evicted, "{request}");
        }
    }

    #[tokio::test]
    async fn the_cache_key_counts_towards_the_cache_size() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        for number in 0..100 {
            is_made(&documents, &format!("{number:01000}"), 1, 0).await;
        }
        assert_eq!(documents.statistics().documents, 3);
        for number in 0..100 {
            is_made(&documents, &format!("{number}"), 1, 0).await;
        }
        assert!((10..=15).contains(&documents.statistics().documents), "{}", documents.statistics().documents);
    }

    #[tokio::test]
    async fn an_evicted_document_is_decompressed_and_counts_as_a_hit() {
        // The longer one is compressed on a blocking thread.
        for length in [10_000, 200_000] {
            let documents = DocumentCache::with_capacity(u64::try_from(length).unwrap() * 2);
            for request in ["1", "2"] {
                assert!(is_made(&documents, request, 1, length).await);
                assert!(!is_made(&documents, request, 1, length).await);
            }
            // Until the first one is compressed, only the second one is cached.
            while documents.statistics().documents < 2 {
                yield_now().await;
            }
            assert!(!is_made(&documents, "1", 1, length).await);
            let DocumentCacheStatistics { hits, misses, .. } = documents.statistics();
            assert_eq!((hits, misses), (3, 2));
        }
    }

    #[tokio::test]
    async fn the_next_call_makes_the_document_if_the_first_is_cancelled() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        let document = empty_document(b"1");
        let mut cancelled = Box::pin(documents.make("request", document.tag.clone(), pending()));
        assert!(poll_immediate(&mut cancelled).await.is_none());
        let make = async { Ok(document.clone()) };
        let mut next = Box::pin(documents.make("request", document.tag.clone(), make));
        assert!(poll_immediate(&mut next).await.is_none());
        drop(cancelled);
        assert_eq!(next.await.unwrap(), document);
        let DocumentCacheStatistics { hits, misses, coalesced, .. } = documents.statistics();
        assert_eq!((hits, misses, coalesced), (0, 1, 0));
    }

    #[tokio::test]
    async fn a_call_outlives_any_number_of_cancelled_calls() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        let document = empty_document(b"1");
        let get_pending = |_| Box::pin(documents.make("request", document.tag.clone(), pending()));
        let mut cancelled: VecDeque<_> = (0..1_000).map(get_pending).collect();
        let mut last = Box::pin(documents.make("request", document.tag.clone(), async { Ok(document.clone()) }));
        while !cancelled.is_empty() {
            for call in &mut cancelled {
                assert!(poll_immediate(call).await.is_none());
            }
            assert!(poll_immediate(&mut last).await.is_none());
            cancelled.pop_front();
        }
        assert_eq!(last.await.unwrap(), document);
        assert_eq!(lock(&documents.in_flight).len(), 1);
    }

    #[tokio::test]
    async fn lookups_are_counted_by_their_result() {
        let documents = DocumentCache::with_capacity(CAPACITY);
        let document = empty_document(b"1");
        let make = || async { Ok(document.clone()) };
        let blocked = async {
            yield_now().await;
            make().await
        };
        let first = documents.make("request", document.tag.clone(), blocked);
        let second = documents.make("request", document.tag.clone(), make());
        let (first, second) = tokio::join!(first, second);
        assert_eq!((first.unwrap(), second.unwrap()), (document.clone(), document.clone()));
        documents.make("request", document.tag.clone(), make()).await.unwrap();
        let bytes = u64::try_from(entry_size("request", &document.body)).unwrap();
        let expected = DocumentCacheStatistics { hits: 1, misses: 1, coalesced: 1, documents: 1, bytes };
        assert_eq!(documents.statistics(), expected);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn concurrent_requests_make_a_document_once() {
        let (documents, make_count) = (DocumentCache::with_capacity(CAPACITY), AtomicUsize::new(0));
        let (documents, make_count) = (Arc::new(documents), Arc::new(make_count));
        for round in 1..=2_000 {
            let get = |_| {
                let (documents, make_count) = (Arc::clone(&documents), Arc::clone(&make_count));
                tokio::spawn(async move {
                    let tag = EntityTag::of(round.to_string().as_bytes());
                    let document = empty_document(round.to_string().as_bytes());
                    let make = async {
                        make_count.fetch_add(1, SeqCst);
                        Ok(document)
                    };
                    documents.make("request", tag, make).await
                })
            };
            join_all((0..4).map(get)).await;
            assert_eq!(make_count.load(SeqCst), round);
        }
        assert_eq!(lock(&documents.in_flight).len(), 1);
    }
}
