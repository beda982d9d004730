//! The limits on requests: size, time, concurrency, memory and invalid credentials.

use salvo::Router;

use crate::body::BodyLimit;
use crate::guard::{
    CredentialSource, HeaderLimit, KnownFirst, LoadShed, PeerLimit, TimeoutGuard, UnknownCredentials,
    UnreadResponseLimit,
};

/// The limits of all routes but the OpenAPI document, its page, the assets and the metadata of OAuth (HTTP reference,
/// "Limits").
pub(crate) struct Limits {
    pub(crate) body: BodyLimit,
    pub(crate) headers: Option<HeaderLimit>,
    pub(crate) timeout: Option<TimeoutGuard>,
    pub(crate) in_flight: Option<LoadShed>,
    pub(crate) unknown: UnknownCredentials,
    pub(crate) unread_responses: Option<UnreadResponseLimit>,
    pub(crate) invalid_tokens: Option<PeerLimit>,
    /// Counts invalid sessions. They have a count of their own, because a signed-out browser sends its cookies with
    /// every request.
    pub(crate) invalid_sessions: Option<PeerLimit>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: BodyLimit::default(),
            headers: Some(HeaderLimit::default()),
            timeout: Some(TimeoutGuard::default()),
            in_flight: Some(LoadShed::default()),
            unknown: UnknownCredentials::default(),
            unread_responses: Some(UnreadResponseLimit::default()),
            invalid_tokens: Some(PeerLimit::of_invalid_credentials()),
            invalid_sessions: Some(PeerLimit::of_invalid_credentials()),
        }
    }
}

impl Limits {
    /// Adds the limits that do not need an authenticated caller. The cheapest check runs first.
    ///
    /// `source` is where the routes expect the credential of a request.
    pub(crate) fn apply(&self, mut router: Router, source: CredentialSource) -> Router {
        if let Some(headers) = self.headers {
            router = router.hoop(headers);
        }
        if let Some(timeout) = self.timeout {
            router = router.hoop(timeout);
        }
        if let Some(in_flight) = &self.in_flight {
            let invalid = match source {
                CredentialSource::Session(_) => &self.invalid_sessions,
                CredentialSource::Token(..) | CredentialSource::Body => &self.invalid_tokens,
            };
            router = router.hoop(KnownFirst {
                load_shed: in_flight.clone(),
                unknown: self.unknown.clone(),
                invalid: invalid.clone(),
                source,
            });
        }
        match &self.unread_responses {
            Some(limit) => router.hoop(limit.clone()),
            None => router,
        }
    }
}
