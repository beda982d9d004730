//! Changes a record.

use std::marker::PhantomData;

use family_api_core::Error;
use family_api_core::resource::Verb;
use family_api_core::storage::Writable;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::conditional::if_match;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct UpdateRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> UpdateRecord<R> {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Update)?;
        let body = context.patch_body(req, depot).await?;
        let update = R::parse_update(body).map_err(Error::InvalidField)?;
        let updated = records.update(&record_id(req), update, &if_match(req)).await?;
        Ok(JsonResponse::versioned(&updated.after)?)
    }
}
