//! The routes with a token that read one record, a list of records, or the changes of records.

use std::borrow::Cow;

use family_api_core::resource::{
    BoardOutline, ChangeList, Event, ListOutline, Note, Person, RecordKind, RecordPage, ShoppingItem, Task,
};
use family_api_core::{ErrorCode, paths};
use salvo::Handler;
use salvo::handler::ArcHandler;
use salvo::http::Method;

use crate::handlers;
use crate::response_content::Content;
use crate::route::{Action, Route, RouteGroup};
use crate::routes::V1;

pub(super) fn read_routes() -> Vec<Route> {
    Vec::from([
        route(
            Action::ListMembers,
            paths::V1_MEMBERS.into(),
            ["listMembers", "Lists the members of the family, ordered by id"],
            Content::json::<Vec<Person>>(),
            || handlers::list_members.arc(),
        ),
        Route {
            extra_errors: &[ErrorCode::SyncExpired],
            ..route(
                Action::ListChanges,
                paths::V1_CHANGES.into(),
                ["listChanges", "Lists what has changed since a state, or returns the current state"],
                Content::json::<ChangeList>(),
                || handlers::list_changes.arc(),
            )
        },
        list(
            RecordKind::Board,
            ["listBoards", "Lists the boards with their columns, without tasks"],
            Content::json::<Vec<BoardOutline>>(),
            || handlers::list_boards.arc(),
        ),
        list(
            RecordKind::ShoppingList,
            ["listShoppingLists", "Lists the shopping lists, without items"],
            Content::json::<Vec<ListOutline>>(),
            || handlers::list_shopping_lists.arc(),
        ),
        list(
            RecordKind::Task,
            ["listTasks", "Returns a page of tasks, ordered by due date (tasks without one last), creation and id"],
            Content::json::<RecordPage<Task>>(),
            || handlers::list_tasks.arc(),
        ),
        route(
            Action::List(RecordKind::ShoppingItem),
            paths::V1_SHOPPING_ITEMS.into(),
            ["listShoppingItems", "Returns a page of shopping items, unchecked items first, then by creation and id"],
            Content::json::<RecordPage<ShoppingItem>>(),
            || handlers::list_shopping_items.arc(),
        ),
        find(RecordKind::Task, ["getTask", "Returns a task"], Content::json::<Task>(), || handlers::find_task.arc()),
        find(RecordKind::Event, ["getEvent", "Returns an event"], Content::json::<Event>(), || {
            handlers::find_event.arc()
        }),
        find(
            RecordKind::ShoppingItem,
            ["getShoppingItem", "Returns a shopping item"],
            Content::json::<ShoppingItem>(),
            || handlers::find_shopping_item.arc(),
        ),
        find(RecordKind::Note, ["getNote", "Returns a note"], Content::json::<Note>(), || handlers::find_note.arc()),
    ])
}

fn list(kind: RecordKind, texts: [&'static str; 2], response: Content, handler: fn() -> ArcHandler) -> Route {
    let path = format!("{}{}", paths::V1, kind.paths().collection);
    route(Action::List(kind), path.into(), texts, response, handler)
}

fn find(kind: RecordKind, texts: [&'static str; 2], response: Content, handler: fn() -> ArcHandler) -> Route {
    let path = format!("{}{}", paths::V1, kind.paths().record);
    route(Action::Find(kind), path.into(), texts, response, handler)
}

fn route(
    action: Action,
    path: Cow<'static, str>,
    texts: [&'static str; 2],
    response: Content,
    handler: fn() -> ArcHandler,
) -> Route {
    Route { path, action, ..super::route(Method::GET, "", RouteGroup::V1, V1, texts, response, handler) }
}
