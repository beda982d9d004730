//! A request that was let in: what its handler works with.

use std::str::FromStr;

use family_api_core::access::Caller;
use family_api_core::change::{Json, Reference};
use family_api_core::{Error, FamilyApi};
use salvo::{Depot, Request};

use crate::body::{BodyLimit, MediaTypes, read_json};
use crate::guard::UnreadAnswers;

/// Left in the depot by a guard; without it there is no handler.
pub(crate) struct Call {
    pub(crate) api: FamilyApi,
    pub(crate) caller: Caller,
    pub(crate) body_limit: BodyLimit,
}

impl Call {
    pub(crate) fn of(depot: &Depot) -> Result<&Self, Error> {
        depot.get_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }

    /// The body of a PATCH, if there is room for its answer.
    pub(crate) async fn patch(&self, req: &mut Request) -> Result<Json, Error> {
        let body = read_json(req, self.body_limit, MediaTypes::JsonOrMergePatch).await?;
        UnreadAnswers::check(req)?;
        Ok(body)
    }

    /// The body of a POST.
    pub(crate) async fn post(&self, req: &mut Request) -> Result<Json, Error> {
        read_json(req, self.body_limit, MediaTypes::Json).await
    }
}

/// The record that the path names, if what stands there is an id.
pub(crate) fn record<I: FromStr>(req: &Request) -> Reference<I> {
    req.params().get("id").map_or(Reference::Nothing, |id| id.as_str().into())
}
