//! Reads one of the five resources.

use family_api_core::resource::{ReadQuery, ResourceKind};
use family_api_core::{Error, ReadOutcome};
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;
use crate::conditional::if_none_match;
use crate::guard::AcceptEncoding;

pub(crate) struct ReadResource;

#[handler]
impl ReadResource {
    async fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let reading = call.api.read(&call.caller)?;
        let query = ReadQuery::parse(resource(req)?, req.uri().query().unwrap_or_default())?;
        let coding = AcceptEncoding::of(req);
        let answer = match reading.get(&query, coding.unwrap_or_default(), if_none_match(req).as_ref()).await? {
            ReadOutcome::Unchanged(tag) => Answer::unchanged(&tag),
            ReadOutcome::Document { tag, body } => Answer::from_json(body).tagged(&tag),
        };
        Ok(answer.coded(coding))
    }
}

fn resource(req: &Request) -> Result<ResourceKind, Error> {
    req.params().get("resource").and_then(|name| name.parse().ok()).ok_or(Error::NotFound)
}
