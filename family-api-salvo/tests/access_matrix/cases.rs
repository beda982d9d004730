//! The requests to bearer routes and their expected results. No result is computed by the code under test.

/// The credential of a request to a bearer route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credential {
    Nothing,
    Cookie,
    Basic,
    MalformedToken,
    WrongChecksum,
    UnknownToken,
    TwoHeaders,
    Expired,
    Revoked,
    Environment,
    McpRead,
    V1Read,
    V1ReadWrite,
    V1Full,
    TasksWriteOnly,
    NotesWriteOnly,
    NoScopes,
    UnknownScopes,
}

impl Credential {
    pub(crate) const ALL: [Self; 18] = [
        Self::Nothing,
        Self::Cookie,
        Self::Basic,
        Self::MalformedToken,
        Self::WrongChecksum,
        Self::UnknownToken,
        Self::TwoHeaders,
        Self::Expired,
        Self::Revoked,
        Self::Environment,
        Self::McpRead,
        Self::V1Read,
        Self::V1ReadWrite,
        Self::V1Full,
        Self::TasksWriteOnly,
        Self::NotesWriteOnly,
        Self::NoScopes,
        Self::UnknownScopes,
    ];

    /// Returns the scopes of a valid token, or the error code of any other credential.
    pub(crate) fn scopes(self) -> Result<&'static [&'static str], &'static str> {
        match self {
            Self::Nothing | Self::Cookie | Self::Basic => Err("missing_token"),
            Self::MalformedToken
            | Self::WrongChecksum
            | Self::UnknownToken
            | Self::TwoHeaders
            | Self::Expired
            | Self::Revoked => Err("invalid_token"),
            Self::Environment | Self::McpRead => Ok(&["mcp.read"]),
            Self::V1Read => Ok(&["mcp.read", "v1.read"]),
            Self::V1ReadWrite => Ok(&["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"]),
            Self::V1Full => Ok(&[
                "mcp.read",
                "v1.read",
                "v1.tasks.write",
                "v1.notes.write",
                "v1.tasks.manage",
                "v1.notes.manage",
                "v1.events.write",
                "v1.shopping.write",
                "v1.boards.manage",
            ]),
            Self::TasksWriteOnly => Ok(&["v1.tasks.write"]),
            Self::NotesWriteOnly => Ok(&["v1.notes.write"]),
            Self::NoScopes => Ok(&[]),
            Self::UnknownScopes => Ok(&["v1.*", "mcp.read ", "V1.READ"]),
        }
    }
}

/// A request, and its expected result for an authorized caller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) body: Option<&'static str>,
    /// The required scope. `None` for unknown paths and wrong methods.
    pub(crate) scope: Option<&'static str>,
    pub(crate) status: u16,
    /// The `code` of an error, or empty.
    pub(crate) code: &'static str,
}

const fn case(
    method: &'static str,
    path: &'static str,
    scope: Option<&'static str>,
    status: u16,
    code: &'static str,
) -> Case {
    Case { method, path, body: None, scope, status, code }
}

const fn patch(path: &'static str, scope: &'static str, body: &'static str, status: u16, code: &'static str) -> Case {
    Case { method: "PATCH", path, body: Some(body), scope: Some(scope), status, code }
}

const fn post(path: &'static str, scope: &'static str, body: &'static str, status: u16, code: &'static str) -> Case {
    Case { method: "POST", path, body: Some(body), scope: Some(scope), status, code }
}

const READ: Option<&str> = Some("v1.read");
const MCP: Option<&str> = Some("mcp.read");
const TASKS: &str = "v1.tasks.write";
const NOTES: &str = "v1.notes.write";
const MANAGE: &str = "v1.tasks.manage";
const MANAGE_NOTES: &str = "v1.notes.manage";
const EVENTS: &str = "v1.events.write";
const SHOPPING: &str = "v1.shopping.write";
const BOARDS: &str = "v1.boards.manage";
/// The path of batches. Its cases change nothing: `batch` tests the writes.
pub(crate) const BATCH: &str = "/api/v1/batch";
const TITLE: &str = r#"{"title":"changed"}"#;
const NAME: &str = r#"{"name":"changed"}"#;

/// Requests to every bearer route for visible, hidden and missing records, to unknown paths, and with wrong methods.
/// Requests that change data are last.
pub(crate) static CASES: [Case; 189] = [
    case("GET", "/api/v1/me", READ, 200, ""),
    case("HEAD", "/api/v1/me", READ, 200, ""),
    case("GET", "/api/v1/read/tasks", READ, 200, ""),
    case("GET", "/api/v1/read/events", READ, 200, ""),
    case("GET", "/api/v1/read/shopping", READ, 200, ""),
    case("GET", "/api/v1/read/notes", READ, 200, ""),
    case("GET", "/api/v1/read/task_stats", READ, 200, ""),
    case("HEAD", "/api/v1/read/tasks", READ, 200, ""),
    case("GET", "/api/v1/read/overview", READ, 200, ""),
    case("HEAD", "/api/v1/read/overview", READ, 200, ""),
    case("GET", "/api/v1/read/overview?assignee=bob&days=31", READ, 200, ""),
    case("GET", "/api/v1/read/overview?assignee=zoe", READ, 400, "invalid_query"),
    case("GET", "/api/v1/read/overview?days=32", READ, 400, "invalid_query"),
    case("GET", "/api/v1/read/overview?completed=all", READ, 400, "invalid_query"),
    case("POST", "/api/v1/read/overview", None, 405, "method_not_allowed"),
    case("GET", "/api/v1/read/unknown", READ, 404, "not_found"),
    case("GET", "/api/v1/read/events?from=never", READ, 400, "invalid_query"),
    case("GET", "/api/v1/members", READ, 200, ""),
    case("GET", "/api/v1/boards", READ, 200, ""),
    case("GET", "/api/v1/shopping-lists", READ, 200, ""),
    case("GET", "/api/v1/tasks?completed=all", READ, 200, ""),
    case("GET", "/api/v1/shopping-items?checked=all", READ, 200, ""),
    case("GET", "/api/v1/changes", READ, 200, ""),
    case("HEAD", "/api/v1/changes?kinds=task,board", READ, 200, ""),
    case("GET", "/api/v1/changes?since=x", READ, 410, "sync_expired"),
    case("GET", "/api/v1/changes?kinds=tasks", READ, 400, "invalid_query"),
    case("POST", "/api/v1/changes", None, 405, "method_not_allowed"),
    case("GET", "/api/mcp/changes", None, 404, "not_found"),
    case("GET", "/api/v1/tasks/t-shared", READ, 200, ""),
    case("GET", "/api/v1/tasks/t-private-of-ann", READ, 200, ""),
    case("GET", "/api/v1/tasks/t-on-board-of-ann", READ, 200, ""),
    case("GET", "/api/v1/events/e-f", READ, 200, ""),
    case("GET", "/api/v1/shopping-items/i-open", READ, 200, ""),
    case("GET", "/api/v1/notes/n-own", READ, 200, ""),
    case("HEAD", "/api/v1/tasks", READ, 200, ""),
    case("HEAD", "/api/v1/notes/n-own", READ, 200, ""),
    case("GET", "/api/v1/tasks/t-private-of-bob", READ, 404, "not_found"),
    case("GET", "/api/v1/tasks/t-on-board-of-bob", READ, 404, "not_found"),
    case("GET", "/api/v1/tasks/t-foreign", READ, 404, "not_found"),
    case("GET", "/api/v1/tasks/missing", READ, 404, "not_found"),
    case("GET", "/api/v1/events/e-g", READ, 404, "not_found"),
    case("GET", "/api/v1/shopping-items/i-of-ann", READ, 404, "not_found"),
    case("GET", "/api/v1/shopping-items/i-of-bob", READ, 404, "not_found"),
    case("GET", "/api/v1/shopping-items/i-foreign", READ, 404, "not_found"),
    case("GET", "/api/v1/notes/n-foreign", READ, 404, "not_found"),
    case("GET", "/api/v1/notes/%20", READ, 404, "not_found"),
    case("GET", "/api/v1/tasks?board=b-of-bob", READ, 400, "invalid_query"),
    case("GET", "/api/v1/tasks?column=c-of-bob", READ, 400, "invalid_query"),
    case("GET", "/api/v1/tasks?column=c-foreign", READ, 400, "invalid_query"),
    case("GET", "/api/v1/tasks?assignee=zoe", READ, 400, "invalid_query"),
    case("GET", "/api/v1/shopping-items?list=l-of-bob", READ, 400, "invalid_query"),
    case("GET", "/api/v1/shopping-items?list=l-foreign", READ, 400, "invalid_query"),
    case("GET", "/api/v1/members?limit=1", READ, 400, "invalid_query"),
    case("GET", "/api/v1/tasks/t-foreign?x", READ, 400, "invalid_query"),
    case("POST", "/api/v1/members", None, 405, "method_not_allowed"),
    case("DELETE", "/api/v1/tasks", None, 405, "method_not_allowed"),
    case("POST", "/api/v1/shopping-items", None, 405, "method_not_allowed"),
    case("GET", "/api/v1/events", None, 405, "method_not_allowed"),
    case("GET", "/api/v1/boards/b-shared", None, 405, "method_not_allowed"),
    case("GET", "/api/v1/boards/b-shared/columns", None, 405, "method_not_allowed"),
    case("GET", "/api/v1/note-categories", None, 405, "method_not_allowed"),
    case("POST", "/api/v1/boards/b-shared/restore", None, 404, "not_found"),
    case("GET", "/api/mcp/members", None, 404, "not_found"),
    case("GET", "/api/mcp/notes/n-own", None, 404, "not_found"),
    case("GET", BATCH, None, 405, "method_not_allowed"),
    case("POST", "/api/mcp/batch", None, 404, "not_found"),
    post(BATCH, "v1.read", r#"{"requests":[]}"#, 422, "invalid_field"),
    case("GET", "/api/v1", None, 404, "not_found"),
    case("GET", "/api/v1/unknown", None, 404, "not_found"),
    case("PROPFIND", "/api/v1/unknown/deeper", None, 404, "not_found"),
    case("POST", "/api/v1/me", None, 405, "method_not_allowed"),
    case("DELETE", "/api/v1/me", None, 405, "method_not_allowed"),
    case("OPTIONS", "/api/v1/me", None, 405, "method_not_allowed"),
    case("POST", "/api/v1/read/tasks", None, 405, "method_not_allowed"),
    case("PATCH", "/api/v1/read/unknown", None, 405, "method_not_allowed"),
    case("PUT", "/api/v1/tasks", None, 405, "method_not_allowed"),
    case("GET", "/api/v1/tasks/t-shared/restore", None, 405, "method_not_allowed"),
    case("PUT", "/api/v1/notes/n-own", None, 405, "method_not_allowed"),
    case("GET", "/api/mcp/read/tasks", MCP, 200, ""),
    case("GET", "/api/mcp/read/events", MCP, 200, ""),
    case("GET", "/api/mcp/read/shopping", MCP, 200, ""),
    case("GET", "/api/mcp/read/notes", MCP, 200, ""),
    case("GET", "/api/mcp/read/task_stats", MCP, 200, ""),
    case("HEAD", "/api/mcp/read/notes", MCP, 200, ""),
    case("GET", "/api/mcp/read/overview", MCP, 200, ""),
    case("GET", "/api/mcp/read/overview?days=x", MCP, 400, "invalid_query"),
    case("DELETE", "/api/mcp/read/overview", None, 405, "method_not_allowed"),
    case("GET", "/api/mcp/read/unknown", MCP, 404, "not_found"),
    case("GET", "/api/mcp/read/tasks?completed=maybe", MCP, 400, "invalid_query"),
    case("GET", "/api/mcp", None, 404, "not_found"),
    case("GET", "/api/mcp/tasks", None, 404, "not_found"),
    case("PATCH", "/api/mcp/tasks/t-shared", None, 404, "not_found"),
    case("POST", "/api/mcp/read/tasks", None, 405, "method_not_allowed"),
    case("PATCH", "/api/mcp/read/tasks", None, 405, "method_not_allowed"),
    case("DELETE", "/api/mcp/read/notes", None, 405, "method_not_allowed"),
    patch("/api/v1/tasks/t-foreign", TASKS, TITLE, 404, "not_found"),
    patch("/api/v1/tasks/t-private-of-bob", TASKS, TITLE, 404, "not_found"),
    patch("/api/v1/tasks/t-on-board-of-bob", TASKS, TITLE, 404, "not_found"),
    patch("/api/v1/tasks/missing", TASKS, TITLE, 404, "not_found"),
    patch("/api/v1/tasks/%20", TASKS, TITLE, 404, "not_found"),
    patch("/api/v1/tasks/t-foreign", TASKS, r#"{"colour":1}"#, 422, "invalid_field"),
    patch("/api/v1/tasks/t-shared", TASKS, r#"{"columnId":"c-foreign"}"#, 404, "not_found"),
    patch("/api/v1/tasks/t-shared", TASKS, r#"{"columnId":"c-of-bob"}"#, 404, "not_found"),
    patch("/api/v1/tasks/t-shared", TASKS, r#"{"assigneeId":"zoe"}"#, 422, "invalid_field"),
    patch("/api/v1/tasks/t-shared", TASKS, r#"{"type":"move-task","columnId":"c-of-bob","order":0}"#, 404, "not_found"),
    patch("/api/v1/notes/n-foreign", NOTES, TITLE, 404, "not_found"),
    patch("/api/v1/notes/missing", NOTES, TITLE, 404, "not_found"),
    patch("/api/v1/notes/n-own", NOTES, r#"{"categoryId":"cat-foreign"}"#, 404, "not_found"),
    patch("/api/v1/notes/n-own", NOTES, r#"{"title":7}"#, 422, "invalid_field"),
    case("DELETE", "/api/v1/notes/n-foreign", Some(NOTES), 404, "not_found"),
    case("DELETE", "/api/v1/notes/missing", Some(NOTES), 404, "not_found"),
    post("/api/v1/tasks", MANAGE, r#"{"title":"new","columnId":"c-of-bob"}"#, 404, "not_found"),
    post("/api/v1/tasks", MANAGE, r#"{"title":"new","assigneeId":"zoe"}"#, 422, "invalid_field"),
    post("/api/v1/tasks", MANAGE, "{}", 422, "invalid_field"),
    post("/api/v1/notes", MANAGE_NOTES, r#"{"title":"new","categoryId":"cat-foreign"}"#, 404, "not_found"),
    post("/api/v1/events", EVENTS, r#"{"title":"new"}"#, 422, "invalid_field"),
    post("/api/v1/shopping-lists", BOARDS, "{}", 422, "invalid_field"),
    post("/api/v1/shopping-lists/l-of-bob/items", SHOPPING, r#"{"name":"new"}"#, 404, "not_found"),
    post("/api/v1/shopping-lists/l-foreign/items", SHOPPING, r#"{"name":"new"}"#, 404, "not_found"),
    patch("/api/v1/events/e-g", EVENTS, TITLE, 404, "not_found"),
    patch("/api/v1/shopping-items/i-shared", SHOPPING, r#"{"checked":true}"#, 404, "not_found"),
    case("DELETE", "/api/v1/tasks/t-private-of-bob", Some(MANAGE), 404, "not_found"),
    case("DELETE", "/api/v1/tasks/t-foreign", Some(MANAGE), 404, "not_found"),
    case("DELETE", "/api/v1/events/e-g", Some(EVENTS), 404, "not_found"),
    patch("/api/v1/events/e-g/occurrences/20261121T120000Z", EVENTS, TITLE, 404, "not_found"),
    patch("/api/v1/events/e-f/occurrences/20261121T130000Z", EVENTS, TITLE, 404, "not_found"),
    patch("/api/v1/events/e-f/occurrences/2026-11-21", EVENTS, TITLE, 404, "not_found"),
    patch("/api/v1/events/e-f/occurrences/20261121", EVENTS, r#"{"allDay":true}"#, 422, "invalid_field"),
    patch("/api/v1/events/e-f/occurrences/20261121?scope=every", EVENTS, TITLE, 422, "invalid_field"),
    case("DELETE", "/api/v1/events/e-g/occurrences/20261121", Some(EVENTS), 404, "not_found"),
    case("POST", "/api/v1/events/e-g/occurrences/20261121/restore", Some(EVENTS), 404, "not_found"),
    case("DELETE", "/api/v1/shopping-items/i-of-bob", Some(SHOPPING), 404, "not_found"),
    case("DELETE", "/api/v1/shopping-lists/l-of-bob/items?checked=true", Some(SHOPPING), 404, "not_found"),
    case("DELETE", "/api/v1/shopping-lists/l-shared/items", Some(SHOPPING), 400, "invalid_query"),
    case("POST", "/api/v1/tasks/t-private-of-bob/restore", Some(MANAGE), 404, "not_found"),
    case("POST", "/api/v1/tasks/missing/restore", Some(MANAGE), 404, "not_found"),
    case("POST", "/api/v1/notes/n-foreign/restore", Some(MANAGE_NOTES), 404, "not_found"),
    case("POST", "/api/v1/events/e-g/restore", Some(EVENTS), 404, "not_found"),
    case("POST", "/api/v1/shopping-items/i-of-bob/restore", Some(SHOPPING), 404, "not_found"),
    post("/api/v1/boards", BOARDS, "{}", 422, "invalid_field"),
    post("/api/v1/boards/b-of-bob/columns", BOARDS, NAME, 404, "not_found"),
    post("/api/v1/boards/b-foreign/columns", BOARDS, NAME, 404, "not_found"),
    post("/api/v1/note-categories", MANAGE_NOTES, "{}", 422, "invalid_field"),
    patch("/api/v1/boards/b-of-bob", BOARDS, NAME, 404, "not_found"),
    patch("/api/v1/columns/c-of-bob", BOARDS, NAME, 404, "not_found"),
    patch("/api/v1/columns/c-foreign", BOARDS, NAME, 404, "not_found"),
    patch("/api/v1/shopping-lists/l-of-bob", BOARDS, NAME, 404, "not_found"),
    patch("/api/v1/note-categories/cat-foreign", MANAGE_NOTES, NAME, 404, "not_found"),
    case("DELETE", "/api/v1/boards/b-of-bob", Some(BOARDS), 404, "not_found"),
    case("DELETE", "/api/v1/boards/b-shared", Some(BOARDS), 409, "not_empty"),
    case("DELETE", "/api/v1/columns/c-of-bob", Some(BOARDS), 404, "not_found"),
    case("DELETE", "/api/v1/columns/c-shared", Some(BOARDS), 409, "not_empty"),
    case("DELETE", "/api/v1/shopping-lists/l-of-bob", Some(BOARDS), 404, "not_found"),
    case("DELETE", "/api/v1/shopping-lists/l-shared", Some(BOARDS), 409, "not_empty"),
    case("DELETE", "/api/v1/note-categories/cat-foreign", Some(MANAGE_NOTES), 404, "not_found"),
    case("DELETE", "/api/v1/note-categories/cat-own", Some(MANAGE_NOTES), 409, "not_empty"),
    post("/api/v1/boards", BOARDS, NAME, 201, ""),
    post("/api/v1/boards/b-of-ann/columns", BOARDS, NAME, 201, ""),
    patch("/api/v1/boards/b-shared", BOARDS, NAME, 200, ""),
    patch("/api/v1/columns/c-shared", BOARDS, NAME, 200, ""),
    patch("/api/v1/shopping-lists/l-shared", BOARDS, NAME, 200, ""),
    patch("/api/v1/note-categories/cat-own", MANAGE_NOTES, NAME, 200, ""),
    post("/api/v1/tasks", MANAGE, r#"{"title":"new"}"#, 201, ""),
    post("/api/v1/notes", MANAGE_NOTES, r#"{"title":"new"}"#, 201, ""),
    post("/api/v1/events", EVENTS, r#"{"title":"new","startDate":"2026-12-24","endDate":"2026-12-24"}"#, 201, ""),
    post("/api/v1/shopping-lists", BOARDS, r#"{"name":"new"}"#, 201, ""),
    post("/api/v1/shopping-lists/l-shared/items", SHOPPING, r#"{"name":"new"}"#, 201, ""),
    patch("/api/v1/events/e-f", EVENTS, TITLE, 200, ""),
    patch("/api/v1/events/e-f/occurrences/20261121T120000Z", EVENTS, r#"{"title":"moved"}"#, 200, ""),
    case("POST", "/api/v1/events/e-f/occurrences/20261121T120000Z/restore", Some(EVENTS), 200, ""),
    case("DELETE", "/api/v1/events/e-f/occurrences/20261122?scope=this", Some(EVENTS), 200, ""),
    case("DELETE", "/api/v1/events/e-f/occurrences/20261122", Some(EVENTS), 404, "not_found"),
    case("POST", "/api/v1/events/e-f/occurrences/20261122/restore", Some(EVENTS), 200, ""),
    patch("/api/v1/events/e-f/occurrences/20261122?scope=following", EVENTS, TITLE, 201, ""),
    case("DELETE", "/api/v1/events/e-f", Some(EVENTS), 200, ""),
    case("POST", "/api/v1/events/e-f/restore", Some(EVENTS), 200, ""),
    patch("/api/v1/tasks/t-shared", TASKS, TITLE, 200, ""),
    patch("/api/v1/tasks/t-private-of-ann", TASKS, TITLE, 200, ""),
    patch("/api/v1/tasks/t-on-board-of-ann", TASKS, TITLE, 200, ""),
    patch("/api/v1/notes/n-own", NOTES, TITLE, 200, ""),
    case("DELETE", "/api/v1/tasks/t-shared", Some(MANAGE), 200, ""),
    case("POST", "/api/v1/tasks/t-shared/restore", Some(MANAGE), 200, ""),
    case("DELETE", "/api/v1/notes/n-own", Some(NOTES), 200, ""),
    case("POST", "/api/v1/notes/n-own/restore", Some(MANAGE_NOTES), 200, ""),
    patch("/api/v1/shopping-items/i-open", SHOPPING, r#"{"checked":true}"#, 200, ""),
    case("DELETE", "/api/v1/shopping-lists/l-shared/items?checked=true", Some(SHOPPING), 200, ""),
    case("POST", "/api/v1/shopping-items/i-open/restore", Some(SHOPPING), 200, ""),
    case("DELETE", "/api/v1/shopping-items/i-open", Some(SHOPPING), 200, ""),
    case("DELETE", "/api/v1/shopping-items/i-open", Some(SHOPPING), 404, "not_found"),
];

/// The state of the user who owns the credential.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) personal_api_enabled: bool,
    pub(crate) has_family: bool,
}

/// Returns the scopes that a route may check, or the code of the 401 that every route of the surface returns.
pub(crate) fn scopes_on(
    is_v1: bool,
    credential: Credential,
    owner: Owner,
) -> Result<&'static [&'static str], &'static str> {
    let scopes = credential.scopes()?;
    match (credential, owner) {
        (Credential::Environment, _) if is_v1 => Err("invalid_token"),
        (_, Owner { personal_api_enabled: false, .. }) if is_v1 => Err("api_disabled"),
        (_, Owner { has_family: false, .. }) => Err("no_family"),
        _ => Ok(scopes),
    }
}

/// Returns the expected status and `code`.
pub(crate) fn expected(credential: Credential, owner: Owner, case: &Case) -> (u16, &'static str) {
    match (scopes_on(case.path.starts_with("/api/v1"), credential, owner), case.scope) {
        (Err(code), _) => (401, code),
        (Ok(scopes), Some(scope)) if !scopes.contains(&scope) => (401, "insufficient_scope"),
        _ => (case.status, case.code),
    }
}
