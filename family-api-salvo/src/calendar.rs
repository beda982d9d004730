//! Serves calendar feeds to calendar programs (HTTP reference, "Reading a calendar feed").
//!
//! The secret of a feed is in its path. So the path must not be logged, and neither a cookie nor a token is read.

use std::sync::Arc;

use family_api_core::{EntityTag, Error, FamilyApi, ReadOutcome, paths};
use salvo::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderName, HeaderValue, ResBody, StatusCode};
use salvo::routing::PathState;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

use crate::HttpError;
use crate::guard::{CredentialSource, InFlightPermit, Limits, PeerLimit};
use crate::methods::Methods;
use crate::request_headers::if_none_match;

/// Keeps feeds out of search engines. `robots.txt` must not: Google Calendar can ask it before it reads a feed.
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// The beginning of each secret.
const SECRET_PREFIX: &str = "famcal_";

/// Builds the router of the feeds.
pub(crate) fn calendar_router(api: &FamilyApi, limits: &Limits) -> Router {
    let feed = GetFeed { api: Arc::new(api.clone()), unknown: limits.invalid_tokens.clone() };
    let router = limits.apply(Router::new(), CredentialSource::Feed(Box::new(api.clone())));
    // Other files of the host below the same path stay with the host.
    let is_feed = |req: &mut Request, _: &mut PathState<'_>| secret_in(req.uri().path()).is_some();
    router.push(Methods::new().get(feed).at(paths::CALENDAR).filter_fn(is_feed))
}

/// Returns the secret of the feed that the request names.
pub(crate) fn secret_of(req: &Request) -> Option<&str> {
    secret_in(req.uri().path())
}

/// Returns the last segment of a path without its ending, if it has the form of a secret.
fn secret_in(path: &str) -> Option<&str> {
    let (_, file) = path.rsplit_once('/')?;
    file.strip_suffix(".ics").filter(|secret| secret.starts_with(SECRET_PREFIX))
}

struct GetFeed {
    api: Arc<FamilyApi>,
    /// Counts unknown secrets.
    unknown: Option<PeerLimit>,
}

impl GetFeed {
    /// Reads the feed. The permit of an unknown secret is exchanged as soon as the secret is found, before the feed is
    /// made.
    async fn read(&self, req: &Request) -> Result<ReadOutcome, Error> {
        let admitted = self.api.admit_feed(secret_of(req).unwrap_or_default()).await;
        let feed = admitted.inspect_err(|error| match error {
            Error::NotFound => InFlightPermit::credential_refused(req, &Error::InvalidToken),
            error => InFlightPermit::credential_refused(req, error),
        })?;
        InFlightPermit::credential_accepted(req).await?;
        feed.get(if_none_match(req).as_ref()).await
    }

    /// An unknown secret gets no body, because no program shows it. Above the limit of its address, it gets 429.
    fn refuse(&self, req: &Request, res: &mut Response, error: Error) {
        match error {
            Error::NotFound => match self.unknown.as_ref().map_or(Ok(()), |limit| limit.count(req)) {
                Ok(()) => {
                    res.status_code(StatusCode::NOT_FOUND);
                    // An empty body prevents the framework from adding its own error page.
                    res.replace_body(ResBody::Once(Vec::new().into()));
                }
                Err(limited) => res.render(HttpError::from(Error::from(limited))),
            },
            error => res.render(HttpError::from(error)),
        }
    }
}

#[async_trait]
impl Handler for GetFeed {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let headers = res.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
        match self.read(req).await {
            Ok(ReadOutcome::Unchanged(tag)) => {
                res.status_code(StatusCode::NOT_MODIFIED);
                set_tag(res, &tag);
            }
            Ok(ReadOutcome::Document { tag, body, .. }) => {
                res.status_code(StatusCode::OK);
                set_tag(res, &tag);
                res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8"));
                res.headers_mut().insert(CONTENT_DISPOSITION, HeaderValue::from_static("inline"));
                res.replace_body(ResBody::Once(body));
            }
            Err(error) => self.refuse(req, res, error),
        }
    }
}

fn set_tag(res: &mut Response, tag: &EntityTag) {
    // Always a valid header value: a tag contains only visible ASCII.
    if let Ok(tag) = HeaderValue::try_from(tag.as_str()) {
        res.headers_mut().insert(ETAG, tag);
    }
}
