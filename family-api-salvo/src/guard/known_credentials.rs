//! Remembers which credentials were accepted recently.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use salvo::Request;
use salvo::http::header::AUTHORIZATION;
use salvo::http::{HeaderName, HeaderValue};

use crate::guard::PeerLimit;

/// Maximum number of credentials in a generation. At 8 bytes for a credential, both generations take about 500 KiB.
const MAX_IN_GENERATION: usize = 16_384;

/// The credentials whose last request was accepted. Only the order in which requests get permits depends on it: each
/// request is authenticated, whether its credential is known or not.
///
/// The set contains a hash of each credential, with a random key, and never the credential. When a generation is full,
/// the one before it is forgotten. Only valid credentials get into the set, so requests with made-up ones cannot fill
/// it.
pub(crate) struct KnownCredentials {
    hasher: RandomState,
    accepted: Mutex<Accepted>,
    max: usize,
}

#[derive(Default)]
struct Accepted {
    current: HashSet<u64>,
    previous: HashSet<u64>,
}

impl Default for KnownCredentials {
    fn default() -> Self {
        Self { hasher: RandomState::new(), accepted: Mutex::default(), max: MAX_IN_GENERATION }
    }
}

impl KnownCredentials {
    /// Returns the hash of the credential that a request presents in this header, or `None` without the header. A token
    /// has one hash, however its scheme is written.
    pub(super) fn hash_of(&self, req: &Request, header: &HeaderName) -> Option<u64> {
        let values = req.headers().get_all(header).iter().map(HeaderValue::as_bytes);
        let values: Vec<&[u8]> =
            if header == AUTHORIZATION { values.map(without_scheme).collect() } else { values.collect() };
        if values.is_empty() {
            return None;
        }
        Some(self.hasher.hash_one(values))
    }

    pub(super) fn contains(&self, credential: u64) -> bool {
        let accepted = self.accepted();
        accepted.current.contains(&credential) || accepted.previous.contains(&credential)
    }

    fn insert(&self, credential: u64) {
        let mut accepted = self.accepted();
        if accepted.current.contains(&credential) {
            return;
        }
        if accepted.current.len() >= self.max {
            accepted.previous = take(&mut accepted.current);
        }
        accepted.current.insert(credential);
    }

    fn remove(&self, credential: u64) {
        let mut accepted = self.accepted();
        accepted.current.remove(&credential);
        accepted.previous.remove(&credential);
    }

    /// Ignores poisoning: a panic cannot leave the sets inconsistent.
    fn accepted(&self) -> MutexGuard<'_, Accepted> {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for KnownCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownCredentials").field("max", &self.max).finish_non_exhaustive()
    }
}

/// Returns what follows the last space: the token after `Bearer`.
fn without_scheme(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    value.rsplit(u8::is_ascii_whitespace).next().unwrap_or(value)
}

/// The credential of a request.
#[derive(Debug)]
pub(crate) struct PresentedCredential {
    known: Arc<KnownCredentials>,
    hash: u64,
    /// Counts the credential if it is refused. `None` if the endpoint counts it.
    invalid: Option<PeerLimit>,
}

impl PresentedCredential {
    pub(super) fn new(known: &Arc<KnownCredentials>, hash: u64, invalid: Option<PeerLimit>) -> Self {
        Self { known: Arc::clone(known), hash, invalid }
    }

    pub(super) fn remember(&self) {
        self.known.insert(self.hash);
    }

    /// Forgets the credential of a request, which is not valid, and counts it.
    pub(super) fn forget(&self, req: &Request) {
        self.known.remove(self.hash);
        if let Some(invalid) = &self.invalid {
            // Above the limit, later credentials of the address wait in another queue. This one was looked up already.
            let _ = invalid.count(req);
        }
    }
}

#[cfg(test)]
mod tests {
    use salvo::http::header::{AUTHORIZATION, COOKIE};

    use super::*;

    #[test]
    fn a_full_generation_replaces_the_one_before_it() {
        let known = KnownCredentials { max: 2, ..KnownCredentials::default() };
        let known_of = |known: &KnownCredentials| (1..=5).filter(|number| known.contains(*number)).collect::<Vec<_>>();
        for number in 1..=4 {
            known.insert(number);
            known.insert(number);
        }
        assert_eq!(known_of(&known), [1, 2, 3, 4]);
        known.insert(5);
        assert_eq!(known_of(&known), [3, 4, 5]);
        known.remove(3);
        known.remove(5);
        assert_eq!(known_of(&known), [4]);
    }

    #[test]
    fn a_credential_is_the_value_of_its_header() {
        let known = KnownCredentials::default();
        let hash = |header: &HeaderName, values: &[&str]| {
            let mut req = Request::new();
            for value in values {
                req.headers_mut().append(header, value.parse().unwrap());
            }
            known.hash_of(&req, header)
        };
        assert_eq!(hash(&COOKIE, &[]), None);
        assert_eq!(hash(&COOKIE, &["a"]), hash(&COOKIE, &["a"]));
        let hashes = [hash(&COOKIE, &["a"]), hash(&COOKIE, &["b"]), hash(&COOKIE, &["a", "b"]), hash(&COOKIE, &["ab"])];
        assert_eq!(HashSet::from(hashes).len(), hashes.len());
        assert_eq!(hash(&AUTHORIZATION, &["Bearer a"]), hash(&AUTHORIZATION, &["bearer  a "]));
        assert_ne!(hash(&AUTHORIZATION, &["Bearer a"]), hash(&AUTHORIZATION, &["Bearer b"]));
    }
}
