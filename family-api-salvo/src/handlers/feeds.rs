//! The operations on the caller's calendar feeds.

use family_api_core::id::Id;
use family_api_core::{Error, FeedService, paths};
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_context::{RequestContext, path_reference};

/// Creates a feed.
#[handler]
pub(crate) async fn create_feed(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let feeds = feeds(context)?;
    let body = context.post_body(req, depot).await?;
    let created = feeds.create_from_body(body).await?;
    let location = location(req, paths::CALENDAR_FEEDS, paths::CALENDAR_FEED, created.feed.id.text());
    Ok(JsonResponse::serialize(&created)?.created(&location)?)
}

/// Lists the caller's feeds.
#[handler]
pub(crate) async fn list_feeds(depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    Ok(JsonResponse::serialize(&feeds(context)?.list().await?)?)
}

/// Lists the members and the boards that a feed can be limited to.
#[handler]
pub(crate) async fn list_feed_choices(depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    Ok(JsonResponse::serialize(&feeds(context)?.choices().await?)?)
}

/// Changes what a feed shows.
#[handler]
pub(crate) async fn update_feed(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let feeds = feeds(context)?;
    let feed = path_reference(req);
    let body = context.patch_body(req, depot).await?;
    Ok(JsonResponse::serialize(&feeds.update_from_body(&feed, body).await?)?)
}

/// Ends a feed.
#[handler]
pub(crate) async fn end_feed(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    Ok(JsonResponse::serialize(&feeds(context)?.end(&path_reference(req)).await?)?)
}

/// The routes are mounted only if the API has feeds.
fn feeds(context: &RequestContext) -> Result<FeedService<'_>, Error> {
    context.api.feeds(&context.caller).ok_or(Error::NotFound)
}
