//! The authenticated caller of a request, and the API that the request calls.

use std::str::FromStr;
use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::validation::{Json, Reference};
use family_api_core::{ContentCoding, Error, FamilyApi};
use salvo::http::HeaderValue;
use salvo::http::header::ACCEPT_ENCODING;
use salvo::{Depot, Request};

use crate::accept_encoding;
use crate::body::{BodyLimit, MediaTypes, read_json};
use crate::guard::UnreadResponseLimit;
use crate::{HttpError, SessionAuthenticator};

/// The data that the guards pass to a handler. The bearer and session guards store it in the depot.
pub(crate) struct RequestContext {
    /// Shared, because a clone of the API increments many counters.
    pub(crate) api: Arc<FamilyApi>,
    pub(crate) caller: Caller,
    pub(crate) body_limit: BodyLimit,
    /// Whether the resources are compressed. The session routes return none.
    pub(crate) compression: bool,
    /// Checks the session again after the body has been read. `Some` only for sessions that the host stores itself.
    pub(crate) host_session: Option<Arc<dyn SessionAuthenticator>>,
}

impl RequestContext {
    pub(crate) fn of(depot: &Depot) -> Result<&Self, Error> {
        depot.get_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }

    /// Moves the context out of the depot, for a handler that shares it with another task.
    #[cfg(feature = "mcp")]
    pub(crate) fn take(depot: &mut Depot) -> Result<Self, Error> {
        depot.remove_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }

    /// Returns the content coding that the client prefers for a resource, or `None` if resources are not compressed.
    pub(crate) fn coding(&self, req: &Request) -> Option<ContentCoding> {
        let lines = req.headers().get_all(ACCEPT_ENCODING);
        self.compression.then(|| accept_encoding::preferred(lines.iter().map(HeaderValue::as_bytes)))
    }

    /// Reads the body of a PATCH. Fails if unread responses have reached the memory limit.
    pub(crate) async fn patch_body(&self, req: &mut Request, depot: &Depot) -> Result<Json, HttpError> {
        let body = self.body(req, depot, MediaTypes::JsonOrMergePatch).await?;
        UnreadResponseLimit::check(req)?;
        Ok(body)
    }

    /// Reads the body of a POST that creates a record. Fails if unread responses have reached the memory limit.
    pub(crate) async fn new_record_body(&self, req: &mut Request, depot: &Depot) -> Result<Json, HttpError> {
        let body = self.post_body(req, depot).await?;
        UnreadResponseLimit::check(req)?;
        Ok(body)
    }

    /// Reads the body of a POST.
    pub(crate) async fn post_body(&self, req: &mut Request, depot: &Depot) -> Result<Json, HttpError> {
        self.body(req, depot, MediaTypes::Json).await
    }

    /// Reads the body, and then looks a host session up again. Fails if that session ended while the body was arriving.
    ///
    /// A request of a batch has its body as an extension: it arrived and was parsed with the batch.
    async fn body(&self, req: &mut Request, depot: &Depot, types: MediaTypes) -> Result<Json, HttpError> {
        if let Some(body) = req.extensions_mut().remove::<Json>() {
            return Ok(body);
        }
        let body = read_json(req, self.body_limit, types).await;
        if let Some(session) = &self.host_session {
            let signed_in = session.user(req, depot).await?;
            signed_in.filter(|signed_in| signed_in.user == *self.caller.user()).ok_or(Error::NotSignedIn)?;
        }
        body
    }
}

/// Returns the `{id}` of the path, or `None` if the path has none.
pub(crate) fn path_id(req: &Request) -> Option<&str> {
    req.params().get("id").map(String::as_str)
}

/// Returns the `{id}` of the path as a reference to a record, a key or a connection.
pub(crate) fn path_reference<I: FromStr>(req: &Request) -> Reference<I> {
    path_id(req).map_or(Reference::Invalid, Reference::from)
}
