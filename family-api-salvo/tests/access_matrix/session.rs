//! The session routes: user × flag × family × route × own, foreign or private object × site.

use std::sync::Arc;

use family_api_core::storage::Storage;
use salvo::test::RequestBuilder;

use crate::fixture::{plaintext, seeded, service};
use crate::storages::{StorageKind, on_every_storage};
use crate::stored::Stored;
use crate::table::{Case, Credential, Owner};
use crate::{OWNERS, send};

/// The caller of a session route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Session {
    Anonymous,
    /// A valid token. Session routes do not accept tokens.
    Token,
    /// A user who does not exist.
    UnknownUser,
    Ann,
    /// Ann, with a cross-site request.
    AnnCrossSite,
}

impl Session {
    const ALL: [Self; 5] = [Self::Anonymous, Self::Token, Self::UnknownUser, Self::Ann, Self::AnnCrossSite];

    fn present(self, request: RequestBuilder) -> RequestBuilder {
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
enum Needs {
    Nothing,
    Family,
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

const TITLE: Option<&str> = Some(r#"{"title":"changed"}"#);

/// All session routes. Requests that change data are last.
const CASES: [(Needs, Case); 33] = [
    (Needs::Nothing, case("GET", "/api/users/me", None, 200, "")),
    (Needs::Nothing, case("HEAD", "/api/users/me", None, 200, "")),
    (Needs::Nothing, case("GET", "/api/users/me/mcp-tokens", None, 200, "")),
    (Needs::Nothing, case("POST", "/api/users/me", None, 405, "method_not_allowed")),
    (Needs::Nothing, case("PUT", "/api/users/me/mcp-tokens", None, 405, "method_not_allowed")),
    (Needs::Nothing, case("GET", "/api/users/me/mcp-tokens/k-of-ann", None, 405, "method_not_allowed")),
    (Needs::Nothing, case("GET", "/api/tasks/t-shared", None, 405, "method_not_allowed")),
    (Needs::Nothing, case("DELETE", "/api/tasks/t-shared", None, 405, "method_not_allowed")),
    (Needs::Nothing, case("PUT", "/api/notes/n-own", None, 405, "method_not_allowed")),
    (Needs::Nothing, case("PATCH", "/api/users/me", Some(r#"{"name":"x"}"#), 422, "invalid_field")),
    (Needs::Nothing, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"all"}"#), 422, "invalid_field")),
    (Needs::Nothing, case("DELETE", "/api/users/me/mcp-tokens/k-of-bob", None, 404, "not_found")),
    (Needs::Nothing, case("DELETE", "/api/users/me/mcp-tokens/k-revoked", None, 404, "not_found")),
    (Needs::Nothing, case("DELETE", "/api/users/me/mcp-tokens/missing", None, 404, "not_found")),
    (Needs::Nothing, case("DELETE", "/api/users/me/mcp-tokens/%ff", None, 404, "not_found")),
    (Needs::Nothing, case("PATCH", "/api/tasks/t-foreign", Some(r#"{"title":""}"#), 422, "invalid_field")),
    (Needs::Family, case("PATCH", "/api/tasks/t-foreign", TITLE, 404, "not_found")),
    (Needs::Family, case("PATCH", "/api/tasks/t-private-of-bob", TITLE, 404, "not_found")),
    (Needs::Family, case("PATCH", "/api/tasks/t-on-board-of-bob", TITLE, 404, "not_found")),
    (Needs::Family, case("PATCH", "/api/tasks/t-shared", Some(r#"{"columnId":"c-of-bob"}"#), 404, "not_found")),
    (Needs::Family, case("PATCH", "/api/tasks/t-shared", Some(r#"{"assigneeId":"zoe"}"#), 404, "not_found")),
    (Needs::Family, case("PATCH", "/api/notes/n-foreign", TITLE, 404, "not_found")),
    (Needs::Family, case("PATCH", "/api/notes/n-own", Some(r#"{"categoryId":"cat-foreign"}"#), 404, "not_found")),
    (Needs::Family, case("DELETE", "/api/notes/n-foreign", None, 404, "not_found")),
    (Needs::Nothing, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"mcp_read"}"#), 201, "")),
    (Needs::PersonalApi, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"v1_read"}"#), 201, "")),
    (Needs::PersonalApi, case("POST", "/api/users/me/mcp-tokens", Some(r#"{"mode":"v1_read_write"}"#), 201, "")),
    (Needs::Nothing, case("DELETE", "/api/users/me/mcp-tokens/k-of-ann", None, 200, "")),
    (Needs::Family, case("PATCH", "/api/tasks/t-shared", TITLE, 200, "")),
    (Needs::Family, case("PATCH", "/api/tasks/t-on-board-of-ann", TITLE, 200, "")),
    (Needs::Family, case("PATCH", "/api/notes/n-own", TITLE, 200, "")),
    (Needs::Family, case("DELETE", "/api/notes/n-own", None, 200, "")),
    (Needs::Nothing, case("PATCH", "/api/users/me", Some(r#"{"personalApiEnabled":true}"#), 200, "")),
];

fn expected(session: Session, owner: Owner, needs: Needs, case: &Case) -> (u16, &'static str) {
    let reads = matches!(case.method, "GET" | "HEAD");
    match (session, needs) {
        (Session::Anonymous | Session::Token | Session::UnknownUser, _) => (401, "not_signed_in"),
        (Session::AnnCrossSite, _) if !reads => (403, "cross_site_request"),
        (_, Needs::Family) if !owner.has_family => (404, "not_found"),
        (_, Needs::PersonalApi) if !owner.personal_api_enabled => (403, "api_disabled"),
        _ => (case.status, case.code),
    }
}

async fn run(storage: Arc<dyn Storage>, session: Session, owner: Owner) {
    let service = service(storage.clone());
    let mut stored = Stored::new(storage).await;
    for (needs, case) in &CASES {
        let cell = format!("{session:?} {owner:?} {} {} {:?}", case.method, case.path, case.body);
        let (status, code) = expected(session, owner, *needs, case);
        let is_switched_on = case.path == "/api/users/me" && owner.personal_api_enabled;
        let changes = status < 300 && !matches!(case.method, "GET" | "HEAD") && !is_switched_on;
        if changes {
            stored.assert_unchanged().await;
        }
        let answer = send(&service, case, |request| session.present(request)).await;
        assert_eq!(answer.status, status, "{cell}: {}", answer.body);
        if case.method != "HEAD" {
            assert_eq!(answer.code, code, "{cell}: {}", answer.body);
        }
        if changes {
            stored.assert_changed(&cell).await;
        } else {
            stored.expect_unchanged(cell);
        }
    }
    stored.assert_unchanged().await;
}

on_every_storage! {
    async fn every_session_case_has_the_expected_result(kind: StorageKind) {
        for session in Session::ALL {
            for owner in OWNERS {
                let (storage, _place) = seeded(kind, owner).await;
                run(storage, session, owner).await;
            }
        }
    }
}
