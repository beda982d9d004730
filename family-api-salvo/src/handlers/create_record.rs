//! Creates a record.

use std::marker::PhantomData;

use family_api_core::Error;
use family_api_core::id::Id;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::paths;
use family_api_core::resource::Verb;
use family_api_core::storage::Writable;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::idempotency::idempotency_key;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_context::{RequestContext, path_id};

pub(crate) struct CreateRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> CreateRecord<R> {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Create)?;
        let key = idempotency_key(req)?;
        let body = context.new_record_body(req, depot).await?;
        let new = R::parse_new(path_id(req), body).map_err(Error::InvalidField)?;
        let request = key.map(|key| IdempotentRequest::of::<R>(&key, &new));
        let record = records.create(new, request).await?.into_record();
        let paths = paths::records(R::KIND);
        let location = location(req, paths.collection, paths.record, record.id().text());
        Ok(JsonResponse::versioned(&record)?.created(&location)?)
    }
}
