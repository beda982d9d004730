//! Restores a deleted record.

use std::marker::PhantomData;

use family_api_core::resource::Verb;
use family_api_core::storage::Writable;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::guard::UnreadResponseLimit;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct RestoreRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> RestoreRecord<R> {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Restore)?;
        UnreadResponseLimit::check(req)?;
        let record = records.restore(&record_id(req)).await?.into_record();
        Ok(JsonResponse::versioned(&record)?)
    }
}
