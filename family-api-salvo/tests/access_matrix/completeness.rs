//! Every operation of the OpenAPI document has a case in the tests of this folder.

use salvo::test::{ResponseExt, TestClient};
use serde_json::Value;

use crate::cases::{self, Owner};
use crate::fixture::{seeded_storage, service};
use crate::late_body::{Authentication, ROUTES};
use crate::session;
use crate::storages::StorageKind;

/// An operation of the OpenAPI document.
struct Operation {
    method: String,
    template: String,
    has_token: bool,
    has_body: bool,
}

impl Operation {
    /// Returns whether a request is a request to this operation.
    fn matches(&self, method: &str, path: &str) -> bool {
        let path = path.split('?').next().unwrap_or_default();
        let (parts, segments) = (self.template.split('/'), path.split('/'));
        let is_path = parts.clone().count() == segments.clone().count()
            && parts.zip(segments).all(|(part, segment)| part.starts_with('{') || part == segment);
        is_path && method.eq_ignore_ascii_case(&self.method)
    }
}

/// Returns the operations that need a credential.
async fn operations() -> Vec<Operation> {
    let owner = Owner { personal_api_enabled: true, has_family: true };
    let (storage, _location) = seeded_storage(StorageKind::Memory, owner).await;
    let mut response = TestClient::get("http://127.0.0.1/openapi.json").send(&service(storage)).await;
    let document: Value = response.take_json().await.unwrap();
    let mut operations = Vec::new();
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if let Some(security) = operation["security"].get(0) {
                operations.push(Operation {
                    method: method.clone(),
                    template: template.clone(),
                    has_token: security.get("bearer").is_some(),
                    has_body: operation.get("requestBody").is_some(),
                });
            }
        }
    }
    assert!(operations.len() >= 60, "{}", operations.len());
    operations
}

#[tokio::test]
async fn every_operation_has_a_case_in_the_matrix() {
    let session_cases = session::CASES.map(|(_, case)| case);
    for operation in operations().await {
        let cases = if operation.has_token { &cases::CASES[..] } else { &session_cases[..] };
        let has_case = cases.iter().any(|case| operation.matches(case.method, case.path));
        assert!(has_case, "{} {}", operation.method, operation.template);
    }
}

#[tokio::test]
async fn every_operation_with_a_body_has_a_late_body_case() {
    for operation in operations().await.into_iter().filter(|operation| operation.has_body) {
        let base = if operation.has_token { "/api/v1" } else { "/api" };
        let excluded = if operation.has_token { Authentication::Session } else { Authentication::Key };
        let has_case = ROUTES.into_iter().any(|(only, method, path, _)| {
            only != Some(excluded) && operation.matches(method, &format!("{base}{path}"))
        });
        assert!(has_case, "{} {}", operation.method, operation.template);
    }
}
