//! Deletes a record.

use std::marker::PhantomData;

use family_api_core::resource::Verb;
use family_api_core::storage::Writable;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::conditional::if_match;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct DeleteRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> DeleteRecord<R> {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Delete)?;
        let deleted = records.delete(&record_id(req), &if_match(req)).await?;
        Ok(JsonResponse::serialize(&deleted)?)
    }
}
