//! A fault in a batch concerns one of its requests. A batch that is cancelled leaves whole writes, and the same batch
//! completes it.

use salvo::http::Method;
use serde_json::{Value, json};

use super::{Fault, Setup, assert_cause_is_hidden};
use crate::storages::StorageKind;
use crate::support::{TestResponse, bearer};

/// Returns the requests of the batch. Each can be repeated, and none changes what another one does.
fn requests() -> [(Value, u64); 5] {
    let post = |url: &str, key: &str, body: Value| json!({ "method": "POST", "url": url, "idempotencyKey": key, "body": body });
    let event = json!({ "title": "Choir", "startDate": "2026-12-01T18:00", "endDate": "2026-12-01T19:00" });
    [
        (post("/tasks", "a", json!({ "title": "Mop" })), 201),
        (json!({ "method": "PATCH", "url": "/notes/note-berg", "body": { "title": "Net" } }), 200),
        (post("/events", "b", event), 201),
        (post("/shopping-lists/list-berg/items", "c", json!({ "name": "milk" })), 201),
        (json!({ "method": "DELETE", "url": "/shopping-items/item-berg" }), 200),
    ]
}

/// Sends a batch. Returns `None` if a storage call hangs: the batch is then cancelled.
async fn send(setup: &Setup, requests: &[Value]) -> Option<TestResponse> {
    let body = json!({ "requests": requests }).to_string();
    setup.send_request(bearer("ann-full", Method::POST, "/api/v1/batch").raw_json(body)).await
}

fn statuses(response: &TestResponse) -> Vec<u64> {
    let answer = response.assert_ok().json();
    answer["responses"].as_array().unwrap().iter().map(|response| response["status"].as_u64().unwrap()).collect()
}

/// Returns the state after only the requests with some indices were made.
async fn state_after(kind: StorageKind, is_made: impl Fn(usize) -> bool) -> Vec<Value> {
    let setup = Setup::on(kind).await;
    let made: Vec<_> = requests().into_iter().enumerate().filter(|(index, _)| is_made(*index)).collect();
    if !made.is_empty() {
        let (bodies, expected): (Vec<Value>, Vec<u64>) = made.into_iter().map(|(_, request)| request).unzip();
        assert_eq!(statuses(&send(&setup, &bodies).await.unwrap()), expected);
        // The lookup of the key, and one call for each request.
        assert_eq!(setup.storage.calls(), 1 + bodies.len());
    }
    setup.state().await
}

/// Injects a fault into the call of the request with an index.
async fn run_with_fault(kind: StorageKind, index: usize, fault: Fault) {
    let context = format!("{fault:?} at request {index}");
    let (bodies, expected): (Vec<Value>, Vec<u64>) = requests().into_iter().unzip();
    let setup = Setup::on(kind).await;
    setup.storage.set_fault(Some((2 + index, fault)));
    let response = send(&setup, &bodies).await;
    let failed = match fault {
        Fault::Unavailable | Fault::UnavailableAfterEffect => 503,
        Fault::Corrupt | Fault::Backend | Fault::Panic | Fault::PanicAfterEffect => 500,
        Fault::Slow | Fault::Hang | Fault::HangAfterEffect => expected[index],
    };
    let is_cancelled = matches!(fault, Fault::Hang | Fault::HangAfterEffect);
    assert_eq!(response.is_none(), is_cancelled, "{context}");
    if let Some(response) = response {
        let mut expected = expected.clone();
        expected[index] = failed;
        assert_eq!(statuses(&response), expected, "{context}");
        if failed >= 500 {
            assert_cause_is_hidden(&response);
            let body = &response.json()["responses"][index]["body"];
            assert_eq!(body["code"], if failed == 503 { "unavailable" } else { "internal" }, "{context}: {body}");
        }
    }

    let has_effect = match fault {
        Fault::Slow | Fault::UnavailableAfterEffect | Fault::PanicAfterEffect | Fault::HangAfterEffect => true,
        Fault::Unavailable | Fault::Corrupt | Fault::Backend | Fault::Panic | Fault::Hang => false,
    };
    let is_made = |other: usize| match other.cmp(&index) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Equal => has_effect,
        std::cmp::Ordering::Greater => !is_cancelled,
    };
    assert_eq!(setup.state().await, state_after(kind, is_made).await, "{context}");

    // The same batch makes what is missing, and nothing twice.
    setup.storage.set_fault(None);
    let again = statuses(&send(&setup, &bodies).await.unwrap());
    let last = expected.len() - 1;
    let mut expected = expected;
    if is_made(last) {
        expected[last] = 404;
    }
    assert_eq!(again, expected, "{context}, and then a repetition");
    assert_eq!(setup.state().await, state_after(kind, |_| true).await, "{context}, and then a repetition");
}

#[tokio::test]
async fn a_fault_in_a_batch_concerns_one_request() {
    for index in 0..requests().len() {
        for fault in Fault::ALL {
            run_with_fault(StorageKind::Memory, index, fault).await;
        }
    }
}

/// Every fault needs new database files, which are slow to create.
#[tokio::test]
async fn a_fault_in_a_batch_on_sqlite_concerns_one_request() {
    for (index, fault) in [
        (0, Fault::PanicAfterEffect),
        (1, Fault::UnavailableAfterEffect),
        (2, Fault::Hang),
        (3, Fault::HangAfterEffect),
        (4, Fault::Panic),
    ] {
        run_with_fault(StorageKind::Sqlite, index, fault).await;
    }
}

#[tokio::test]
async fn a_fault_before_a_batch_concerns_all_of_it() {
    let (bodies, _): (Vec<Value>, Vec<u64>) = requests().into_iter().unzip();
    for (fault, status) in [(Fault::Unavailable, 503), (Fault::Panic, 500)] {
        let setup = Setup::on(StorageKind::Memory).await;
        setup.storage.set_fault(Some((1, fault)));
        assert_eq!(send(&setup, &bodies).await.unwrap().status, status);
        assert_eq!(setup.state().await, state_after(StorageKind::Memory, |_| false).await);
    }
}
