//! A request that was let in: what its handler works with.

use std::str::FromStr;
use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::change::{Json, Reference};
use family_api_core::{Error, FamilyApi};
use salvo::{Depot, Request};

use crate::SessionAuthenticator;
use crate::body::{BodyLimit, MediaTypes, read_json};
use crate::guard::UnreadAnswers;

/// Left in the depot by a guard; without it there is no handler.
pub(crate) struct Call {
    pub(crate) api: FamilyApi,
    pub(crate) caller: Caller,
    pub(crate) body_limit: BodyLimit,
    /// Asked again when the body is there, for a session that only the host can look up.
    pub(crate) host_session: Option<Arc<dyn SessionAuthenticator>>,
}

impl Call {
    pub(crate) fn of(depot: &Depot) -> Result<&Self, Error> {
        depot.get_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }

    /// The body of a PATCH, if there is room for its answer.
    pub(crate) async fn patch(&self, req: &mut Request, depot: &Depot) -> Result<Json, Error> {
        let body = self.body(req, depot, MediaTypes::JsonOrMergePatch).await?;
        UnreadAnswers::check(req)?;
        Ok(body)
    }

    /// The body of a POST.
    pub(crate) async fn post(&self, req: &mut Request, depot: &Depot) -> Result<Json, Error> {
        self.body(req, depot, MediaTypes::Json).await
    }

    /// The body, if the session that it was sent in has not ended while it was on its way.
    async fn body(&self, req: &mut Request, depot: &Depot, types: MediaTypes) -> Result<Json, Error> {
        let body = read_json(req, self.body_limit, types).await;
        if let Some(session) = &self.host_session {
            let signed_in = session.user(req, depot).await?;
            signed_in.filter(|signed_in| signed_in.user == *self.caller.user()).ok_or(Error::NotSignedIn)?;
        }
        body
    }
}

/// The record that the path names, if what stands there is an id.
pub(crate) fn record<I: FromStr>(req: &Request) -> Reference<I> {
    req.params().get("id").map_or(Reference::Nothing, |id| id.as_str().into())
}
