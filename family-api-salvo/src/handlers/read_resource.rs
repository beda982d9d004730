//! Reads one of the five resources.

use family_api_core::resource::{ReadQuery, ResourceKind};
use family_api_core::{Error, ReadOutcome};
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::conditional::if_none_match;
use crate::guard::AcceptEncoding;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct ReadResource;

#[handler]
impl ReadResource {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let reads = context.api.read(&context.caller)?;
        let query = ReadQuery::parse(resource(req)?, req.uri().query().unwrap_or_default()).map_err(Error::from)?;
        let coding = AcceptEncoding::of(req);
        let response = match reads.get(&query, coding.unwrap_or_default(), if_none_match(req).as_ref()).await? {
            ReadOutcome::Unchanged(tag) => JsonResponse::not_modified(&tag),
            ReadOutcome::Document { tag, body, is_truncated } => {
                JsonResponse::from_json(body).with_etag(&tag).with_truncation(is_truncated)
            }
        };
        Ok(response.with_coding(coding))
    }
}

fn resource(req: &Request) -> Result<ResourceKind, Error> {
    req.params().get("resource").and_then(|name| name.parse().ok()).ok_or(Error::NotFound)
}
