//! Credential × flag × family × scope × route × method × own, foreign or private object, over HTTP, on every storage.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod fixture;
mod late;
mod session;
#[path = "../storages/mod.rs"]
mod storages;
mod stored;
mod table;

use std::sync::Arc;

use family_api_core::key::{KeyPrefix, KeySecret};
use family_api_core::storage::Storage;
use salvo::Service;
use salvo::http::{Method, StatusCode};
use salvo::test::{RequestBuilder, ResponseExt};
use serde_json::Value;

use crate::fixture::{ENVIRONMENT_SECRET, HIDDEN_BY_ANN, HIDDEN_FROM_ANN, plaintext, seeded, service};
use crate::storages::{StorageKind, on_every_storage};
use crate::stored::Stored;
use crate::table::{CASES, Case, Credential, Owner, expected};

const OWNERS: [Owner; 4] = [
    Owner { personal_api_enabled: true, has_family: true },
    Owner { personal_api_enabled: false, has_family: true },
    Owner { personal_api_enabled: true, has_family: false },
    Owner { personal_api_enabled: false, has_family: false },
];

/// The parts of a response that the table checks.
struct Answer {
    status: u16,
    code: String,
    body: String,
}

async fn send(service: &Service, case: &Case, authorize: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Answer {
    let method = Method::from_bytes(case.method.as_bytes()).unwrap();
    let mut request = authorize(RequestBuilder::new(format!("http://127.0.0.1{}", case.path), method));
    if let Some(body) = case.body {
        request = request.raw_json(body);
    }
    let mut response = request.send(service).await;
    let status = response.status_code.unwrap_or(StatusCode::IM_A_TEAPOT).as_u16();
    let body = response.take_string().await.unwrap_or_default();
    let code = serde_json::from_str::<Value>(&body).ok().and_then(|body| Some(body.get("code")?.as_str()?.to_owned()));
    Answer { status, code: code.unwrap_or_default(), body }
}

fn present(credential: Credential, request: RequestBuilder) -> RequestBuilder {
    let bearer = |token: String| format!("Bearer {token}");
    match credential {
        Credential::Nothing => request,
        Credential::Cookie => request.add_header("cookie", "user=ann", true),
        Credential::Basic => request.add_header("authorization", format!("Basic {}", plaintext(credential)), true),
        Credential::Garbage => request.add_header("authorization", bearer("a b".to_owned()), true),
        Credential::WrongChecksum => request.add_header("authorization", bearer("fam_nonsense".to_owned()), true),
        Credential::UnknownToken => {
            let token = KeySecret::mint(&KeyPrefix::default()).unwrap().expose().to_owned();
            request.add_header("authorization", bearer(token), true)
        }
        Credential::TwoHeaders => request.add_header("authorization", bearer(plaintext(credential)), true).add_header(
            "authorization",
            bearer(plaintext(credential)),
            false,
        ),
        Credential::Environment => request.add_header("authorization", bearer(ENVIRONMENT_SECRET.to_owned()), true),
        key => request.add_header("authorization", bearer(plaintext(key)), true),
    }
}

/// Runs all cases for one credential and one owner state. Returns their number.
async fn run(storage: Arc<dyn Storage>, credential: Credential, owner: Owner) -> usize {
    let service = service(storage.clone());
    let mut stored = Stored::new(storage).await;
    for case in &CASES {
        let cell = format!("{credential:?} {owner:?} {} {} {:?}", case.method, case.path, case.body);
        let (status, code) = expected(credential, owner, case);
        let changes = status == 200 && matches!(case.method, "PATCH" | "DELETE");
        if changes {
            stored.assert_unchanged().await;
        }
        let answer = send(&service, case, |request| present(credential, request)).await;
        assert_eq!(answer.status, status, "{cell}: {}", answer.body);
        if case.method != "HEAD" {
            assert_eq!(answer.code, code, "{cell}: {}", answer.body);
        }
        for hidden in HIDDEN_FROM_ANN {
            assert!(!answer.body.contains(hidden), "{cell} shows {hidden}: {}", answer.body);
        }
        if (status, case.method) == (200, "GET") && case.path.ends_with("/read/tasks") {
            assert!(answer.body.contains(HIDDEN_BY_ANN), "{cell} hides Ann's own task");
        }
        if changes {
            stored.assert_changed(&cell).await;
        } else {
            stored.expect_unchanged(cell);
        }
    }
    stored.assert_unchanged().await;
    CASES.len()
}

on_every_storage! {
    async fn every_bearer_case_has_the_expected_result(kind: StorageKind) {
        let mut cells = 0;
        for credential in Credential::ALL {
            for owner in OWNERS {
                let (storage, _place) = seeded(kind, owner).await;
                cells += run(storage, credential, owner).await;
            }
        }
        assert!(cells >= 1_000, "{cells} cells");
    }
}
