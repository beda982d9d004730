//! Answers that are kept with their entity tags (RFC 9110, section 8.8.3), so that what has not changed is not sent again.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use reqwest::Url;
use reqwest::header::HeaderValue;

/// An answer, and the tag that names its version.
#[derive(Clone)]
pub(crate) struct Cached {
    pub(crate) tag: HeaderValue,
    pub(crate) body: Bytes,
}

/// The answers that were used last, within a bound of bytes; one client has one token, so a URL tells them apart.
pub(crate) struct Cache {
    max_bytes: usize,
    entries: Mutex<VecDeque<(Url, Cached)>>,
}

impl Cache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, entries: Mutex::default() }
    }

    /// The answer that is kept for a URL.
    pub(crate) fn find(&self, url: &Url) -> Option<Cached> {
        let mut entries = self.entries();
        let place = entries.iter().position(|(other, _)| other == url)?;
        let entry = entries.remove(place)?;
        let cached = entry.1.clone();
        entries.push_back(entry);
        Some(cached)
    }

    /// Keeps an answer instead of an earlier one, and drops the least recently used ones that are too much; one that is
    /// too much by itself is not kept.
    ///
    /// It is copied, since what comes over a connection is a part of something larger.
    pub(crate) fn insert(&self, url: Url, tag: &HeaderValue, body: &Bytes) {
        self.remove(&url);
        let Ok(tag) = HeaderValue::from_bytes(tag.as_bytes()) else { return };
        let entry = (url, Cached { tag, body: Bytes::copy_from_slice(body) });
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

    /// Whoever panicked held a whole entry or none.
    fn entries(&self) -> MutexGuard<'_, VecDeque<(Url, Cached)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an entry takes, roughly.
fn size((url, cached): &(Url, Cached)) -> usize {
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

    fn kept(cache: &Cache) -> Vec<u32> {
        (0..9).filter(|n| cache.entries().iter().any(|(other, _)| *other == url(*n))).collect()
    }

    #[test]
    fn the_least_recently_used_answers_go_first_and_the_bound_holds() {
        let cache = Cache::new(3_000);
        for n in 0..3 {
            insert(&cache, n, 700);
        }
        assert_eq!(cache.find(&url(0)).unwrap().body.len(), 700);
        insert(&cache, 3, 700);
        assert_eq!(kept(&cache), [0, 2, 3]);
        insert(&cache, 2, 1);
        assert_eq!((kept(&cache), cache.find(&url(2)).unwrap().body.len()), (vec![0, 2, 3], 1));
        insert(&cache, 4, 5_000);
        insert(&cache, 0, 5_000);
        assert_eq!(kept(&cache), [2, 3]);
        cache.remove(&url(2));
        assert_eq!(kept(&cache), [3]);
    }
}
