//! Checks the result of every session route for every kind of caller, owner state and kind of record.

use std::sync::Arc;

use family_api_core::storage::Storage;
use salvo::test::RequestBuilder;

use crate::cases::{Case, Credential, Owner};
use crate::fixture::{plaintext, seeded_storage, service};
use crate::storage_snapshot::ChangeCheck;
use crate::storages::{StorageKind, on_every_storage};
use crate::{OWNERS, send};

/// The caller of a session route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionCaller {
    Anonymous,
    /// A valid token. Session routes do not accept tokens.
    Token,
    /// A user who does not exist.
    UnknownUser,
    Ann,
    /// Ann, but the request comes from a page of another site.
    AnnCrossSite,
}

impl SessionCaller {
    const ALL: [Self; 5] = [Self::Anonymous, Self::Token, Self::UnknownUser, Self::Ann, Self::AnnCrossSite];

    fn add_credential(self, request: RequestBuilder) -> RequestBuilder {
        match self {
            Self::Anonymous => request,
            Self::Token => {
                request.add_header("authorization", format!("Bearer {}", plaintext(Credential::V1ReadWrite)), true)
            }
            Self::UnknownUser => request.add_header("cookie", "user=ghost", true),
            Self::Ann => request.add_header("cookie", "user=ann", true),
            Self::AnnCrossSite => {
                request.add_header("cookie", "user=ann", true).add_header("sec-fetch-site", "cross-site", true)
            }
        }
    }
}

/// What a route requires in addition to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement {
    Nothing,
    /// The user must have a family.
    Family,
    /// The user must have the personal API switched on.
    PersonalApi,
}

const fn case(
    method: &'static str,
    path: &'static str,
    body: Option<&'static str>,
    status: u16,
    code: &'static str,
) -> Case {
    Case { method, path, body, scope: None, status, code }
}

const NAME: Option<&str> = Some(r#"{"name":"changed"}"#);
const CHECK: Option<&str> = Some(r#"{"checked":true}"#);
const TITLE: Option<&str> = Some(r#"{"title":"changed"}"#);

/// All session routes. Requests that change data are last.
pub(crate) const CASES: [(Requirement, Case); 96] = [
    (Requirement::Nothing, case("GET", "/api/users/me", None, 200, "")),
    (Requirement::Nothing, case("HEAD", "/api/users/me", None, 200, "")),
    (Requirement::Nothing, case("GET", "/api/users/me/mcp-tokens", None, 200, "")),
    (Requirement::Nothing, case("GET", "/api/users/me/connections", None, 200, "")),
    (Requirement::Nothing, case("GET", "/api/users/me/calendar-feeds", None, 200, "")),
    (Requirement::Nothing, case("POST", "/api/users/me/calendar-feeds", Some(r#"{"name":""}"#), 422, "invalid_field")),
    (Requirement::Nothing, case("PUT", "/api/users/me/calendar-feeds", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("GET", "/api/users/me/calendar-feeds/missing", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("PATCH", "/api/users/me/calendar-feeds/missing", NAME, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/calendar-feeds/missing", None, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/calendar-feeds/%ff", None, 404, "not_found")),
    (Requirement::Family, case("GET", "/api/users/me/calendar-feed-choices", None, 200, "")),
    (Requirement::Nothing, case("PATCH", "/api/users/me/calendar-feed-choices", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("POST", "/api/users/me", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("PUT", "/api/users/me/mcp-tokens", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("GET", "/api/users/me/mcp-tokens/k-of-ann", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("POST", "/api/users/me/connections", None, 405, "method_not_allowed")),
    (Requirement::Family, case("GET", "/api/users/me/deleted", None, 200, "")),
    (Requirement::Family, case("GET", "/api/users/me/deleted?kind=board", None, 400, "invalid_query")),
    (Requirement::Nothing, case("POST", "/api/users/me/deleted", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("GET", "/api/users/me/access", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("GET", "/api/users/me/connections/missing", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("GET", "/api/tasks/t-shared", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("GET", "/api/boards", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("PUT", "/api/notes/n-own", None, 405, "method_not_allowed")),
    (Requirement::Nothing, case("PATCH", "/api/users/me", Some(r#"{"name":"x"}"#), 422, "invalid_field")),
    (Requirement::Nothing, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"all"}"#), 422, "invalid_field")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/mcp-tokens/k-of-bob", None, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/mcp-tokens/k-revoked", None, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/mcp-tokens/missing", None, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/mcp-tokens/%ff", None, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/connections/missing", None, 404, "not_found")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/connections/%ff", None, 404, "not_found")),
    (Requirement::Nothing, case("PATCH", "/api/tasks/t-foreign", Some(r#"{"title":""}"#), 422, "invalid_field")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-foreign", TITLE, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-private-of-bob", TITLE, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-on-board-of-bob", TITLE, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-shared", Some(r#"{"columnId":"c-of-bob"}"#), 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-shared", Some(r#"{"assigneeId":"zoe"}"#), 422, "invalid_field")),
    (Requirement::Family, case("PATCH", "/api/notes/n-foreign", TITLE, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/notes/n-own", Some(r#"{"categoryId":"cat-foreign"}"#), 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/notes/n-foreign", None, 404, "not_found")),
    (Requirement::Nothing, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"mcp_read"}"#), 201, "")),
    (Requirement::PersonalApi, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"v1_read"}"#), 201, "")),
    (Requirement::PersonalApi, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"v1_read_write"}"#), 201, "")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/mcp-tokens/k-of-ann", None, 200, "")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-shared", TITLE, 200, "")),
    (Requirement::Family, case("PATCH", "/api/tasks/t-on-board-of-ann", TITLE, 200, "")),
    (Requirement::Family, case("PATCH", "/api/notes/n-own", TITLE, 200, "")),
    (Requirement::Family, case("DELETE", "/api/note-categories/cat-own", None, 409, "not_empty")),
    (Requirement::Family, case("DELETE", "/api/note-categories/cat-foreign", None, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/note-categories/cat-own", NAME, 200, "")),
    (Requirement::Family, case("DELETE", "/api/notes/n-own", None, 200, "")),
    (Requirement::Family, case("POST", "/api/notes/n-own/restore", None, 200, "")),
    (Requirement::Family, case("POST", "/api/notes/n-foreign/restore", None, 404, "not_found")),
    (Requirement::Family, case("POST", "/api/notes", TITLE, 201, "")),
    (Requirement::Nothing, case("POST", "/api/note-categories", Some("{}"), 422, "invalid_field")),
    (Requirement::Nothing, case("POST", "/api/events", TITLE, 422, "invalid_field")),
    (Requirement::Family, case("PATCH", "/api/events/e-f", TITLE, 200, "")),
    (Requirement::Family, case("PATCH", "/api/events/e-g", TITLE, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/events/e-g/occurrences/20261121", TITLE, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/events/e-f/occurrences/20261121", Some(r#"{"title":"moved"}"#), 200, "")),
    (Requirement::Family, case("DELETE", "/api/events/e-f/occurrences/20261121", None, 200, "")),
    (Requirement::Family, case("POST", "/api/events/e-f/occurrences/20261121/restore", None, 200, "")),
    (Requirement::Family, case("DELETE", "/api/events/e-g", None, 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/events/e-f", None, 200, "")),
    (Requirement::Family, case("POST", "/api/events/e-f/restore", None, 200, "")),
    (Requirement::Family, case("PATCH", "/api/shopping-items/i-shared", NAME, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/shopping-items/i-open", CHECK, 200, "")),
    (Requirement::Family, case("DELETE", "/api/shopping-lists/l-of-bob/items?checked=true", None, 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/shopping-lists/l-shared/items?checked=true", None, 200, "")),
    (Requirement::Family, case("POST", "/api/shopping-items/i-open/restore", None, 200, "")),
    (Requirement::Family, case("DELETE", "/api/shopping-items/i-open", None, 200, "")),
    (Requirement::Family, case("DELETE", "/api/shopping-items/i-of-bob", None, 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/columns/c-of-bob", None, 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/columns/c-shared", None, 409, "not_empty")),
    (Requirement::Family, case("PATCH", "/api/columns/c-shared", NAME, 200, "")),
    (Requirement::Family, case("POST", "/api/boards/b-of-bob/columns", NAME, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/boards/b-of-bob", NAME, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/columns/c-of-bob", NAME, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/shopping-lists/l-of-bob", NAME, 404, "not_found")),
    (Requirement::Family, case("PATCH", "/api/note-categories/cat-foreign", NAME, 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/boards/b-of-bob", None, 404, "not_found")),
    (Requirement::Family, case("DELETE", "/api/boards/b-shared", None, 409, "not_empty")),
    (Requirement::Family, case("DELETE", "/api/shopping-lists/l-shared", None, 409, "not_empty")),
    (Requirement::Family, case("POST", "/api/tasks", TITLE, 201, "")),
    (Requirement::Family, case("POST", "/api/boards", NAME, 201, "")),
    (Requirement::Family, case("POST", "/api/boards/b-of-ann/columns", NAME, 201, "")),
    (Requirement::Family, case("POST", "/api/shopping-lists", NAME, 201, "")),
    (Requirement::Family, case("POST", "/api/shopping-lists/l-of-ann/items", NAME, 201, "")),
    (Requirement::Family, case("PATCH", "/api/boards/b-shared", NAME, 200, "")),
    (Requirement::Family, case("PATCH", "/api/shopping-lists/l-shared", NAME, 200, "")),
    (Requirement::Family, case("DELETE", "/api/tasks/t-shared", None, 200, "")),
    (Requirement::Family, case("POST", "/api/tasks/t-shared/restore", None, 200, "")),
    (Requirement::Nothing, case("PATCH", "/api/users/me", Some(r#"{"personalApiEnabled":true}"#), 200, "")),
    (Requirement::Nothing, case("DELETE", "/api/users/me/access", None, 200, "")),
];

fn expected(caller: SessionCaller, owner: Owner, requirement: Requirement, case: &Case) -> (u16, &'static str) {
    let is_read = matches!(case.method, "GET" | "HEAD");
    match (caller, requirement) {
        (SessionCaller::Anonymous | SessionCaller::Token | SessionCaller::UnknownUser, _) => (401, "not_signed_in"),
        (SessionCaller::AnnCrossSite, _) if !is_read => (403, "cross_site_request"),
        (_, Requirement::Family) if !owner.has_family => (404, "not_found"),
        (_, Requirement::PersonalApi) if !owner.personal_api_enabled => (403, "api_disabled"),
        _ => (case.status, case.code),
    }
}

async fn run_cases(storage: Arc<dyn Storage>, caller: SessionCaller, owner: Owner) {
    let service = service(storage.clone());
    let mut changes = ChangeCheck::new(storage).await;
    for (requirement, case) in &CASES {
        let label = format!("{caller:?} {owner:?} {} {} {:?}", case.method, case.path, case.body);
        let (status, code) = expected(caller, owner, *requirement, case);
        let is_already_enabled = case.path == "/api/users/me" && owner.personal_api_enabled;
        let is_change = status < 300 && !matches!(case.method, "GET" | "HEAD") && !is_already_enabled;
        let request = send(&service, case, |request| caller.add_credential(request));
        let actual = changes.during(&label, is_change, request).await;
        assert_eq!(actual.status, status, "{label}: {}", actual.body);
        if case.method != "HEAD" {
            assert_eq!(actual.code, code, "{label}: {}", actual.body);
        }
    }
    changes.assert_unchanged().await;
}

on_every_storage! {
    async fn every_session_request_has_the_expected_result(kind: StorageKind) {
        for caller in SessionCaller::ALL {
            for owner in OWNERS {
                let (storage, _location) = seeded_storage(kind, owner).await;
                run_cases(storage, caller, owner).await;
            }
        }
    }
}
