//! A credential that ends while the body of a change is on its way: credential × what ends it × route.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::storage::{SignedIn, Storage};
use salvo::Service;
use salvo::http::{Body, Method, ReqBody};
use salvo::hyper::body::Frame;
use salvo::test::{RequestBuilder, ResponseExt};
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, channel};

use crate::fixture::{Host, LATER, NOW, plaintext, seeded};
use crate::storages::{StorageKind, on_every_storage};
use crate::stored::everything;
use crate::table::{Credential, Owner};

/// What happens between the first bytes of a body and the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meanwhile {
    Nothing,
    KeyIsRevoked,
    KeyExpires,
    PersonalApiIsSwitchedOff,
    SessionEnds,
    SessionBecomesAnothers,
}

/// How a request is authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presented {
    Key,
    Session,
}

const CASES: [(Presented, Meanwhile, Option<&str>); 9] = [
    (Presented::Key, Meanwhile::Nothing, None),
    (Presented::Key, Meanwhile::KeyIsRevoked, Some("invalid_token")),
    (Presented::Key, Meanwhile::KeyExpires, Some("invalid_token")),
    (Presented::Key, Meanwhile::PersonalApiIsSwitchedOff, Some("api_disabled")),
    (Presented::Key, Meanwhile::SessionEnds, None),
    (Presented::Session, Meanwhile::Nothing, None),
    (Presented::Session, Meanwhile::KeyIsRevoked, None),
    (Presented::Session, Meanwhile::SessionEnds, Some("not_signed_in")),
    (Presented::Session, Meanwhile::SessionBecomesAnothers, Some("not_signed_in")),
];

/// Every route that reads a body: below `/api/v1` for a key, below `/api` for a session.
const ROUTES: [(Option<Presented>, &str, &str, &str); 7] = [
    (None, "PATCH", "/tasks/t-shared", r#"{"title":"changed"}"#),
    (None, "PATCH", "/tasks/t-shared", "{}"),
    (None, "PATCH", "/tasks/t-shared", r#"{"type":"move-task","columnId":"c-shared","order":7}"#),
    (None, "PATCH", "/notes/n-own", r#"{"title":"changed"}"#),
    (None, "PATCH", "/notes/n-own", "{}"),
    (Some(Presented::Session), "POST", "/users/me/mcp-tokens", r#"{"mode":"mcp_read"}"#),
    (Some(Presented::Session), "PATCH", "/users/me", r#"{"personalApiEnabled":true}"#),
];

/// A body whose chunks come one by one.
struct Chunks(Receiver<Bytes>);

impl Body for Chunks {
    type Data = Bytes;
    type Error = salvo::BoxedError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, salvo::BoxedError>>> {
        self.0.poll_recv(cx).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk))))
    }
}

struct Late {
    service: Service,
    host: Host,
    storage: Arc<dyn Storage>,
}

impl Late {
    /// Sends all of the body but its last byte, lets it happen, and sends the last byte. Returns the answer's status and
    /// code, and whether the request changed anything.
    async fn send(
        &self,
        presented: Presented,
        (method, path, body): (&str, &str, &'static str),
        meanwhile: Meanwhile,
    ) -> (u16, String, bool) {
        let (chunks, body_chunks) = channel(1);
        let boxed = ReqBody::Boxed { inner: Box::pin(Chunks(body_chunks)), fuse_config: None };
        let base = if presented == Presented::Key { "/api/v1" } else { "/api" };
        let url = format!("http://127.0.0.1{base}{path}");
        let request = RequestBuilder::new(url, Method::from_bytes(method.as_bytes()).unwrap());
        let request = match presented {
            Presented::Key => {
                let token = format!("Bearer {}", plaintext(Credential::V1ReadWrite));
                request.add_header("authorization", token, true)
            }
            Presented::Session => request.add_header("cookie", "user=ann", true),
        };
        let request = request.add_header("content-type", "application/json", true).body(boxed);
        let (head, last) = body.as_bytes().split_at(body.len() - 1);
        let sending = async {
            chunks.send(Bytes::from_static(head)).await.unwrap();
            // There is room again once the first bytes are read: the request was let in.
            let room = chunks.reserve().await.unwrap();
            self.happen(meanwhile).await;
            let before = everything(&*self.storage).await;
            room.send(Bytes::from_static(last));
            drop(chunks);
            before
        };
        let (mut response, before) = tokio::join!(request.send(&self.service), sending);
        let body = response.take_string().await.unwrap_or_default();
        let code = serde_json::from_str::<Value>(&body).unwrap()["code"].as_str().unwrap_or_default().to_owned();
        let changed = everything(&*self.storage).await != before;
        (response.status_code.unwrap().as_u16(), code, changed)
    }

    async fn happen(&self, meanwhile: Meanwhile) {
        let ann = SignedIn::from("ann".parse::<UserId>().unwrap());
        let now: Timestamp = NOW.parse().unwrap();
        match meanwhile {
            Meanwhile::Nothing => {}
            Meanwhile::KeyIsRevoked => {
                let key = format!("k-{:?}", Credential::V1ReadWrite).parse().unwrap();
                self.storage.revoke_key(&ann, &key, now).await.unwrap();
            }
            Meanwhile::KeyExpires => self.host.clock.set(LATER.parse().unwrap()),
            Meanwhile::PersonalApiIsSwitchedOff => {
                let off = ProfileChange::new().disable_personal_api();
                self.storage.update_profile(&ann, &off, now).await.unwrap();
            }
            Meanwhile::SessionEnds => self.host.become_user(None),
            Meanwhile::SessionBecomesAnothers => self.host.become_user(Some("bob")),
        }
    }
}

on_every_storage! {
    async fn credential_must_be_valid_after_the_body_arrives(kind: StorageKind) {
        for (presented, meanwhile, refusal) in CASES {
            for (only, method, path, body) in ROUTES {
                if only.is_some_and(|only| only != presented) {
                    continue;
                }
                let cell = format!("{presented:?} {meanwhile:?} {method} {path} {body}");
                let owner = Owner { personal_api_enabled: true, has_family: true };
                let (storage, _place) = seeded(kind, owner).await;
                let (service, host) = Host::serve(storage.clone());
                let late = Late { service, host, storage };
                let (status, code, changed) = late.send(presented, (method, path, body), meanwhile).await;
                match refusal {
                    Some(refusal) => {
                        assert_eq!((status, code.as_str()), (401, refusal), "{cell}");
                        assert!(!changed, "{cell}");
                    }
                    None => {
                        assert!(status < 300, "{cell}: {status} {code}");
                        assert_eq!(changed, body != "{}" && path != "/users/me", "{cell}");
                    }
                }
            }
        }
    }
}
