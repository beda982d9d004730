//! Injects every fault into every storage call of every route. The status of the response must match the fault, and
//! the same request must work without the fault.

mod batch;
mod fault_injection;
mod operations;

use std::sync::Arc;
use std::time::Duration;

use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::Value;

pub(crate) use fault_injection::{Fault, FaultInjection};
use operations::{OPERATIONS, Operation};

use crate::one_occurrence::make_weekly;
use crate::storages::{StorageKind, StorageLocation};
use crate::support::{App, TestResponse, fixture};

#[track_caller]
pub(crate) fn assert_cause_is_hidden(response: &TestResponse) {
    assert!(!response.text().contains("canary"), "{response:?}");
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    assert_eq!(response.header("www-authenticate"), None);
    assert!(response.header("vary").is_some());
}

/// An app with an injected fault, and a second app that reads the same storage without faults.
struct Setup {
    storage: Arc<FaultInjection>,
    app: App,
    observer: App,
    _location: StorageLocation,
}

impl Setup {
    async fn on(kind: StorageKind) -> Self {
        let (storage, location) = fixture::seeded(kind).await;
        let fault_injection = Arc::new(FaultInjection::new(storage.clone()));
        let observer = App::without_document_cache(storage);
        make_weekly(&observer).await;
        Self {
            app: App::without_document_cache(fault_injection.clone()),
            storage: fault_injection,
            observer,
            _location: location,
        }
    }

    /// Sends the request of an operation.
    async fn send(&self, operation: &Operation) -> Option<TestResponse> {
        self.send_request(operation.request()).await
    }

    /// Sends a request. If a storage call hangs, drops the request and returns `None`.
    async fn send_request(&self, request: RequestBuilder) -> Option<TestResponse> {
        tokio::select! {
            response = self.app.send(request) => Some(response),
            () = self.storage.wait_for_hang() => None,
        }
    }

    /// Returns everything that both families and their members can read.
    async fn state(&self) -> Vec<Value> {
        let mut state = Vec::new();
        for user in ["ann", "eve"] {
            state.push(self.observer.send_in_session(user, Method::GET, "/api/users/me").await.json());
            let keys = self.observer.send_in_session(user, Method::GET, "/api/users/me/mcp-tokens").await.json();
            let names = |key: &Value| (key["name"].is_null(), key["scopes"].to_string());
            let mut keys: Vec<_> = keys["tokens"].as_array().unwrap().iter().map(names).collect();
            keys.sort();
            state.push(serde_json::to_value(keys).unwrap());
            // An operation switches off the personal API. `/api/mcp` works nevertheless.
            let key = if user == "ann" { "ann-mcp" } else { "eve-rw" };
            for resource in ["tasks?completed=all", "events", "shopping", "notes"] {
                let path = format!("/api/mcp/read/{resource}");
                let mut document = self.observer.send_with_token(key, Method::GET, &path).await.assert_ok().json();
                replace_generated_ids(&mut document);
                state.push(document);
            }
        }
        state
    }
}

/// Replaces the ids that the service generates, which are different in each run.
fn replace_generated_ids(value: &mut Value) {
    match value {
        Value::String(text) if text.len() == 36 && text.split('-').count() == 5 => "generated".clone_into(text),
        Value::Array(elements) => elements.iter_mut().for_each(replace_generated_ids),
        Value::Object(members) => members.values_mut().for_each(replace_generated_ids),
        _ => {}
    }
}

/// The result of an operation without a fault.
struct Baseline {
    calls: usize,
    before: Vec<Value>,
    after: Vec<Value>,
}

async fn run_baseline(kind: StorageKind, operation: &Operation) -> Baseline {
    let setup = Setup::on(kind).await;
    let before = setup.state().await;
    let response = setup.send(operation).await.unwrap();
    assert_eq!(response.status, operation.status, "{operation:?}: {response:?}");
    let (calls, after) = (setup.storage.calls(), setup.state().await);
    assert!(calls <= operation.max_calls(), "{operation:?} takes {calls} calls");
    assert!(operation.status < 400 || before == after, "{operation:?} was refused but has an effect");
    Baseline { calls, before, after }
}

async fn run_with_fault(kind: StorageKind, operation: &Operation, baseline: &Baseline, number: usize, fault: Fault) {
    let context = format!("{fault:?} at call {number} of {operation:?}");
    let setup = Setup::on(kind).await;
    setup.storage.set_fault(Some((number, fault)));
    let response = setup.send(operation).await;
    let status = response.as_ref().map(|response| response.status);
    let expected = match fault {
        Fault::Unavailable | Fault::UnavailableAfterEffect => Some(503),
        Fault::Corrupt | Fault::Backend | Fault::Panic | Fault::PanicAfterEffect => Some(500),
        Fault::Slow => Some(operation.status),
        Fault::Hang | Fault::HangAfterEffect => None,
    };
    assert_eq!(status, expected, "{context}: {response:?}");
    if let Some(response) = response.filter(|response| response.status >= 500) {
        assert_cause_is_hidden(&response);
        let is_unavailable = response.status == 503;
        assert_eq!(response.header("retry-after"), is_unavailable.then_some("1"), "{context}");
        if !operation.is_head() {
            assert_eq!(response.problem_code(), if is_unavailable { "unavailable" } else { "internal" }, "{context}");
        }
    }

    let state = setup.state().await;
    let has_effect = match fault {
        Fault::Slow => true,
        // Only the last call has an effect. If the call fails after its effect, the client gets an error but the effect
        // remains.
        Fault::UnavailableAfterEffect | Fault::PanicAfterEffect | Fault::HangAfterEffect => number == baseline.calls,
        Fault::Unavailable | Fault::Corrupt | Fault::Backend | Fault::Panic | Fault::Hang => false,
    };
    assert_eq!(&state, if has_effect { &baseline.after } else { &baseline.before }, "{context}");

    setup.storage.set_fault(None);
    let again = setup.send(operation).await.unwrap();
    let is_deleted = has_effect && baseline.before != baseline.after && operation.ends_what_it_names();
    assert_eq!(again.status, if is_deleted { 404 } else { operation.status }, "{context}, and then: {again:?}");
    if operation.is_idempotent {
        assert_eq!(setup.state().await, baseline.after, "{context}, and then a repetition");
    }
}

/// Injects faults into every call of every operation. `faults` maps the index of a call to its faults.
async fn sweep(kind: StorageKind, faults: impl Fn(usize) -> Vec<Fault>) {
    let mut calls = 0;
    for operation in &OPERATIONS {
        let baseline = run_baseline(kind, operation).await;
        for number in 1..=baseline.calls {
            for fault in faults(calls) {
                run_with_fault(kind, operation, &baseline, number, fault).await;
            }
            calls += 1;
        }
    }
    assert!(calls > OPERATIONS.len(), "{calls}");
}

fn all_faults(_: usize) -> Vec<Fault> {
    Fault::ALL.to_vec()
}

/// Returns the faults in rotation, one for each call. Every fault needs a new database file, which is slow to create.
fn next_fault(call: usize) -> Vec<Fault> {
    vec![Fault::ALL[call % Fault::ALL.len()]]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_memory_storage_fault_is_reported() {
    sweep(StorageKind::Memory, all_faults).await;
}

/// Injects one fault into each call, or every fault with `FAMILY_API_TRIALS=long`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_sqlite_storage_fault_is_reported() {
    let is_long = std::env::var("FAMILY_API_TRIALS").is_ok_and(|form| form == "long");
    sweep(StorageKind::Sqlite, if is_long { all_faults } else { next_fault }).await;
}

#[tokio::test]
async fn hanging_storage_gets_503_after_the_timeout() {
    let setup = Setup::on(StorageKind::Memory).await;
    let app = setup.app.configured(|routes| routes.request_timeout(Duration::from_millis(50)));
    for number in [1, 2] {
        setup.storage.set_fault(Some((number, Fault::Hang)));
        let response = app.send(OPERATIONS[1].request()).await;
        assert!(response.assert_problem(503, "unavailable").header("retry-after").is_some());
        setup.storage.set_fault(None);
        assert_eq!(app.send(OPERATIONS[1].request()).await.status, 200);
    }
}
