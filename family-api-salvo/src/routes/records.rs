//! The operations that write records: their routes and handlers. Each operation is declared once, for the records of
//! every kind.

use std::marker::PhantomData;

use family_api_core::access::write_scope;
use family_api_core::change::TimeNotice;
use family_api_core::id::Id;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{CheckedItems, Deleted, DeletedItems, RecordKind, ShoppingItem, Verb};
use family_api_core::storage::Writable;
use family_api_core::{Error, ErrorCode, Surface, for_each_kind, paths};
use salvo::http::Method;
use salvo::{Depot, Handler, Request, handler};
use schemars::JsonSchema;

use crate::HttpError;
use crate::guard::UnreadResponseLimit;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_body::RequestBody;
use crate::request_context::{RequestContext, path_id, path_reference};
use crate::request_headers::{idempotency_key, if_match};
use crate::response_content::Content;
use crate::route::{Access, Action, Route, RouteGroup};

/// Returns the routes with a token and in a session that write records.
pub(super) fn record_routes() -> Vec<Route> {
    macro_rules! routes_of_each_kind {
        ($($method:ident: $Record:ident,)*) => {
            [$(routes_of::<family_api_core::resource::$Record>(),)* delete_checked()]
        };
    }
    for_each_kind!(routes_of_each_kind).concat()
}

/// Returns the routes of a kind: every operation with a token and in a session.
fn routes_of<R: Writable + JsonSchema>() -> Vec<Route> {
    let verbs = Verb::ALL.into_iter().filter(|verb| R::KIND.has(*verb));
    verbs.flat_map(|verb| on_each_surface(&route::<R>(verb), R::KIND, verb)).collect()
}

fn delete_checked() -> Vec<Route> {
    let route = Route {
        action: Action::DeleteChecked,
        ..super::route(
            Method::DELETE,
            RecordKind::ShoppingItem.paths().collection,
            RouteGroup::Records,
            Access::Session,
            ["deleteCheckedItems", "Deletes the checked items of a shopping list, at most 500 at once"],
            Content::json::<DeletedItems>(),
            || delete_checked_items.arc(),
        )
    };
    on_each_surface(&route, RecordKind::ShoppingItem, Verb::Delete).into()
}

/// Returns the route with a token and the route in a session. The path of the argument has no prefix.
pub(super) fn on_each_surface(route: &Route, kind: RecordKind, verb: Verb) -> [Route; 2] {
    let with_token = Route {
        path: format!("{}{}", paths::V1, route.path).into(),
        group: RouteGroup::V1,
        access: Access::Token { surface: Surface::V1, scope: write_scope(kind, verb) },
        ..route.clone()
    };
    let in_session = Route {
        path: format!("{}{}", paths::SESSION, route.path).into(),
        operation: format!("{}InSession", route.operation).into(),
        ..route.clone()
    };
    [with_token, in_session]
}

/// Returns the route of an operation in a session. Its path has no prefix.
fn route<R: Writable + JsonSchema>(verb: Verb) -> Route {
    let name = R::schema_name();
    let noun = noun(R::KIND);
    let route = |method, summary: String, handler| Route {
        method,
        path: R::KIND.paths().operation(verb),
        group: RouteGroup::Records,
        access: Access::Session,
        action: Action::Write(R::KIND, verb),
        operation: format!("{}{name}", verb.as_str()).into(),
        summary: summary.into(),
        request: None,
        status: 200,
        response: Content::json::<R>(),
        extra_errors: errors(R::KIND, verb),
        handler,
    };
    match verb {
        Verb::Create => Route {
            request: Some(RequestBody::of_new::<R>()),
            status: 201,
            ..route(Method::POST, format!("Creates {noun}"), || CreateRecord::<R>(PhantomData).arc())
        },
        Verb::Update => Route {
            request: Some(RequestBody::of_update::<R>()),
            ..route(Method::PATCH, format!("Changes {noun}"), || UpdateRecord::<R>(PhantomData).arc())
        },
        Verb::Delete => {
            let empty = if R::KIND.is_restorable() { "" } else { " that is empty" };
            Route {
                response: Content::json::<Deleted<R::Id>>(),
                ..route(Method::DELETE, format!("Deletes {noun}{empty}"), || DeleteRecord::<R>(PhantomData).arc())
            }
        }
        Verb::Restore => {
            let summary = format!("Restores {noun} that was deleted in the last 30 days");
            route(Method::POST, summary, || RestoreRecord::<R>(PhantomData).arc())
        }
    }
}

/// Returns the error codes that follow neither from the access nor from the path and the body.
const fn errors(kind: RecordKind, verb: Verb) -> &'static [ErrorCode] {
    use ErrorCode::{
        IdempotencyMismatch, IdempotencyRunning, InvalidIdempotencyKey, NotEmpty, NotFound, PreconditionFailed,
        RecordLimitReached,
    };
    match verb {
        // A body can name a record that does not exist, and in a session the user may have no family.
        Verb::Create => &[NotFound, InvalidIdempotencyKey, IdempotencyMismatch, IdempotencyRunning, RecordLimitReached],
        // A longer text can make a record count more often.
        Verb::Update => &[PreconditionFailed, RecordLimitReached],
        Verb::Delete if !kind.is_restorable() => &[PreconditionFailed, NotEmpty],
        Verb::Delete => &[PreconditionFailed],
        Verb::Restore => &[RecordLimitReached],
    }
}

/// Returns the kind of record with its article.
fn noun(kind: RecordKind) -> String {
    let noun = kind.as_str().replace('_', " ");
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Creates a record.
struct CreateRecord<R>(PhantomData<R>);

#[handler]
impl<R: Writable> CreateRecord<R> {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Create)?;
        let key = idempotency_key(req)?;
        let body = context.new_record_body(req, depot).await?;
        let new = R::parse_new(path_id(req), body).map_err(Error::InvalidField)?;
        let request = key.map(|key| IdempotentRequest::of::<R>(&key, &new));
        let notices = TimeNotice::of::<R>(new.fields(), context.caller.zone());
        let record = records.create(new, request).await?.into_record();
        let paths = R::KIND.paths();
        let location = location(req, paths.collection, paths.record, record.id().text());
        Ok(JsonResponse::versioned(&record)?.with_notices(&notices).created(&location)?)
    }
}

/// Changes a record.
struct UpdateRecord<R>(PhantomData<R>);

#[handler]
impl<R: Writable> UpdateRecord<R> {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let records = context.api.records::<R>(&context.caller, Verb::Update)?;
        let body = context.patch_body(req, depot).await?;
        let update = R::parse_update(body).map_err(Error::InvalidField)?;
        let notices = TimeNotice::of::<R>(&update, context.caller.zone());
        let updated = records.update(&path_reference(req), update, &if_match(req)).await?;
        Ok(JsonResponse::versioned(&updated.after)?.with_notices(&notices))
    }
}

/// Deletes a record.
struct DeleteRecord<R>(PhantomData<R>);

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
struct RestoreRecord<R>(PhantomData<R>);

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
async fn delete_checked_items(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let items = context.api.records::<ShoppingItem>(&context.caller, Verb::Delete)?;
    CheckedItems::parse(req.uri().query().unwrap_or_default()).map_err(Error::from)?;
    let deleted = items.delete_checked(&path_reference(req)).await?;
    Ok(JsonResponse::serialize(&deleted)?)
}
