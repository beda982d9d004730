//! Reads one of the five resources.

use family_api_core::Error;
use family_api_core::resource::{ReadQuery, ResourceKind};
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;

pub(crate) struct ReadResource;

#[handler]
impl ReadResource {
    async fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let reading = call.api.read(&call.caller)?;
        let query = ReadQuery::parse(resource(req)?, req.uri().query().unwrap_or_default())?;
        let json = reading.get(&query).await?;
        Ok(Answer::from_json(json))
    }
}

fn resource(req: &Request) -> Result<ResourceKind, Error> {
    req.params().get("resource").and_then(|name| name.parse().ok()).ok_or(Error::NotFound)
}
