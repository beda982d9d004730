//! The operations on the caller's own account: the profile, the keys, the connections and the deleted records.

use family_api_core::change::ProfileChange;
use family_api_core::id::Id;
use family_api_core::query::RestorablePageRequest;
use family_api_core::{Error, paths};
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_context::{RequestContext, path_reference};

/// Reads the caller's own profile.
#[handler]
pub(crate) async fn get_profile(depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let profile = context.api.profile(&context.caller)?.get().await?;
    Ok(JsonResponse::serialize(&profile)?)
}

/// Changes the caller's own profile.
#[handler]
pub(crate) async fn update_profile(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let profiles = context.api.profile(&context.caller)?;
    let body = context.patch_body(req, depot).await?;
    let change = ProfileChange::from_body(body).map_err(Error::InvalidField)?;
    let profile = profiles.update(&change).await?;
    Ok(JsonResponse::serialize(&profile)?)
}

/// Creates an integration key.
#[handler]
pub(crate) async fn create_key(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let keys = context.api.keys(&context.caller)?;
    let body = context.post_body(req, depot).await?;
    let key = keys.create_from_body(body).await?;
    let location = location(req, paths::KEYS, paths::KEY, key.id.text());
    Ok(JsonResponse::serialize(&key)?.created(&location)?)
}

/// Lists the caller's integration keys.
#[handler]
pub(crate) async fn list_keys(depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let keys = context.api.keys(&context.caller)?.list().await?;
    Ok(JsonResponse::serialize(&keys)?)
}

/// Revokes an integration key.
#[handler]
pub(crate) async fn revoke_key(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let revoked = context.api.keys(&context.caller)?.revoke(&path_reference(req)).await?;
    Ok(JsonResponse::serialize(&revoked)?)
}

/// Revokes all keys and ends all connections of the caller, and switches the personal API off.
#[handler]
pub(crate) async fn revoke_access(depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let revoked = context.api.keys(&context.caller)?.revoke_access().await?;
    Ok(JsonResponse::serialize(&revoked)?)
}

/// Lists the caller's connections.
#[handler]
pub(crate) async fn list_connections(depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let connections = context.api.connections(&context.caller)?.list().await?;
    Ok(JsonResponse::serialize(&connections)?)
}

/// Ends a connection of the caller.
#[handler]
pub(crate) async fn revoke_connection(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let revoked = context.api.connections(&context.caller)?.revoke(&path_reference(req)).await?;
    Ok(JsonResponse::serialize(&revoked)?)
}

/// Lists the deleted records that the caller can restore.
#[handler]
pub(crate) async fn list_deleted(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let deleted = context.api.restorable(&context.caller)?;
    let page = RestorablePageRequest::parse(req.uri().query().unwrap_or_default()).map_err(Error::from)?;
    Ok(JsonResponse::serialize(&deleted.list(&page).await?)?)
}
