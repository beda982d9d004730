//! Sheds load so that requests with unknown credentials cannot fill the permits of the others. A credential is known if
//! it was accepted recently.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use family_api_core::{Endpoint, Error, FamilyApi};
use salvo::http::header::AUTHORIZATION;
use salvo::http::{HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::sync::Semaphore;

use crate::HttpError;
use crate::calendar::secret_of;
use crate::guard::{InFlightPermit, LoadShed, PeerLimit};

/// Maximum number of unknown tokens that are looked up at the same time. The storage finds them with one statement.
const MAX_TOKENS: usize = 8;

/// Maximum number of unknown sessions that are looked up at the same time, of unknown feeds, and of concurrent requests
/// to the token endpoint and its neighbours. Each such request uses a connection of the storage. By default, SQLite reads with 4
/// connections and PostgreSQL has 10, so a flood of either kind leaves some free.
const MAX_OTHERS: usize = 2;

/// The same for requests from addresses that have reached the limit of invalid tokens.
const MAX_LIMITED: usize = 1;

/// Where a request presents its credential.
#[derive(Clone)]
pub(crate) enum CredentialSource {
    /// In `Authorization`, as a token for this endpoint.
    Token(Box<FamilyApi>, Endpoint),
    /// In this header, as a session.
    Session(HeaderName),
    /// In the path, as the secret of a calendar feed.
    Feed(Box<FamilyApi>),
    /// In the body, as a code or a token. It is never known.
    #[cfg_attr(not(feature = "oauth"), expect(dead_code, reason = "only the routes of OAuth read it"))]
    Body,
}

impl CredentialSource {
    /// Returns the hash of the credential that a request presents, or `None` without a credential.
    fn hash_of(&self, req: &Request, known: &KnownCredentials) -> Option<u64> {
        match self {
            Self::Token(..) => known.hash_of(req, &AUTHORIZATION),
            Self::Session(header) => known.hash_of(req, header),
            Self::Feed(_) => secret_of(req).map(|secret| known.hasher.hash_one(secret)),
            Self::Body => None,
        }
    }

    /// Returns whether a lookup of the credential can succeed.
    fn is_plausible(&self, req: &Request) -> bool {
        match self {
            Self::Token(api, endpoint) => {
                let headers = req.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
                api.has_plausible_token(headers, *endpoint)
            }
            Self::Feed(api) => secret_of(req).is_some_and(|secret| api.is_plausible_feed(secret)),
            Self::Session(_) | Self::Body => true,
        }
    }
}

/// The permits of requests with unknown credentials, by the kind of the credential. Clones share them.
///
/// A fault that makes the lookups of one kind slow does not delay the others.
#[derive(Debug, Clone)]
pub(crate) struct UnknownCredentials {
    tokens: Queue,
    sessions: Queue,
    feeds: Queue,
    bodies: Queue,
}

impl Default for UnknownCredentials {
    fn default() -> Self {
        Self {
            tokens: Queue::new(MAX_TOKENS),
            sessions: Queue::new(MAX_OTHERS),
            feeds: Queue::new(MAX_OTHERS),
            bodies: Queue::new(MAX_OTHERS),
        }
    }
}

/// The permits of one kind. Requests get them in the order of their arrival.
#[derive(Debug, Clone)]
struct Queue {
    /// The credentials of this kind that are known. A client can write one session in many ways, because only the host
    /// knows the parts of its header. So sessions cannot make tokens unknown.
    known: Arc<KnownCredentials>,
    permits: Arc<Semaphore>,
    /// The permits of addresses that have reached the limit of invalid tokens.
    limited: Arc<Semaphore>,
}

impl Queue {
    fn new(max: usize) -> Self {
        Self {
            known: Arc::default(),
            permits: Arc::new(Semaphore::new(max)),
            limited: Arc::new(Semaphore::new(MAX_LIMITED)),
        }
    }
}

/// Limits the number of concurrent requests as [`LoadShed`] does, for requests whose credential was accepted recently.
///
/// Other requests wait for one of a few permits until their credential is accepted, so a flood of made-up credentials
/// delays only other credentials that are not known. A request from an address that has reached the limit of invalid
/// credentials of its kind waits in a queue of its own. A token that cannot be genuine needs no permit, because it is
/// not looked up.
#[derive(Clone)]
pub(crate) struct KnownFirst {
    pub(crate) load_shed: LoadShed,
    pub(crate) unknown: UnknownCredentials,
    pub(crate) invalid: Option<PeerLimit>,
    pub(crate) source: CredentialSource,
}

impl KnownFirst {
    /// Returns `None` if the request needs no permit.
    async fn permit(&self, req: &Request) -> Result<Option<InFlightPermit>, Error> {
        let (queue, permits) = (self.queue(), self.load_shed.permits());
        let hash = self.source.hash_of(req, &queue.known);
        // The endpoints of tokens count the invalid ones themselves, because they answer with the limit.
        let is_session = matches!(self.source, CredentialSource::Session(_));
        let invalid = if is_session { self.invalid.clone() } else { None };
        let credential = hash.map(|hash| PresentedCredential::new(&queue.known, hash, invalid));
        if hash.is_some_and(|hash| queue.known.contains(hash)) {
            return InFlightPermit::try_acquire(permits, credential).map(Some);
        }
        if !self.source.is_plausible(req) {
            return Ok(None);
        }
        let is_limited = self.invalid.as_ref().is_some_and(|limit| limit.is_reached(req));
        let first = if is_limited { &queue.limited } else { &queue.permits };
        InFlightPermit::acquire(first, permits, credential).await.map(Some)
    }

    fn queue(&self) -> &Queue {
        match self.source {
            CredentialSource::Token(..) => &self.unknown.tokens,
            CredentialSource::Session(_) => &self.unknown.sessions,
            CredentialSource::Feed(_) => &self.unknown.feeds,
            CredentialSource::Body => &self.unknown.bodies,
        }
    }
}

#[async_trait]
impl Handler for KnownFirst {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match self.permit(req).await {
            Ok(permit) => {
                self.load_shed.attach(req);
                let _held = permit.map(|permit| permit.hold(req));
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                res.render(HttpError::Api(error));
                ctrl.skip_rest();
            }
        }
    }
}

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
        let is_token = header == AUTHORIZATION;
        let mut hasher = self.hasher.build_hasher();
        let mut count = 0_usize;
        for value in values {
            // The hash of a slice includes its length.
            if is_token { without_scheme(value) } else { value }.hash(&mut hasher);
            count += 1;
        }
        (count > 0).then(|| hasher.finish())
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
