//! Credentials that become invalid while the body of a change is arriving. Tests each credential, event and route.

use std::sync::Arc;

use bytes::Bytes;
use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::storage::{SignedIn, Storage};
use salvo::Service;
use salvo::http::Method;
use salvo::test::{RequestBuilder, ResponseExt};
use serde_json::{Value, json};

use crate::cases::{BATCH, Credential, Owner};
use crate::fixture::{Host, LATER, NOW, SessionState, plaintext, seeded_storage};
use crate::held_back_body::held_back_body;
use crate::storage_snapshot::snapshot;
use crate::storages::{StorageKind, on_every_storage};

/// The event between the first and the last bytes of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Nothing,
    KeyIsRevoked,
    KeyExpires,
    PersonalApiIsSwitchedOff,
    SessionEnds,
    SessionUserChanges,
    #[cfg(feature = "mcp")]
    ConnectionEnds,
}

/// How a request is authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authentication {
    Key,
    Session,
}

/// How the request is authenticated, the event, and the code of the expected error. `None` means success.
const CASES: [(Authentication, Event, Option<&str>); 9] = [
    (Authentication::Key, Event::Nothing, None),
    (Authentication::Key, Event::KeyIsRevoked, Some("invalid_token")),
    (Authentication::Key, Event::KeyExpires, Some("invalid_token")),
    (Authentication::Key, Event::PersonalApiIsSwitchedOff, Some("api_disabled")),
    (Authentication::Key, Event::SessionEnds, None),
    (Authentication::Session, Event::Nothing, None),
    (Authentication::Session, Event::KeyIsRevoked, None),
    (Authentication::Session, Event::SessionEnds, Some("not_signed_in")),
    (Authentication::Session, Event::SessionUserChanges, Some("not_signed_in")),
];

/// Requests to every route that reads a body: the only authentication that the route accepts, the method, the path and
/// the body.
/// The path is below `/api/v1` for a key, and below `/api` for a session.
pub(crate) const ROUTES: [(Option<Authentication>, &str, &str, &str); 26] = [
    (None, "PATCH", "/tasks/t-shared", r#"{"title":"changed"}"#),
    (None, "PATCH", "/tasks/t-shared", "{}"),
    (None, "PATCH", "/tasks/t-shared", r#"{"type":"move-task","columnId":"c-shared","order":7}"#),
    (None, "PATCH", "/notes/n-own", r#"{"title":"changed"}"#),
    (None, "PATCH", "/notes/n-own", "{}"),
    (None, "POST", "/tasks", r#"{"title":"new"}"#),
    (None, "POST", "/notes", r#"{"title":"new"}"#),
    (None, "POST", "/events", r#"{"title":"new","startDate":"2026-12-24","endDate":"2026-12-24"}"#),
    (None, "PATCH", "/events/e-f", r#"{"title":"changed"}"#),
    (None, "PATCH", "/events/e-f/occurrences/20261121", r#"{"title":"changed"}"#),
    (None, "PATCH", "/events/e-f/occurrences/20261122?scope=following", r#"{"title":"changed"}"#),
    (None, "POST", "/shopping-lists", r#"{"name":"new"}"#),
    (None, "POST", "/shopping-lists/l-shared/items", r#"{"name":"new"}"#),
    (None, "PATCH", "/shopping-items/i-open", r#"{"checked":true}"#),
    (None, "POST", "/boards", r#"{"name":"new"}"#),
    (None, "PATCH", "/boards/b-shared", r#"{"name":"new"}"#),
    (None, "PATCH", "/columns/c-shared", r#"{"name":"new"}"#),
    (None, "PATCH", "/shopping-lists/l-shared", r#"{"name":"new"}"#),
    (None, "POST", "/note-categories", r#"{"name":"new"}"#),
    (None, "PATCH", "/note-categories/cat-own", r#"{"name":"new"}"#),
    (None, "POST", "/boards/b-shared/columns", r#"{"name":"new"}"#),
    (
        Some(Authentication::Key),
        "POST",
        "/batch",
        r#"{"requests":[{"method":"PATCH","url":"/tasks/t-shared","body":{"title":"changed"}}]}"#,
    ),
    (Some(Authentication::Session), "POST", "/users/me/mcp-tokens", r#"{"mode":"mcp_read"}"#),
    (Some(Authentication::Session), "POST", "/users/me/calendar-feeds", r#"{"name":"new"}"#),
    (Some(Authentication::Session), "PATCH", "/users/me/calendar-feeds/feed-of-ann", r#"{"name":"new"}"#),
    (Some(Authentication::Session), "PATCH", "/users/me", r#"{"personalApiEnabled":true}"#),
];

/// A request whose body arrives late.
struct LateRequest {
    method: &'static str,
    path: String,
    authentication: (&'static str, String),
    body: &'static str,
}

struct LateBodyTest {
    service: Service,
    host: Host,
    storage: Arc<dyn Storage>,
}

impl LateBodyTest {
    /// Sends the body without its last byte, triggers the event, and sends the last byte. Returns the status and the
    /// body of the response, and whether the request changed the stored data.
    async fn send(&self, request: LateRequest, event: Event) -> (u16, Value, bool) {
        let LateRequest { method, path, authentication: (header, credential), body } = request;
        let (late_body, chunks) = held_back_body();
        let url = format!("http://127.0.0.1{path}");
        let request = RequestBuilder::new(url, Method::from_bytes(method.as_bytes()).unwrap());
        let request = request.add_header(header, credential, true);
        let request = request.add_header("content-type", "application/json", true).body(late_body);
        let (head, last) = body.as_bytes().split_at(body.len() - 1);
        let sending = async {
            chunks.send(Bytes::from_static(head)).await.unwrap();
            // The channel has capacity again when the first bytes are read, which is after authentication.
            let permit = chunks.reserve().await.unwrap();
            self.trigger(event).await;
            let before = snapshot(&*self.storage).await;
            permit.send(Bytes::from_static(last));
            drop(chunks);
            before
        };
        let (mut response, before) = tokio::join!(request.send(&self.service), sending);
        let body = response.take_string().await.unwrap_or_default();
        let changed = snapshot(&*self.storage).await != before;
        (response.status_code.unwrap().as_u16(), serde_json::from_str(&body).unwrap(), changed)
    }

    async fn trigger(&self, event: Event) {
        let ann = SignedIn::from("ann".parse::<UserId>().unwrap());
        let now: Timestamp = NOW.parse().unwrap();
        match event {
            Event::Nothing => {}
            Event::KeyIsRevoked => {
                let key = format!("k-{:?}", Credential::V1Full).parse().unwrap();
                self.storage.revoke_key(&ann, &key, now).await.unwrap();
            }
            Event::KeyExpires => self.host.clock.set(LATER.parse().unwrap()),
            Event::PersonalApiIsSwitchedOff => {
                let off = ProfileChange::new().disable_personal_api();
                self.storage.update_profile(&ann, &off, now).await.unwrap();
            }
            Event::SessionEnds => self.host.set_session_state(SessionState::Ended),
            #[cfg(feature = "mcp")]
            Event::ConnectionEnds => self.host.api.grants().unwrap().end_all_of(&ann.user).await.unwrap(),
            Event::SessionUserChanges => self.host.set_session_state(SessionState::Of("bob".parse().unwrap())),
        }
    }
}

/// Returns the header with a token.
fn bearer(token: &str) -> (&'static str, String) {
    ("authorization", format!("Bearer {token}"))
}

#[cfg(feature = "mcp")]
mod mcp {
    use family_api_core::Surface;

    use super::*;

    const GET_NOTE: &str =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_note","arguments":{"id":"n-own"}}}"#;

    /// Whether the token is that of a connection, the event, and the code of the expected error on `/api/v1/mcp` and on
    /// `/api/mcp`. `None` means success.
    const CASES: [(bool, Event, [Option<&str>; 2]); 10] = [
        (false, Event::Nothing, [None; 2]),
        (false, Event::KeyIsRevoked, [Some("invalid_token"); 2]),
        (false, Event::KeyExpires, [Some("invalid_token"); 2]),
        (false, Event::PersonalApiIsSwitchedOff, [Some("api_disabled"), None]),
        (false, Event::ConnectionEnds, [None; 2]),
        (true, Event::Nothing, [None; 2]),
        (true, Event::KeyIsRevoked, [None; 2]),
        (true, Event::KeyExpires, [Some("invalid_token"); 2]),
        (true, Event::PersonalApiIsSwitchedOff, [Some("api_disabled"), None]),
        (true, Event::ConnectionEnds, [Some("invalid_token"); 2]),
    ];

    on_every_storage! {
        async fn token_must_be_valid_before_a_tool_reads(kind: StorageKind) {
            for (is_connection, event, expected_errors) in CASES {
                for (index, (surface, path)) in
                    [(Surface::V1, "/api/v1/mcp"), (Surface::ReadPath, "/api/mcp")].into_iter().enumerate()
                {
                    let label = format!("{event:?} {path}, connection: {is_connection}");
                    let owner = Owner { personal_api_enabled: true, has_family: true };
                    let (storage, _location) = seeded_storage(kind, owner).await;
                    let (service, host) = Host::serve_mcp(storage.clone());
                    let token = if is_connection {
                        host.connect_client(surface).await
                    } else {
                        plaintext(Credential::V1Full)
                    };
                    let test = LateBodyTest { service, host, storage };
                    let authentication = bearer(&token);
                    let request =
                        LateRequest { method: "POST", path: path.to_owned(), authentication, body: GET_NOTE };
                    let (status, answer, _) = test.send(request, event).await;
                    match expected_errors[index] {
                        Some(error) => assert_eq!((status, &answer["code"]), (401, &json!(error)), "{label}"),
                        None => assert_eq!((status, &answer["result"]["isError"]), (200, &json!(false)), "{label}"),
                    }
                }
            }
        }
    }
}

on_every_storage! {
    async fn credential_must_be_valid_after_the_body_arrives(kind: StorageKind) {
        for (authentication, event, expected_error) in CASES {
            for (required_authentication, method, path, body) in ROUTES {
                if required_authentication.is_some_and(|required| required != authentication) {
                    continue;
                }
                let label = format!("{authentication:?} {event:?} {method} {path} {body}");
                let owner = Owner { personal_api_enabled: true, has_family: true };
                let (storage, _location) = seeded_storage(kind, owner).await;
                let (service, host) = Host::serve(storage.clone());
                let test = LateBodyTest { service, host, storage };
                let (path, authentication) = match authentication {
                    Authentication::Key => (format!("/api/v1{path}"), bearer(&plaintext(Credential::V1Full))),
                    Authentication::Session => (format!("/api{path}"), ("cookie", "user=ann".to_owned())),
                };
                let request = LateRequest { method, path: path.clone(), authentication, body };
                let (mut status, mut answer, changed) = test.send(request, event).await;
                if path == BATCH {
                    // A batch is answered, and its request has the result of a request of its own.
                    assert_eq!(status, 200, "{label}: {answer}");
                    let response = answer["responses"][0].take();
                    status = u16::try_from(response["status"].as_u64().unwrap()).unwrap();
                    answer = response["body"].clone();
                }
                if let Some(error) = expected_error {
                    assert_eq!((status, &answer["code"]), (401, &json!(error)), "{label}");
                    assert!(!changed, "{label} changed the stored data");
                } else {
                    assert!(status < 300, "{label}: {status} {answer}");
                    // The test user has already switched the personal API on. No read shows an empty category, or a feed.
                    let is_hidden = path.ends_with("/note-categories") || path.contains("/calendar-feeds");
                    let is_visible = body != "{}" && path != "/api/users/me" && !is_hidden;
                    assert_eq!(changed, is_visible, "{label}");
                }
            }
        }
    }
}
