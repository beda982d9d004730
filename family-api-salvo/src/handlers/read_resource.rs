//! Reads one of the five resources.

use family_api_core::resource::{ReadQuery, ResourceKind};
use family_api_core::{Error, Read};
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;
use crate::conditional::known;

pub(crate) struct ReadResource;

#[handler]
impl ReadResource {
    async fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let reading = call.api.read(&call.caller)?;
        let query = ReadQuery::parse(resource(req)?, req.uri().query().unwrap_or_default())?;
        Ok(match reading.get(&query, known(req).as_ref()).await? {
            Read::Unchanged(tag) => Answer::unchanged(&tag),
            Read::Document { tag, json } => Answer::from_json(json).tagged(&tag),
        })
    }
}

fn resource(req: &Request) -> Result<ResourceKind, Error> {
    req.params().get("resource").and_then(|name| name.parse().ok()).ok_or(Error::NotFound)
}
