//! Requests to every route: reads, writes, and refused requests.

use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::support::{bearer, session};

/// A request, and the status of its response without a fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    credential: Credential,
    method: &'static str,
    path: &'static str,
    if_match: &'static str,
    /// Whether the request has an idempotency key, which is the same in a repeated request.
    pub(super) is_idempotent: bool,
    body: &'static str,
    pub(super) status: u16,
}

#[derive(Debug, Clone, Copy)]
enum Credential {
    Key(&'static str),
    User(&'static str),
}
use Credential::{Key, User};

const fn operation(
    credential: Credential,
    method: &'static str,
    path: &'static str,
    body: &'static str,
    status: u16,
) -> Operation {
    Operation { credential, method, path, if_match: "", is_idempotent: false, body, status }
}

impl Operation {
    const fn if_match(self, if_match: &'static str) -> Self {
        Self { if_match, ..self }
    }

    const fn idempotent(self) -> Self {
        Self { is_idempotent: true, ..self }
    }

    /// Returns whether the operation deletes a record or takes an occurrence from its event, so that a second request
    /// gets 404.
    pub(super) fn ends_what_it_names(&self) -> bool {
        let is_deletion = self.method == "DELETE" && !self.path.contains("?checked") && !self.path.ends_with("/access");
        is_deletion || self.path.ends_with("?scope=following")
    }

    /// Returns the maximum number of storage calls: that of the credential, and one for each document.
    pub(super) fn max_calls(&self) -> usize {
        if self.path.contains("/read/overview") { 5 } else { 2 }
    }

    /// Returns whether the responses have no body.
    pub(super) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    pub(super) fn request(&self) -> RequestBuilder {
        let method: Method = self.method.parse().unwrap();
        let request = match self.credential {
            Key(key) => bearer(key, method, self.path),
            User(user) => session(user, method, self.path),
        };
        let request = if self.is_idempotent { request.add_header("idempotency-key", "k", true) } else { request };
        let request = if self.body.is_empty() { request } else { request.raw_json(self.body) };
        if self.if_match.is_empty() { request } else { request.add_header("if-match", self.if_match, true) }
    }
}

const NAME: &str = r#"{"name":"other"}"#;
const RENAME: &str = r#"{"title":"other"}"#;

pub(super) const OPERATIONS: [Operation; 69] = [
    operation(Key("ann-rw"), "GET", "/api/v1/me", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/tasks", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/events?from=2026-11-20", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/events?from=2026-11-20&to=2026-11-20&expand=true", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/shopping", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/notes", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/task_stats", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/read/overview?assignee=me&days=31", "", 200),
    operation(Key("ann-mcp"), "HEAD", "/api/mcp/read/overview", "", 200),
    operation(Key("ann-rw"), "GET", "/api/v1/changes", "", 200),
    operation(Key("ann-mcp"), "GET", "/api/mcp/read/tasks", "", 200),
    operation(Key("ann-mcp"), "HEAD", "/api/mcp/read/notes", "", 200),
    operation(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", RENAME, 200),
    operation(
        Key("ann-rw"),
        "PATCH",
        "/api/v1/tasks/task-berg",
        r#"{"title":"other","completed":true,"order":9}"#,
        200,
    ),
    operation(
        Key("ann-rw"),
        "PATCH",
        "/api/v1/tasks/task-berg",
        r#"{"type":"move-task","columnId":"column-berg","order":5}"#,
        200,
    ),
    operation(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", "{}", 200),
    operation(Key("ann-rw"), "PATCH", "/api/v1/notes/note-berg", r#"{"title":"other","tags":["a"]}"#, 200),
    operation(Key("ann-rw"), "DELETE", "/api/v1/notes/note-berg", "", 200),
    operation(Key("ann-rw"), "DELETE", "/api/v1/notes/note-berg", "", 200).if_match("*"),
    operation(Key("ann-full"), "POST", "/api/v1/tasks", r#"{"title":"new"}"#, 201).idempotent(),
    operation(Key("ann-full"), "DELETE", "/api/v1/tasks/task-berg", "", 200),
    operation(Key("ann-full"), "POST", "/api/v1/tasks/task-berg/restore", "", 200),
    operation(Key("ann-full"), "POST", "/api/v1/notes", r#"{"title":"new"}"#, 201).idempotent(),
    operation(
        Key("ann-full"),
        "POST",
        "/api/v1/events",
        r#"{"title":"new","startDate":"2026-12-24","endDate":"2026-12-24"}"#,
        201,
    )
    .idempotent(),
    operation(Key("ann-full"), "PATCH", "/api/v1/events/event-berg", RENAME, 200),
    operation(Key("ann-full"), "PATCH", "/api/v1/events/event-berg/occurrences/20261201", RENAME, 200),
    operation(Key("ann-full"), "PATCH", "/api/v1/events/event-berg/occurrences/20261201?scope=following", RENAME, 201),
    operation(Key("ann-full"), "DELETE", "/api/v1/events/event-berg/occurrences/20261201", "", 200),
    operation(Key("ann-full"), "DELETE", "/api/v1/events/event-berg/occurrences/20261201?scope=following", "", 200),
    operation(Key("ann-full"), "POST", "/api/v1/events/event-berg/occurrences/20261201/restore", "", 200),
    operation(Key("ann-full"), "DELETE", "/api/v1/events/event-berg", "", 200),
    operation(Key("ann-full"), "POST", "/api/v1/shopping-lists/list-berg/items", NAME, 201).idempotent(),
    operation(Key("ann-full"), "PATCH", "/api/v1/shopping-items/item-berg", NAME, 200),
    operation(Key("ann-full"), "DELETE", "/api/v1/shopping-items/item-berg", "", 200),
    operation(Key("ann-full"), "DELETE", "/api/v1/shopping-lists/list-berg/items?checked=true", "", 200),
    operation(Key("ann-full"), "POST", "/api/v1/boards", NAME, 201).idempotent(),
    operation(User("ann"), "PATCH", "/api/boards/board-berg", NAME, 200),
    operation(User("ann"), "POST", "/api/boards/board-berg/columns", NAME, 201).idempotent(),
    operation(Key("ann-full"), "PATCH", "/api/v1/columns/column-berg", NAME, 200),
    operation(Key("ann-full"), "POST", "/api/v1/shopping-lists", NAME, 201).idempotent(),
    operation(User("ann"), "PATCH", "/api/shopping-lists/list-berg", NAME, 200),
    operation(User("ann"), "POST", "/api/note-categories", NAME, 201).idempotent(),
    operation(Key("ann-full"), "PATCH", "/api/v1/note-categories/category-berg", NAME, 200),
    operation(Key("ann-full"), "DELETE", "/api/v1/boards/board-berg", "", 409),
    operation(User("ann"), "GET", "/api/users/me", "", 200),
    operation(User("ann"), "PATCH", "/api/users/me", r#"{"personalApiEnabled":false}"#, 200),
    operation(User("ann"), "POST", "/api/users/me/mcp-tokens", r#"{"mode":"v1_read","name":"new"}"#, 201),
    operation(User("ann"), "GET", "/api/users/me/mcp-tokens", "", 200),
    operation(User("ann"), "DELETE", "/api/users/me/mcp-tokens/ann-none", "", 200),
    operation(User("bob"), "DELETE", "/api/users/me/access", "", 200),
    operation(User("ann"), "GET", "/api/users/me/deleted", "", 200),
    operation(User("ann"), "PATCH", "/api/tasks/task-berg", RENAME, 200),
    operation(User("ann"), "PATCH", "/api/notes/note-berg", RENAME, 200),
    operation(User("ann"), "DELETE", "/api/notes/note-berg", "", 200),
    operation(Key("unknown"), "GET", "/api/v1/me", "", 401),
    operation(Key("ann-revoked"), "PATCH", "/api/v1/tasks/task-berg", RENAME, 401),
    operation(Key("ann-mcp"), "PATCH", "/api/v1/notes/note-berg", RENAME, 401),
    operation(Key("bob-rw"), "DELETE", "/api/v1/notes/note-berg", "", 401),
    operation(Key("cid-rw"), "GET", "/api/mcp/read/notes", "", 401),
    operation(User("nobody"), "GET", "/api/users/me/mcp-tokens", "", 401),
    operation(User("bob"), "POST", "/api/users/me/mcp-tokens", r#"{"mode":"v1_read"}"#, 403),
    operation(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-tal", RENAME, 404),
    operation(Key("ann-rw"), "PATCH", "/api/v1/notes/note-berg", r#"{"categoryId":"category-tal"}"#, 404),
    operation(User("ann"), "DELETE", "/api/users/me/mcp-tokens/bob-rw", "", 404),
    operation(Key("ann-rw"), "GET", "/api/v1/recipes", "", 404),
    operation(Key("ann-rw"), "PUT", "/api/v1/me", "", 405),
    operation(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", RENAME, 412).if_match("\"a\""),
    operation(Key("ann-rw"), "DELETE", "/api/v1/notes/note-berg", "", 412).if_match("\"a\""),
    operation(Key("eve-rw"), "PATCH", "/api/v1/tasks/task-tal", r#"{"isPrivate":true,"assigneeId":"ann"}"#, 422),
];
