//! The numbers of the API, for a host's metrics.

use crate::service::FamilyApi;
use crate::service::document_cache::DocumentCache;

/// The numbers of a [`FamilyApi`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The document cache, or `None` without one.
    pub document_cache: Option<DocumentCacheStatistics>,
}

/// The numbers of the document cache. Counters start at 0 when the API is built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentCacheStatistics {
    /// Counter: lookups that found the current version.
    pub hits: u64,
    /// Counter: lookups that made the document.
    pub misses: u64,
    /// Counter: lookups that waited for another lookup, which made the document.
    pub coalesced: u64,
    /// Approximate number of documents in the cache.
    pub documents: u64,
    /// Approximate size of the cache, in bytes.
    pub bytes: u64,
}

impl FamilyApi {
    /// Returns the numbers of the API, for a host's metrics.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics { document_cache: self.documents.as_ref().map(DocumentCache::statistics) }
    }
}
