//! The routes that write records. Each kind of record is one line.

use std::borrow::Cow;
use std::marker::PhantomData;

use family_api_core::access::write_scope;
use family_api_core::resource::{
    Board, Column, Deleted, DeletedItems, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::Writable;
use family_api_core::{Surface, paths};
use salvo::Handler;
use salvo::handler::ArcHandler;
use salvo::http::Method;
use schemars::JsonSchema;

use crate::handlers::{CreateRecord, DeleteRecord, RestoreRecord, UpdateRecord, delete_checked_items};
use crate::request_body::RequestBody;
use crate::response_content::Content;
use crate::route::{Access, Action, Route, RouteGroup};

/// Returns the routes with a token and in a session that write records.
pub(super) fn record_routes() -> Vec<Route> {
    [
        routes_of::<Task>(),
        routes_of::<Note>(),
        routes_of::<Event>(),
        routes_of::<ShoppingItem>(),
        delete_checked(),
        routes_of::<Board>(),
        routes_of::<Column>(),
        routes_of::<ShoppingList>(),
        routes_of::<NoteCategory>(),
    ]
    .concat()
}

/// Returns the routes of a kind: every operation in a session, and with a token if a scope allows the operation.
fn routes_of<R: Writable + JsonSchema>() -> Vec<Route> {
    let verbs = Verb::ALL.into_iter().filter(|verb| *verb != Verb::Restore || R::KIND.is_restorable());
    verbs.flat_map(|verb| on_each_surface(&route::<R>(verb), R::KIND, verb)).collect()
}

fn delete_checked() -> Vec<Route> {
    let route = Route {
        action: Action::DeleteChecked,
        ..super::route(
            Method::DELETE,
            paths::records(RecordKind::ShoppingItem).collection,
            RouteGroup::Records,
            Access::Session,
            ["deleteCheckedItems", "Deletes the checked items of a shopping list, at most 500 at once"],
            Content::json::<DeletedItems>(),
            || delete_checked_items.arc(),
        )
    };
    on_each_surface(&route, RecordKind::ShoppingItem, Verb::Delete)
}

/// Returns the route with a token, if there is a scope for the operation, and the route in a session. The path of the
/// argument has no prefix.
fn on_each_surface(route: &Route, kind: RecordKind, verb: Verb) -> Vec<Route> {
    let with_token = write_scope(kind, verb).map(|scope| Route {
        path: format!("{}{}", paths::V1, route.path).into(),
        group: RouteGroup::V1,
        access: Access::Token { surface: Surface::V1, scope },
        ..route.clone()
    });
    let in_session = Route {
        path: format!("{}{}", paths::SESSION, route.path).into(),
        operation: format!("{}InSession", route.operation).into(),
        ..route.clone()
    };
    with_token.into_iter().chain([in_session]).collect()
}

/// Returns the route of an operation in a session. Its path has no prefix.
fn route<R: Writable + JsonSchema>(verb: Verb) -> Route {
    let name = R::schema_name();
    let paths = paths::records(R::KIND);
    let noun = noun(R::KIND);
    let route = |method, path: Cow<'static, str>, summary: String, handler| Route {
        method,
        path,
        group: RouteGroup::Records,
        access: Access::Session,
        action: Action::Write(R::KIND, verb),
        operation: format!("{}{name}", verb.as_str()).into(),
        summary: summary.into(),
        request: RequestBody::of_record::<R>(verb),
        status: if verb == Verb::Create { 201 } else { 200 },
        response: if verb == Verb::Delete { Content::json::<Deleted<R::Id>>() } else { Content::json::<R>() },
        extra_errors: &[],
        handler,
    };
    match verb {
        Verb::Create => route(Method::POST, paths.collection.into(), format!("Creates {noun}"), create::<R>),
        Verb::Update => route(Method::PATCH, paths.record.into(), format!("Changes {noun}"), update::<R>),
        Verb::Delete => route(Method::DELETE, paths.record.into(), delete_summary::<R>(noun), delete::<R>),
        Verb::Restore => {
            let path = format!("{}{}", paths.record, paths::RecordPaths::RESTORE);
            route(
                Method::POST,
                path.into(),
                format!("Restores {noun} that was deleted in the last 30 days"),
                restore::<R>,
            )
        }
    }
}

fn delete_summary<R: Writable>(noun: &str) -> String {
    if R::KIND.is_restorable() { format!("Deletes {noun}") } else { format!("Deletes {noun} that is empty") }
}

/// Returns the kind of record with its article.
const fn noun(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "a task",
        RecordKind::Note => "a note",
        RecordKind::Event => "an event",
        RecordKind::ShoppingItem => "a shopping item",
        RecordKind::Board => "a board",
        RecordKind::Column => "a column",
        RecordKind::ShoppingList => "a shopping list",
        RecordKind::NoteCategory => "a note category",
    }
}

fn create<R: Writable>() -> ArcHandler {
    CreateRecord::<R>(PhantomData).arc()
}

fn update<R: Writable>() -> ArcHandler {
    UpdateRecord::<R>(PhantomData).arc()
}

fn delete<R: Writable>() -> ArcHandler {
    DeleteRecord::<R>(PhantomData).arc()
}

fn restore<R: Writable>() -> ArcHandler {
    RestoreRecord::<R>(PhantomData).arc()
}
