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

/// One of this number of documents that nothing has found in the cache is compressed. To compress a document takes a
/// third of the time to make it, which is lost if nothing reads it again.
const FOUND_NEVER: u32 = 8;

/// Documents that were evicted from the other part of the cache, compressed with zstd. To decompress a document takes
/// an eighth of the time to make it.
#[derive(Clone)]
pub(super) struct CompressedDocuments {
    cache: Cache<String, Compressed>,
    /// One document at a time is compressed, so that the evicted documents that wait for it take no memory.
    compressing: Arc<Semaphore>,
    found_never: Arc<AtomicU32>,
}

/// A compressed document. `document.body` is what zstd has made of `length` bytes.
#[derive(Clone)]
struct Compressed {
    document: Representation,
    length: usize,
}

impl CompressedDocuments {
    pub(super) fn with_capacity(max_bytes: u64) -> Self {
        let cache = Cache::builder().max_capacity(max_bytes).eviction_policy(EvictionPolicy::lru());
        let cache = cache.weigher(|request: &String, entry: &Compressed| entry_size(request, &entry.document.body));
        Self { cache: cache.build(), compressing: Arc::new(Semaphore::new(1)), found_never: Arc::default() }
    }

    /// Returns the document at the revision.
    pub(super) async fn find(&self, request: &str, revision: Revision) -> Option<Representation> {
        let Compressed { document, length } = self.cache.get(request)?;
        if document.revision != Some(revision) {
            return None;
        }
        let body = document.body.clone();
        let json = run_if_long(length, move || zstd::bulk::decompress(&body, length)).await.ok()?.ok()?;
        Some(Representation { body: json.into(), ..document })
    }

    /// Removes a document of which there is a newer version.
    pub(super) fn forget(&self, request: &str) {
        self.cache.invalidate(request);
    }

    /// Compresses a document in the background if it is likely to be read again, and no other one is being compressed.
    pub(super) fn offer(&self, request: &str, document: &Representation, was_found: bool) {
        let is_compressed =
            || self.cache.get(request).is_some_and(|entry| entry.document.revision == document.revision);
        if document.coding != ContentCoding::Identity || is_compressed() {
            return;
        }
        if !was_found && !self.found_never.fetch_add(1, Relaxed).is_multiple_of(FOUND_NEVER) {
            return;
        }
        let permit = Arc::clone(&self.compressing).try_acquire_owned();
        if let (Ok(runtime), Ok(permit)) = (Handle::try_current(), permit) {
            let (cache, request, document) = (self.cache.clone(), request.to_owned(), document.clone());
            runtime.spawn_blocking(move || {
                let _permit = permit;
                let length = document.body.len();
                if let Ok(body) = ContentCoding::Zstd.encode(&document.body)
                    && body.len() < length
                {
                    let document = Representation { body: Bytes::from(body), ..document };
                    cache.insert(request, Compressed { document, length });
                }
            });
        }
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
