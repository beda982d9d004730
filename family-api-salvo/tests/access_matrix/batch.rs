//! A write in a batch has the result that a request of its own has.

use std::sync::Arc;

use family_api_core::storage::Storage;
use serde_json::{Value, json};

use crate::cases::{BATCH, CASES, Case, Credential, Owner, expected, scopes_on};
use crate::fixture::{HIDDEN_FROM_ANN, seeded_storage, service};
use crate::storage_snapshot::ChangeCheck;
use crate::storages::{StorageKind, on_every_storage};
use crate::{OWNERS, add_credential, send};

/// Returns the expected status and `code` of a batch, and of the response to its only request.
fn expected_in_batch(credential: Credential, owner: Owner, case: &Case) -> [(u16, &'static str); 2] {
    let single = expected(credential, owner, case);
    match scopes_on(true, credential, owner) {
        Err(code) => [(401, code); 2],
        Ok(scopes) if !scopes.contains(&"v1.read") => [(401, "insufficient_scope"); 2],
        Ok(_) => [(200, ""), single],
    }
}

async fn run_cases(storage: Arc<dyn Storage>, credential: Credential, owner: Owner) -> usize {
    let service = service(storage.clone());
    let mut changes = ChangeCheck::new(storage).await;
    let is_write =
        |case: &&Case| matches!(case.method, "POST" | "PATCH" | "DELETE") && case.scope.is_some() && case.path != BATCH;
    let mut count = 0;
    for case in CASES.iter().filter(is_write) {
        let label = format!("{credential:?} {owner:?} {} {} {:?}", case.method, case.path, case.body);
        let [batch, single] = expected_in_batch(credential, owner, case);
        let body: Option<Value> = case.body.map(|body| serde_json::from_str(body).unwrap());
        let url = case.path.strip_prefix("/api/v1").unwrap();
        let body = json!({ "requests": [{ "method": case.method, "url": url, "body": body }] }).to_string();
        let request = Case { method: "POST", path: BATCH, body: Some(body.leak()), ..*case };
        let request = send(&service, &request, |request| add_credential(credential, request));
        let actual = changes.during(&label, single.0 < 300, request).await;
        assert_eq!((actual.status, actual.code.as_str()), batch, "{label}: {}", actual.body);
        if batch.0 == 200 {
            let answer: Value = serde_json::from_str(&actual.body).unwrap();
            let response = &answer["responses"][0];
            let code = response["body"]["code"].as_str().unwrap_or_default();
            assert_eq!((&response["status"], code), (&json!(single.0), single.1), "{label}: {response}");
        }
        for hidden in HIDDEN_FROM_ANN {
            assert!(!actual.body.contains(hidden), "{label} shows {hidden}: {}", actual.body);
        }
        count += 1;
    }
    changes.assert_unchanged().await;
    count
}

on_every_storage! {
    async fn a_write_in_a_batch_has_the_result_of_a_request_of_its_own(kind: StorageKind) {
        let mut count = 0;
        for credential in Credential::ALL {
            for owner in OWNERS {
                let (storage, _location) = seeded_storage(kind, owner).await;
                count += run_cases(storage, credential, owner).await;
            }
        }
        assert!(count >= 5_000, "{count} cases");
    }
}
