//! Lists the deleted records that the caller can restore.

use family_api_core::Error;
use family_api_core::query::RestorablePage;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct ListDeleted;

#[handler]
impl ListDeleted {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let deleted = context.api.restorable(&context.caller)?;
        let page = RestorablePage::parse(req.uri().query().unwrap_or_default()).map_err(Error::from)?;
        Ok(JsonResponse::serialize(&deleted.list(&page).await?)?)
    }
}
