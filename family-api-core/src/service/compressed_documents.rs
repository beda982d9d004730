//! The compressed part of the cache of documents.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bytes::Bytes;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::content_coding::ContentCoding;
use crate::resource::Revision;
use crate::service::blocking::run_if_long;
use crate::service::document_cache::{Representation, entry_size};

/// One of this number of evicted documents that nothing has read from the cache is compressed. To compress a document
/// takes a third of the time to make it, which is lost if nothing reads it again.
const UNREAD_PER_COMPRESSED: u32 = 8;

/// Documents that were evicted from the other part of the cache. JSON is compressed with zstd. To decompress a document
/// takes an eighth of the time to make it.
#[derive(Clone)]
pub(super) struct CompressedDocuments {
    cache: Cache<String, Compressed>,
    /// One document at a time is compressed, so that the evicted documents that wait for it take no memory.
    compressing: Arc<Semaphore>,
    unread: Arc<AtomicU32>,
}

#[derive(Clone)]
struct Compressed {
    /// A document that was made in a content coding, or JSON whose body is compressed.
    document: Representation,
    /// The length of the body that is sent, in bytes.
    length: usize,
}

impl CompressedDocuments {
    pub(super) fn with_capacity(max_bytes: u64) -> Self {
        let cache = Cache::builder().max_capacity(max_bytes).eviction_policy(EvictionPolicy::lru());
        let cache = cache.weigher(|request: &String, entry: &Compressed| entry_size(request, &entry.document.body));
        Self { cache: cache.build(), compressing: Arc::new(Semaphore::new(1)), unread: Arc::default() }
    }

    /// Returns whether there is the document at the revision.
    pub(super) fn contains(&self, request: &str, revision: Revision) -> bool {
        self.cache.get(request).is_some_and(|entry| entry.document.revision == Some(revision))
    }

    /// Returns the document at the revision.
    pub(super) async fn find(&self, request: &str, revision: Revision) -> Option<Representation> {
        let Compressed { document, length } = self.cache.get(request)?;
        if document.revision != Some(revision) {
            return None;
        }
        if document.coding != ContentCoding::Identity {
            return Some(document);
        }
        let body = document.body.clone();
        let json = run_if_long(length, move || zstd::bulk::decompress(&body, length)).await.ok()?.ok()?;
        Some(Representation { body: json.into(), ..document })
    }

    /// Removes a document of which there is a newer version.
    pub(super) fn forget(&self, request: &str) {
        self.cache.invalidate(request);
    }

    /// Keeps an evicted document. Compresses JSON in the background if it is likely to be read again, and no other
    /// document is being compressed.
    pub(super) fn offer(&self, request: &str, document: &Representation, was_read: bool) {
        if document.revision.is_none_or(|revision| self.contains(request, revision)) {
            return;
        }
        if document.coding != ContentCoding::Identity {
            self.insert(request, document.clone(), document.body.len());
        } else if was_read || self.unread.fetch_add(1, Relaxed).is_multiple_of(UNREAD_PER_COMPRESSED) {
            self.compress(request, document);
        }
    }

    fn compress(&self, request: &str, document: &Representation) {
        let permit = Arc::clone(&self.compressing).try_acquire_owned();
        let (Ok(runtime), Ok(permit)) = (Handle::try_current(), permit) else { return };
        let documents = self.clone();
        let request = request.to_owned();
        let document = document.clone();
        runtime.spawn_blocking(move || {
            let _permit = permit;
            let length = document.body.len();
            if let Ok(body) = ContentCoding::Zstd.encode(&document.body)
                && body.len() < length
            {
                documents.insert(&request, Representation { body: Bytes::from(body), ..document }, length);
            }
        });
    }

    fn insert(&self, request: &str, document: Representation, length: usize) {
        self.cache.insert(request.to_owned(), Compressed { document, length });
    }

    #[cfg(test)]
    pub(super) fn is_compressing(&self) -> bool {
        self.compressing.available_permits() == 0
    }

    #[cfg(test)]
    pub(super) fn run_pending_tasks(&self) {
        self.cache.run_pending_tasks();
    }

    pub(super) fn count(&self) -> u64 {
        self.cache.entry_count()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.cache.weighted_size()
    }
}
