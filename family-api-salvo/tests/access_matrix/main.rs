//! Checks the result of every route for every credential, owner state, method and kind of record, on every storage.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batch;
mod cases;
mod completeness;
mod fixture;
#[path = "../held_back_body/mod.rs"]
mod held_back_body;
mod late_body;
#[cfg(feature = "mcp")]
mod mcp;
mod session;
mod storage_snapshot;
#[path = "../storages/mod.rs"]
mod storages;

use std::sync::Arc;

use family_api_core::key::{KeyPrefix, KeySecret};
use family_api_core::storage::Storage;
use salvo::http::{Method, StatusCode};
use salvo::test::{RequestBuilder, ResponseExt};
use salvo::{Response, Service};
use serde_json::Value;

use crate::cases::{CASES, Case, Credential, Owner, expected};
use crate::fixture::{ENVIRONMENT_SECRET, HIDDEN_BY_ANN, HIDDEN_FROM_ANN, plaintext, seeded_storage, service};
use crate::storage_snapshot::ChangeCheck;
use crate::storages::{StorageKind, on_every_storage};

const OWNERS: [Owner; 4] = [
    Owner { personal_api_enabled: true, has_family: true },
    Owner { personal_api_enabled: false, has_family: true },
    Owner { personal_api_enabled: true, has_family: false },
    Owner { personal_api_enabled: false, has_family: false },
];

/// The parts of a response that the tests compare.
struct ActualResponse {
    status: u16,
    code: String,
    body: String,
}

impl ActualResponse {
    async fn of(mut response: Response) -> Self {
        let body = response.take_string().await.unwrap_or_default();
        let json: Value = serde_json::from_str(&body).unwrap_or_default();
        let status = response.status_code.unwrap_or(StatusCode::IM_A_TEAPOT).as_u16();
        Self { status, code: json["code"].as_str().unwrap_or_default().to_owned(), body }
    }
}

async fn send(
    service: &Service,
    case: &Case,
    authorize: impl FnOnce(RequestBuilder) -> RequestBuilder,
) -> ActualResponse {
    let method = Method::from_bytes(case.method.as_bytes()).unwrap();
    let mut request = authorize(RequestBuilder::new(format!("http://127.0.0.1{}", case.path), method));
    if let Some(body) = case.body {
        request = request.raw_json(body);
    }
    ActualResponse::of(request.send(service).await).await
}

fn add_credential(credential: Credential, request: RequestBuilder) -> RequestBuilder {
    let bearer = |token: String| format!("Bearer {token}");
    match credential {
        Credential::Nothing => request,
        Credential::Cookie => request.add_header("cookie", "user=ann", true),
        Credential::Basic => request.add_header("authorization", format!("Basic {}", plaintext(credential)), true),
        Credential::MalformedToken => request.add_header("authorization", bearer("a b".to_owned()), true),
        Credential::WrongChecksum => request.add_header("authorization", bearer("fam_nonsense".to_owned()), true),
        Credential::UnknownToken => {
            let token = KeySecret::generate(&KeyPrefix::default()).unwrap().expose().to_owned();
            request.add_header("authorization", bearer(token), true)
        }
        Credential::TwoHeaders => {
            let token = bearer(plaintext(credential));
            request.add_header("authorization", token.clone(), true).add_header("authorization", token, false)
        }
        Credential::Environment => request.add_header("authorization", bearer(ENVIRONMENT_SECRET.to_owned()), true),
        key => request.add_header("authorization", bearer(plaintext(key)), true),
    }
}

/// Runs all cases for one credential and one owner state. Returns the number of cases.
async fn run_cases(storage: Arc<dyn Storage>, credential: Credential, owner: Owner) -> usize {
    let service = service(storage.clone());
    let mut changes = ChangeCheck::new(storage).await;
    for case in &CASES {
        let label = format!("{credential:?} {owner:?} {} {} {:?}", case.method, case.path, case.body);
        let (status, code) = expected(credential, owner, case);
        let is_change = status < 300 && !matches!(case.method, "GET" | "HEAD");
        let request = send(&service, case, |request| add_credential(credential, request));
        let actual = changes.during(&label, is_change, request).await;
        assert_eq!(actual.status, status, "{label}: {}", actual.body);
        if case.method != "HEAD" {
            assert_eq!(actual.code, code, "{label}: {}", actual.body);
        }
        for hidden in HIDDEN_FROM_ANN {
            assert!(!actual.body.contains(hidden), "{label} shows {hidden}: {}", actual.body);
        }
        if (status, case.method) == (200, "GET")
            && ["/read/tasks", "/read/overview", "/v1/tasks?completed=all"]
                .iter()
                .any(|tasks| case.path.ends_with(tasks))
        {
            assert!(actual.body.contains(HIDDEN_BY_ANN), "{label} does not show the private task of Ann");
        }
    }
    changes.assert_unchanged().await;
    CASES.len()
}

on_every_storage! {
    async fn every_bearer_request_has_the_expected_result(kind: StorageKind) {
        let mut count = 0;
        for credential in Credential::ALL {
            for owner in OWNERS {
                let (storage, _location) = seeded_storage(kind, owner).await;
                count += run_cases(storage, credential, owner).await;
            }
        }
        assert!(count >= 1_000, "{count} cases");
    }
}
