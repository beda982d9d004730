//! Reads one of the five resources.

use family_api_core::resource::{ReadQuery, ResourceKind};
use family_api_core::{Error, FamilyApi, ReadOutcome};
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;
use crate::request_headers::if_none_match;

pub(crate) struct ReadResource;

#[handler]
impl ReadResource {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let reads = context.api.read(&context.caller)?;
        let resource = resource(req, &context.api).ok_or_else(|| unknown_resource(&context.api))?;
        let query = ReadQuery::parse(resource, req.uri().query().unwrap_or_default()).map_err(Error::from)?;
        let coding = context.coding(req);
        let response = match reads.get(&query, coding.unwrap_or_default(), if_none_match(req).as_ref()).await? {
            ReadOutcome::Unchanged(tag) => JsonResponse::not_modified(&tag),
            ReadOutcome::Document { tag, body, is_truncated } => {
                JsonResponse::from_json(body).with_etag(&tag).with_truncation(is_truncated)
            }
        };
        Ok(response.with_state(reads.state().as_ref()).with_coding(coding))
    }
}

/// Returns the resource that the path names, if the storage keeps it.
fn resource(req: &Request, api: &FamilyApi) -> Option<ResourceKind> {
    let name = req.params().get("resource")?;
    api.capabilities().resources().find(|resource| resource.as_str() == name)
}

/// Returns the error of any other name. It lists the resources, and the overview, which has a route of its own.
fn unknown_resource(api: &FamilyApi) -> HttpError {
    let names: Vec<&str> = api.capabilities().resources().map(ResourceKind::as_str).chain(["overview"]).collect();
    HttpError::UnknownPath { hint: format!("The resources are: {}", names.join(", ")).into() }
}
