//! Requests of every route: those that have an effect, those that have none, and those that are refused.

use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::support::{bearer, session};

/// A request, and the status that it has where nothing goes wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Act {
    who: Who,
    method: &'static str,
    path: &'static str,
    condition: &'static str,
    body: &'static str,
    pub(super) status: u16,
}

#[derive(Debug, Clone, Copy)]
enum Who {
    Key(&'static str),
    User(&'static str),
}
use Who::{Key, User};

const fn act(who: Who, method: &'static str, path: &'static str, body: &'static str, status: u16) -> Act {
    Act { who, method, path, condition: "", body, status }
}

impl Act {
    const fn under(self, condition: &'static str) -> Self {
        Self { condition, ..self }
    }

    /// Whether it finds nothing to do once it is done.
    pub(super) fn takes_away(&self) -> bool {
        self.method == "DELETE"
    }

    pub(super) fn request(&self) -> RequestBuilder {
        let method: Method = self.method.parse().unwrap();
        let request = match self.who {
            Key(key) => bearer(key, method, self.path),
            User(user) => session(user, method, self.path),
        };
        let request = if self.body.is_empty() { request } else { request.raw_json(self.body) };
        if self.condition.is_empty() { request } else { request.add_header("if-match", self.condition, true) }
    }
}

const RENAME: &str = r#"{"title":"other"}"#;

pub(super) const ACTS: [Act; 38] = [
    act(Key("ann-rw"), "GET", "/api/v1/me", "", 200),
    act(Key("ann-rw"), "GET", "/api/v1/read/tasks", "", 200),
    act(Key("ann-rw"), "GET", "/api/v1/read/events?from=2026-11-20", "", 200),
    act(Key("ann-rw"), "GET", "/api/v1/read/shopping", "", 200),
    act(Key("ann-rw"), "GET", "/api/v1/read/notes", "", 200),
    act(Key("ann-rw"), "GET", "/api/v1/read/task_stats", "", 200),
    act(Key("ann-mcp"), "GET", "/api/mcp/read/tasks", "", 200),
    act(Key("ann-mcp"), "HEAD", "/api/mcp/read/notes", "", 200),
    act(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", RENAME, 200),
    act(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", r#"{"title":"other","completed":true,"order":9}"#, 200),
    act(
        Key("ann-rw"),
        "PATCH",
        "/api/v1/tasks/task-berg",
        r#"{"type":"move-task","columnId":"column-berg","order":5}"#,
        200,
    ),
    act(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", "{}", 200),
    act(Key("ann-rw"), "PATCH", "/api/v1/notes/note-berg", r#"{"title":"other","tags":["a"]}"#, 200),
    act(Key("ann-rw"), "DELETE", "/api/v1/notes/note-berg", "", 200),
    act(Key("ann-rw"), "DELETE", "/api/v1/notes/note-berg", "", 200).under("*"),
    act(User("ann"), "GET", "/api/users/me", "", 200),
    act(User("ann"), "PATCH", "/api/users/me", r#"{"personalApiEnabled":false}"#, 200),
    act(User("ann"), "POST", "/api/users/me/mcp-tokens", r#"{"mode":"v1_read","name":"new"}"#, 201),
    act(User("ann"), "GET", "/api/users/me/mcp-tokens", "", 200),
    act(User("ann"), "DELETE", "/api/users/me/mcp-tokens/ann-none", "", 200),
    act(User("ann"), "PATCH", "/api/tasks/task-berg", RENAME, 200),
    act(User("ann"), "PATCH", "/api/notes/note-berg", RENAME, 200),
    act(User("ann"), "DELETE", "/api/notes/note-berg", "", 200),
    act(Key("nobodys"), "GET", "/api/v1/me", "", 401),
    act(Key("ann-revoked"), "PATCH", "/api/v1/tasks/task-berg", RENAME, 401),
    act(Key("ann-mcp"), "PATCH", "/api/v1/notes/note-berg", RENAME, 401),
    act(Key("bob-rw"), "DELETE", "/api/v1/notes/note-berg", "", 401),
    act(Key("cid-rw"), "GET", "/api/mcp/read/notes", "", 401),
    act(User("nobody"), "GET", "/api/users/me/mcp-tokens", "", 401),
    act(User("bob"), "POST", "/api/users/me/mcp-tokens", r#"{"mode":"v1_read"}"#, 403),
    act(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-tal", RENAME, 404),
    act(Key("ann-rw"), "PATCH", "/api/v1/notes/note-berg", r#"{"categoryId":"category-tal"}"#, 404),
    act(User("ann"), "DELETE", "/api/users/me/mcp-tokens/bob-rw", "", 404),
    act(Key("ann-rw"), "GET", "/api/v1/recipes", "", 404),
    act(Key("ann-rw"), "PUT", "/api/v1/me", "", 405),
    act(Key("ann-rw"), "PATCH", "/api/v1/tasks/task-berg", RENAME, 412).under("\"a\""),
    act(Key("ann-rw"), "DELETE", "/api/v1/notes/note-berg", "", 412).under("\"a\""),
    act(Key("eve-rw"), "PATCH", "/api/v1/tasks/task-tal", r#"{"isPrivate":true,"assigneeId":"ann"}"#, 404),
];
