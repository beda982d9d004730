//! The context of an authenticated request.

use std::str::FromStr;
use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::change::{Json, Reference};
use family_api_core::{Error, FamilyApi};
use salvo::{Depot, Request};

use crate::SessionAuthenticator;
use crate::body::{BodyLimit, MediaTypes, read_json};
use crate::guard::UnreadAnswers;

/// The context that the bearer and session guards store in the depot for the handlers.
pub(crate) struct Call {
    pub(crate) api: FamilyApi,
    pub(crate) caller: Caller,
    pub(crate) body_limit: BodyLimit,
    /// Checks the session again after the body has been read. Only for sessions that the host stores itself.
    pub(crate) host_session: Option<Arc<dyn SessionAuthenticator>>,
}

impl Call {
    pub(crate) fn of(depot: &Depot) -> Result<&Self, Error> {
        depot.get_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }

    /// Reads the body of a PATCH. Fails if there is no memory left for its response.
    pub(crate) async fn patch_body(&self, req: &mut Request, depot: &Depot) -> Result<Json, Error> {
        let body = self.body(req, depot, MediaTypes::JsonOrMergePatch).await?;
        UnreadAnswers::check(req)?;
        Ok(body)
    }

    /// Reads the body of a POST.
    pub(crate) async fn post_body(&self, req: &mut Request, depot: &Depot) -> Result<Json, Error> {
        self.body(req, depot, MediaTypes::Json).await
    }

    /// Reads the body. Fails if the session ended while the body was arriving.
    async fn body(&self, req: &mut Request, depot: &Depot, types: MediaTypes) -> Result<Json, Error> {
        let body = read_json(req, self.body_limit, types).await;
        if let Some(session) = &self.host_session {
            let signed_in = session.user(req, depot).await?;
            signed_in.filter(|signed_in| signed_in.user == *self.caller.user()).ok_or(Error::NotSignedIn)?;
        }
        body
    }
}

/// Returns the record that the path's `{id}` refers to.
pub(crate) fn record<I: FromStr>(req: &Request) -> Reference<I> {
    req.params().get("id").map_or(Reference::Nothing, |id| id.as_str().into())
}
