//! The operations on one occurrence of an event: their routes and handlers.

use family_api_core::change::{Editable, EventUpdate, OccurrenceScope, TimeNotice};
use family_api_core::occurrences::OccurrenceStart;
use family_api_core::resource::{DeletedOccurrence, Event, OccurrenceId, RecordKind, Verb, find_single};
use family_api_core::validation::FieldFault;
use family_api_core::{Error, ErrorCode, paths};
use salvo::handler::ArcHandler;
use salvo::http::Method;
use salvo::{Depot, Handler, Request, handler};

use crate::HttpError;
use crate::guard::UnreadResponseLimit;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_body::RequestBody;
use crate::request_context::{RequestContext, path_reference};
use crate::request_headers::if_match;
use crate::response_content::Content;
use crate::route::{Access, Action, Route, RouteGroup};
use crate::routes::records::on_each_surface;

/// Returns the routes with a token and in a session that write one occurrence.
pub(super) fn occurrence_routes() -> Vec<Route> {
    let change = Route {
        request: Some(RequestBody::OCCURRENCE_UPDATE),
        extra_errors: &[ErrorCode::PreconditionFailed, ErrorCode::RecordLimitReached],
        ..route(
            Method::PATCH,
            paths::EVENT_OCCURRENCE,
            Verb::Update,
            ["updateOccurrence", "Changes one occurrence of an event, or also others"],
            Content::json::<Event>(),
            || update_occurrence.arc(),
        )
    };
    let delete = Route {
        extra_errors: &[ErrorCode::PreconditionFailed, ErrorCode::RecordLimitReached],
        ..route(
            Method::DELETE,
            paths::EVENT_OCCURRENCE,
            Verb::Delete,
            ["deleteOccurrence", "Skips one occurrence of an event, or ends the event before it"],
            Content::json::<DeletedOccurrence>(),
            || delete_occurrence.arc(),
        )
    };
    let restore = Route {
        extra_errors: &[ErrorCode::PreconditionFailed],
        ..route(
            Method::POST,
            paths::EVENT_OCCURRENCE_RESTORE,
            Verb::Restore,
            ["restoreOccurrence", "Restores one occurrence of an event that was skipped or changed"],
            Content::json::<Event>(),
            || restore_occurrence.arc(),
        )
    };
    [change, delete, restore].iter().flat_map(|route| on_each_surface(route, RecordKind::Event, Verb::Update)).collect()
}

/// Returns the route of an operation in a session. Its path has no prefix.
fn route(
    method: Method,
    path: &'static str,
    verb: Verb,
    names: [&'static str; 2],
    response: Content,
    handler: fn() -> ArcHandler,
) -> Route {
    Route {
        action: Action::WriteOccurrence(verb),
        ..super::route(method, path, RouteGroup::Records, Access::Session, names, response, handler)
    }
}

/// Changes one occurrence, or also others. If this splits the event, the response is that to the creation of the event
/// with the occurrence.
#[handler]
async fn update_occurrence(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let events = context.api.records::<Event>(&context.caller, Verb::Update)?;
    let body = context.patch_body(req, depot).await?;
    let update = Event::parse_update(body).map_err(Error::InvalidField)?;
    let scope = scope(req)?;
    let update = update.of_occurrence(path_start(req)?, scope).map_err(Error::InvalidField)?;
    let notices = TimeNotice::of::<Event>(&update, context.caller.zone());
    let updated = events.update(&path_reference(req), update, &if_match(req)).await?;
    let Some(created) = updated.created else {
        return Ok(JsonResponse::versioned(&updated.after)?.with_notices(&notices));
    };
    let location = location(req, paths::EVENT_OCCURRENCE, Event::KIND.paths().record, created.id.as_str());
    Ok(JsonResponse::versioned(&created)?.with_notices(&notices).created(&location)?)
}

/// Skips one occurrence.
#[handler]
async fn delete_occurrence(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let events = context.api.records::<Event>(&context.caller, Verb::Update)?;
    let scope = scope(req)?;
    let start = path_start(req)?;
    let update = EventUpdate::skip_occurrence(start, scope);
    let updated = events.update(&path_reference(req), update, &if_match(req)).await?;
    Ok(JsonResponse::serialize(&DeletedOccurrence::new(OccurrenceId::of(&updated.after.id, start)))?)
}

/// Restores one occurrence as the rule makes it.
#[handler]
async fn restore_occurrence(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let events = context.api.records::<Event>(&context.caller, Verb::Update)?;
    UnreadResponseLimit::check(req)?;
    let update = EventUpdate::restore_occurrence(path_start(req)?);
    let updated = events.update(&path_reference(req), update, &if_match(req)).await?;
    Ok(JsonResponse::versioned(&updated.after)?)
}

/// Returns the `{start}` of the path. No occurrence has a start of another form.
fn path_start(req: &Request) -> Result<OccurrenceStart, Error> {
    req.params().get("start").and_then(|start| start.parse().ok()).ok_or(Error::NotFound)
}

/// Returns the query parameter `scope`.
fn scope(req: &Request) -> Result<OccurrenceScope, Error> {
    const EXPECTED: &str = "expected `this`, `following` or `all`, once";
    let fault = || Error::InvalidField(vec![FieldFault::of_field("scope", EXPECTED)].into());
    let scope = find_single(req.uri().query().unwrap_or_default(), "scope", EXPECTED).map_err(|_| fault())?;
    scope.map_or(Ok(OccurrenceScope::default()), |scope| scope.parse().map_err(|_| fault()))
}
