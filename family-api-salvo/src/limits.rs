//! The limits of a request: size, time, concurrency and memory.

use salvo::Router;

use crate::body::BodyLimit;
use crate::guard::{Failures, HeaderLimit, LoadShed, TimeoutGuard, UnreadAnswers};

/// The limits that apply to all routes (HTTP reference, "Limits").
pub(crate) struct Limits {
    pub(crate) body: BodyLimit,
    pub(crate) headers: Option<HeaderLimit>,
    pub(crate) time: Option<TimeoutGuard>,
    pub(crate) in_flight: Option<LoadShed>,
    pub(crate) unread: Option<UnreadAnswers>,
    pub(crate) failures: Option<Failures>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: BodyLimit::default(),
            headers: Some(HeaderLimit::default()),
            time: Some(TimeoutGuard::default()),
            in_flight: Some(LoadShed::default()),
            unread: Some(UnreadAnswers::default()),
            failures: Some(Failures::default()),
        }
    }
}

impl Limits {
    /// Adds the limits that do not need an authenticated caller, the cheapest first.
    pub(crate) fn apply(&self, mut router: Router) -> Router {
        if let Some(headers) = self.headers {
            router = router.hoop(headers);
        }
        if let Some(time) = self.time {
            router = router.hoop(time);
        }
        if let Some(in_flight) = &self.in_flight {
            router = router.hoop(in_flight.clone());
        }
        match &self.unread {
            Some(unread) => router.hoop(unread.clone()),
            None => router,
        }
    }
}
