//! Deletes the checked items of a shopping list.

use family_api_core::Error;
use family_api_core::resource::{CheckedItems, ShoppingItem, Verb};
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct DeleteCheckedItems;

#[handler]
impl DeleteCheckedItems {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let items = context.api.records::<ShoppingItem>(&context.caller, Verb::Delete)?;
        CheckedItems::parse(req.uri().query().unwrap_or_default()).map_err(Error::from)?;
        let deleted = items.delete_checked(&record_id(req)).await?;
        Ok(JsonResponse::serialize(&deleted)?)
    }
}
