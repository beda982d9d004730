//! The operations that write records of every kind.

use std::marker::PhantomData;

use family_api_core::Error;
use family_api_core::id::Id;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{CheckedItems, ShoppingItem, Verb};
use family_api_core::storage::Writable;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::guard::UnreadResponseLimit;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_context::{RequestContext, path_id, path_reference};
use crate::request_headers::{idempotency_key, if_match};

/// Creates a record.
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
        let paths = R::KIND.paths();
        let location = location(req, paths.collection, paths.record, record.id().text());
        Ok(JsonResponse::versioned(&record)?.created(&location)?)
    }
}

/// Changes a record.
pub(crate) struct UpdateRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> UpdateRecord<R> {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Update)?;
        let body = context.patch_body(req, depot).await?;
        let update = R::parse_update(body).map_err(Error::InvalidField)?;
        let updated = records.update(&path_reference(req), update, &if_match(req)).await?;
        Ok(JsonResponse::versioned(&updated.after)?)
    }
}

/// Deletes a record.
pub(crate) struct DeleteRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> DeleteRecord<R> {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Delete)?;
        let deleted = records.delete(&path_reference(req), &if_match(req)).await?;
        Ok(JsonResponse::serialize(&deleted)?)
    }
}

/// Restores a deleted record.
pub(crate) struct RestoreRecord<R>(pub(crate) PhantomData<R>);

#[handler]
impl<R: Writable> RestoreRecord<R> {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Restore)?;
        UnreadResponseLimit::check(req)?;
        let record = records.restore(&path_reference(req)).await?.into_record();
        Ok(JsonResponse::versioned(&record)?)
    }
}

/// Deletes the checked items of a shopping list.
#[handler]
pub(crate) async fn delete_checked_items(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let items = context.api.records::<ShoppingItem>(&context.caller, Verb::Delete)?;
    CheckedItems::parse(req.uri().query().unwrap_or_default()).map_err(Error::from)?;
    let deleted = items.delete_checked(&path_reference(req)).await?;
    Ok(JsonResponse::serialize(&deleted)?)
}
