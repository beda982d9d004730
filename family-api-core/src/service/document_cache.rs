//! The cache of documents.

use std::collections::HashMap;
use std::future::ready;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use moka::notification::RemovalCause;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::sync::OnceCell;

use crate::content_coding::ContentCoding;
use crate::entity_tag::EntityTag;
use crate::error::Error;
use crate::resource::Revision;
use crate::service::DocumentCacheStatistics;
use crate::service::compressed_documents::CompressedDocuments;
use crate::service::family_loads::TooManyLoads;
use crate::storage::StorageError;

/// Approximate overhead of the cache for each document, in bytes.
const ENTRY_OVERHEAD: usize = 256;

/// The number of equal parts of the cache. One is for compressed documents: copies that take about an eighth of the
/// size, and documents that were made in a content coding.
const PARTS: u64 = 2;

/// A document in a content coding, with its entity tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Representation {
    /// The revision of the family's data, if the storage has revisions.
    pub(super) revision: Option<Revision>,
    pub(super) tag: EntityTag,
    pub(super) coding: ContentCoding,
    pub(super) body: Bytes,
    /// Whether records may be missing.
    pub(super) is_truncated: bool,
}

/// A cache of the last version of each document. It is limited in bytes. The least recently used documents are
/// compressed, and then evicted.
///
/// The key is the text of the request. The authentication of each request reads the current revision of the family's
/// data from the storage. So a document that was outdated when the request was authenticated is never returned.
#[derive(Clone)]
pub(super) struct DocumentCache {
    /// The most recently used documents.
    plain: Cache<String, Arc<PlainDocument>>,
    compressed: CompressedDocuments,
    max_plain_bytes: u64,
    in_flight: Arc<Mutex<InFlight>>,
    lookups: Arc<Lookups>,
}

struct PlainDocument {
    document: Representation,
    /// Whether the document was read since it was cached.
    was_read: AtomicBool,
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
        let max_compressed_bytes = max_bytes / PARTS;
        let max_plain_bytes = max_bytes - max_compressed_bytes;
        let compressed = CompressedDocuments::with_capacity(max_compressed_bytes);
        let evicted = compressed.clone();
        let plain = Cache::builder()
            .max_capacity(max_plain_bytes)
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|request: &String, entry: &Arc<PlainDocument>| entry_size(request, &entry.document.body))
            .eviction_listener(move |request: Arc<String>, entry: Arc<PlainDocument>, cause| {
                if cause == RemovalCause::Size {
                    evicted.offer(&request, &entry.document, entry.was_read.load(Relaxed));
                }
            })
            .build();
        Self { plain, compressed, max_plain_bytes, in_flight: Arc::default(), lookups: Arc::default() }
    }

    /// Returns the document at the revision if it is cached and not compressed.
    pub(super) fn find(&self, request: &str, revision: Revision) -> Option<Representation> {
        self.find_shorter(request, revision, usize::MAX)
    }

    /// Returns the document at the revision if it is cached, not compressed, and shorter than `length` bytes.
    pub(super) fn find_shorter(&self, request: &str, revision: Revision, length: usize) -> Option<Representation> {
        let cached = self.find_plain(request, revision).filter(|document| document.body.len() < length)?;
        self.lookups.hits.fetch_add(1, Relaxed);
        Some(cached)
    }

    /// Decompresses or makes a document that [`find`](Self::find) has not found, after `begin`. It keeps the output of
    /// `begin` until then. Concurrent calls for the same revision are coalesced: one makes the document and the others
    /// wait for it.
    ///
    /// If the data has changed since the revision was read, the new document has another revision. It is valid for all
    /// waiting calls, because the calls began before the document was made.
    pub(super) async fn make<Load>(
        &self,
        request: &str,
        revision: Revision,
        begin: impl Future<Output = Result<Load, TooManyLoads>>,
        make: impl Future<Output = Made>,
    ) -> Made {
        self.coalesce(request, revision, self.in_flight(request, revision, Caller::BeginsLoad), begin, make).await
    }

    /// Does the same for a caller that already has a load of the family. It is not coalesced with the calls of
    /// [`make`](Self::make): otherwise, callers with all loads could wait for a call that waits for a load.
    pub(super) async fn make_in_load(
        &self,
        request: &str,
        revision: Revision,
        make: impl Future<Output = Made>,
    ) -> Made {
        let cell = self.in_flight(request, revision, Caller::HasLoad);
        self.coalesce(request, revision, cell, ready(Ok(())), make).await
    }

    async fn coalesce<Load>(
        &self,
        request: &str,
        revision: Revision,
        cell: Arc<OnceCell<Made>>,
        begin: impl Future<Output = Result<Load, TooManyLoads>>,
        make: impl Future<Output = Made>,
    ) -> Made {
        let mut counter = &self.lookups.coalesced;
        let result = cell.get_or_init(|| async {
            // Another call may have made the document after the lookup.
            if let Some(cached) = self.find_plain(request, revision) {
                counter = &self.lookups.hits;
                return Ok(cached);
            }
            let is_compressed = self.compressed.contains(request, revision);
            counter = if is_compressed { &self.lookups.hits } else { &self.lookups.misses };
            let _load = begin.await?;
            // A call that already had a load may have made it during the wait.
            if let Some(cached) = self.find_plain(request, revision) {
                counter = &self.lookups.hits;
                return Ok(cached);
            }
            if let Some(document) = self.compressed.find(request, revision).await {
                self.insert(request, &document, true);
                return Ok(document);
            }
            let document = make.await?;
            self.compressed.forget(request);
            self.insert(request, &document, false);
            Ok(document)
        });
        let result = result.await.clone();
        counter.fetch_add(1, Relaxed);
        result
    }

    pub(super) fn statistics(&self) -> DocumentCacheStatistics {
        DocumentCacheStatistics {
            hits: self.lookups.hits.load(Relaxed),
            misses: self.lookups.misses.load(Relaxed),
            coalesced: self.lookups.coalesced.load(Relaxed),
            documents: self.plain.entry_count() + self.compressed.count(),
            bytes: self.plain.weighted_size() + self.compressed.bytes(),
        }
    }

    fn find_plain(&self, request: &str, revision: Revision) -> Option<Representation> {
        let entry = self.plain.get(request).filter(|entry| entry.document.revision == Some(revision))?;
        // A store would make other cores read the line of memory again.
        if !entry.was_read.load(Relaxed) {
            entry.was_read.store(true, Relaxed);
        }
        Some(entry.document.clone())
    }

    /// Replaces the cached version of a document. A document that is larger than its part of the cache only removes the
    /// cached version.
    fn insert(&self, request: &str, document: &Representation, was_read: bool) {
        if u64::from(entry_size(request, &document.body)) > self.max_plain_bytes {
            self.plain.invalidate(request);
        } else {
            let entry = PlainDocument { document: document.clone(), was_read: AtomicBool::new(was_read) };
            self.plain.insert(request.to_owned(), Arc::new(entry));
        }
    }

    /// Returns the cell of a document that other calls wait for, or a new one. If the call that makes the document is
    /// cancelled, another call makes it.
    fn in_flight(&self, request: &str, revision: Revision, caller: Caller) -> Arc<OnceCell<Made>> {
        let document = (request.to_owned(), revision, caller);
        let mut in_flight = self.lock();
        if let Some(made) = in_flight.get(&document).and_then(Weak::upgrade) {
            return made;
        }
        in_flight.retain(|_, made| made.strong_count() > 0);
        let made = Arc::default();
        in_flight.insert(document, Arc::downgrade(&made));
        made
    }

    /// Ignores a poisoned lock: a panic cannot leave an entry half updated.
    fn lock(&self) -> MutexGuard<'_, InFlight> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the size of a cached document, in bytes.
pub(super) fn entry_size(request: &str, body: &Bytes) -> u32 {
    u32::try_from(request.len() + body.len() + ENTRY_OVERHEAD).unwrap_or(u32::MAX)
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

/// The documents that are being made, by the text of the request, the revision and the caller. A result lives as long as
/// a call for it, so an error is returned only to calls that waited for it. moka's `try_get_with` panics in a call that
/// outlives 200 cancelled ones.
type InFlight = HashMap<(String, Revision, Caller), Weak<OnceCell<Made>>>;

/// Whether the caller already has a load of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Caller {
    BeginsLoad,
    HasLoad,
}

#[cfg(test)]
mod tests;
