//! A cache of responses with their entity tags (RFC 9110, section 8.8.3), so that the service need not resend unchanged
//! data.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use reqwest::Url;
use reqwest::header::HeaderValue;

/// A response body and its entity tag.
#[derive(Clone)]
pub(crate) struct CachedResponse {
    pub(crate) tag: HeaderValue,
    pub(crate) body: Bytes,
}

/// An LRU cache with a maximum size in bytes. The URL alone is the key, because one client has one token.
pub(crate) struct Cache {
    max_bytes: usize,
    entries: Mutex<VecDeque<(Url, CachedResponse)>>,
}

impl Cache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, entries: Mutex::default() }
    }

    /// Returns the cached response of a URL and marks it as recently used.
    pub(crate) fn find(&self, url: &Url) -> Option<CachedResponse> {
        let mut entries = self.entries();
        let index = entries.iter().position(|(other, _)| other == url)?;
        let entry = entries.remove(index)?;
        let cached = entry.1.clone();
        entries.push_back(entry);
        Some(cached)
    }

    /// Replaces the cached response of a URL. Evicts the least recently used responses if the cache exceeds its limit.
    ///
    /// A response that alone exceeds the limit is not cached. The body is copied, because `Bytes` from a connection may
    /// keep a larger buffer alive.
    pub(crate) fn insert(&self, url: Url, tag: &HeaderValue, body: &Bytes) {
        self.remove(&url);
        let Ok(tag) = HeaderValue::from_bytes(tag.as_bytes()) else { return };
        let entry = (url, CachedResponse { tag, body: Bytes::copy_from_slice(body) });
        if size(&entry) > self.max_bytes {
            return;
        }
        let mut entries = self.entries();
        entries.push_back(entry);
        let mut bytes: usize = entries.iter().map(size).sum();
        while bytes > self.max_bytes {
            let Some(oldest) = entries.pop_front() else { break };
            bytes -= size(&oldest);
        }
    }

    pub(crate) fn remove(&self, url: &Url) {
        self.entries().retain(|(other, _)| other != url);
    }

    /// Locks the entries. Ignores poisoning, because a panic cannot leave a partial entry.
    fn entries(&self) -> MutexGuard<'_, VecDeque<(Url, CachedResponse)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the approximate size of an entry in bytes.
fn size((url, cached): &(Url, CachedResponse)) -> usize {
    const OVERHEAD: usize = 200;
    url.as_str().len() + cached.tag.len() + cached.body.len() + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(n: u32) -> Url {
        format!("https://h/{n}").parse().unwrap()
    }

    fn insert(cache: &Cache, n: u32, bytes: usize) {
        cache.insert(url(n), &HeaderValue::from_static("\"t\""), &vec![0; bytes].into());
    }

    fn cached_urls(cache: &Cache) -> Vec<u32> {
        (0..9).filter(|n| cache.entries().iter().any(|(other, _)| *other == url(*n))).collect()
    }

    #[test]
    fn least_recently_used_responses_are_evicted_at_the_limit() {
        let cache = Cache::new(3_000);
        for n in 0..3 {
            insert(&cache, n, 700);
        }
        assert_eq!(cache.find(&url(0)).unwrap().body.len(), 700);
        insert(&cache, 3, 700);
        assert_eq!(cached_urls(&cache), [0, 2, 3]);
        insert(&cache, 2, 1);
        assert_eq!((cached_urls(&cache), cache.find(&url(2)).unwrap().body.len()), (vec![0, 2, 3], 1));
        insert(&cache, 4, 5_000);
        insert(&cache, 0, 5_000);
        assert_eq!(cached_urls(&cache), [2, 3]);
        cache.remove(&url(2));
        assert_eq!(cached_urls(&cache), [3]);
    }
}
