//! The cache of documents.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use moka::future::Cache;
use moka::policy::EvictionPolicy;

use crate::entity_tag::EntityTag;
use crate::storage::StorageError;

/// Approximate overhead of the cache for each document, in bytes.
const ENTRY_OVERHEAD: usize = 256;

/// A document in the form that is sent, with its entity tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Representation {
    pub(super) tag: EntityTag,
    pub(super) body: Bytes,
}

/// A cache of the last version of each document. It is limited in bytes and evicts the least recently used documents.
///
/// The key is the text of the request. The tag identifies the request and the revision of the family's data. Each
/// request reads the current revision from the storage first, so a document that is outdated by a change is never
/// returned.
#[derive(Clone)]
pub(super) struct Documents {
    cache: Cache<String, Representation>,
    max_bytes: u64,
    /// Coalesces concurrent calls for the same document. It stores nothing.
    in_flight: Cache<EntityTag, Infallible>,
}

impl Documents {
    pub(super) fn with_capacity(max_bytes: u64) -> Self {
        let cache = Cache::builder().max_capacity(max_bytes).eviction_policy(EvictionPolicy::lru());
        let cache = cache.weigher(|request: &String, document| weight(request, document));
        Self { cache: cache.build(), max_bytes, in_flight: Cache::new(0) }
    }

    /// Returns the document with the tag, and makes it if it is not cached. Concurrent calls with the same tag are
    /// coalesced: one makes the document and the others wait for it.
    ///
    /// If the data has changed since the tag was computed, the new document has another tag. It is valid for all
    /// waiting calls, because they began before it was made.
    pub(super) async fn get(
        &self,
        request: &str,
        tag: EntityTag,
        make: impl Future<Output = Result<Representation, StorageError>>,
    ) -> Result<Representation, StorageError> {
        if let Some(cached) = self.find(request, &tag).await {
            return Ok(cached);
        }
        let coalesced = self.in_flight.try_get_with_by_ref(&tag, async {
            // Another call may have made the document after the first lookup.
            Err(Coalesced(match self.find(request, &tag).await {
                Some(cached) => Ok(cached),
                None => self.insert(request, make.await).await,
            }))
        });
        match coalesced.await {
            Ok(never) => match never {},
            Err(coalesced) => Arc::unwrap_or_clone(coalesced).0,
        }
    }

    async fn find(&self, request: &str, tag: &EntityTag) -> Option<Representation> {
        self.cache.get(request).await.filter(|cached| cached.tag == *tag)
    }

    /// Replaces the cached version of a document. A document that is larger than the whole cache only removes it.
    async fn insert(
        &self,
        request: &str,
        made: Result<Representation, StorageError>,
    ) -> Result<Representation, StorageError> {
        match &made {
            Ok(document) if u64::from(weight(request, document)) > self.max_bytes => {
                self.cache.invalidate(request).await;
            }
            Ok(document) => self.cache.insert(request.to_owned(), document.clone()).await,
            Err(_) => {}
        }
        made
    }
}

/// Returns the size of a cached document, in bytes.
fn weight(request: &str, document: &Representation) -> u32 {
    u32::try_from(request.len() + document.body.len() + ENTRY_OVERHEAD).unwrap_or(u32::MAX)
}

/// The result for all coalesced calls. It is an error for moka, so that moka does not store it for later calls.
#[derive(Clone)]
struct Coalesced(Result<Representation, StorageError>);

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use futures_util::future::join_all;

    use super::*;

    /// Capacity for three documents of 1,000 bytes.
    const CAPACITY: u64 = 3 * 1_300;

    /// Requests a document of `length` bytes at a revision. Returns whether it had to be made.
    async fn is_made(documents: &Documents, request: &str, revision: u32, length: usize) -> bool {
        let document = Representation {
            tag: EntityTag::of(format!("{request} {revision}").as_bytes()),
            body: vec![b'x'; length].into(),
        };
        let mut is_made = false;
        let make = async {
            is_made = true;
            Ok(document.clone())
        };
        assert_eq!(documents.get(request, document.tag.clone(), make).await.unwrap(), document);
        documents.cache.run_pending_tasks().await;
        is_made
    }

    #[tokio::test]
    async fn a_document_that_changes_often_evicts_no_other() {
        let documents = Documents::with_capacity(CAPACITY);
        assert!(is_made(&documents, "another", 1, 1_000).await);
        for revision in 1..100 {
            assert!(is_made(&documents, "the same", revision, 1_000).await);
            assert!(!is_made(&documents, "the same", revision, 1_000).await);
        }
        assert!(!is_made(&documents, "another", 1, 1_000).await);
    }

    #[tokio::test]
    async fn a_document_larger_than_the_cache_evicts_no_other() {
        let documents = Documents::with_capacity(CAPACITY);
        for request in ["another", "growing"] {
            is_made(&documents, request, 1, 1_000).await;
        }
        for _ in 0..2 {
            assert!(is_made(&documents, "growing", 2, 10_000).await);
            assert!(!is_made(&documents, "another", 1, 1_000).await);
        }
        assert_eq!(documents.cache.entry_count(), 1);
    }

    #[tokio::test]
    async fn the_least_recently_used_document_is_evicted() {
        let documents = Documents::with_capacity(CAPACITY);
        for request in ["1", "2", "3", "1", "4"] {
            is_made(&documents, request, 1, 1_000).await;
        }
        for (request, is_evicted) in [("1", false), ("3", false), ("4", false), ("2", true)] {
            assert_eq!(is_made(&documents, request, 1, 1_000).await, is_evicted, "{request}");
        }
    }

    #[tokio::test]
    async fn the_request_text_counts_as_size() {
        let documents = Documents::with_capacity(CAPACITY);
        for number in 0..100 {
            is_made(&documents, &format!("{number:01000}"), 1, 0).await;
        }
        assert_eq!(documents.cache.entry_count(), 3);
        for number in 0..100 {
            is_made(&documents, &format!("{number}"), 1, 0).await;
        }
        assert!((10..=15).contains(&documents.cache.entry_count()), "{}", documents.cache.entry_count());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn concurrent_requests_make_a_document_once() {
        let (documents, make_count) = (Documents::with_capacity(CAPACITY), AtomicUsize::new(0));
        let (documents, make_count) = (Arc::new(documents), Arc::new(make_count));
        for round in 1..=2_000 {
            let get = |_| {
                let (documents, make_count) = (Arc::clone(&documents), Arc::clone(&make_count));
                tokio::spawn(async move {
                    let tag = EntityTag::of(round.to_string().as_bytes());
                    let document = Representation { tag: tag.clone(), body: Bytes::new() };
                    let make = async {
                        make_count.fetch_add(1, SeqCst);
                        Ok(document)
                    };
                    documents.get("request", tag, make).await
                })
            };
            join_all((0..4).map(get)).await;
            assert_eq!(make_count.load(SeqCst), round);
        }
    }
}
