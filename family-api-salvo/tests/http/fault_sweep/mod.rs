//! Injects every fault into every storage call on every route. The response must be true, and the next request must
//! work.

mod fault_injection;
mod operations;

use std::sync::Arc;
use std::time::Duration;

use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use salvo::{Router, Service};
use serde_json::Value;

use fault_injection::{Fault, FaultInjection};
use operations::{OPERATIONS, Operation};

use crate::storages::{StorageKind, StorageLocation};
use crate::support::{Answer, App, fixture, send};

/// An app with an injected fault, and one that reads the real state of the same storage.
struct Setup {
    storage: Arc<FaultInjection>,
    app: App,
    observer: App,
    _place: StorageLocation,
}

impl Setup {
    async fn on(kind: StorageKind) -> Self {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        let fault_injection = Arc::new(FaultInjection::new(storage.clone()));
        Self {
            app: App::uncached(fault_injection.clone()),
            storage: fault_injection,
            observer: App::uncached(storage),
            _place: place,
        }
    }

    /// Sends the request. If a storage call hangs, drops the request and returns `None`.
    async fn send(&self, operation: &Operation) -> Option<Answer> {
        tokio::select! {
            answer = self.app.send(operation.request()) => Some(answer),
            () = self.storage.hung() => None,
        }
    }

    /// Returns everything that both families and their members can read.
    async fn state(&self) -> Vec<Value> {
        let mut state = Vec::new();
        for user in ["ann", "eve"] {
            state.push(self.observer.in_session(user, Method::GET, "/api/users/me").await.json());
            let keys = self.observer.in_session(user, Method::GET, "/api/users/me/mcp-tokens").await.json();
            let names = |key: &Value| (key["name"].is_null(), key["scopes"].to_string());
            let mut keys: Vec<_> = keys["tokens"].as_array().unwrap().iter().map(names).collect();
            keys.sort();
            state.push(serde_json::to_value(keys).unwrap());
            // The read path works even if the personal API is switched off.
            let key = if user == "ann" { "ann-mcp" } else { "eve-rw" };
            for resource in ["tasks?completed=all", "events", "shopping", "notes"] {
                let path = format!("/api/mcp/read/{resource}");
                state.push(self.observer.with_token(key, Method::GET, &path).await.is_ok().json());
            }
        }
        state
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
    let answer = setup.send(operation).await.unwrap();
    assert_eq!(answer.status, operation.status, "{operation:?}: {answer:?}");
    let (calls, after) = (setup.storage.calls(), setup.state().await);
    assert!(calls <= 2, "{operation:?} takes {calls} calls");
    assert!(operation.status < 400 || before == after, "{operation:?} has an effect");
    Baseline { calls, before, after }
}

async fn run_with_fault(kind: StorageKind, operation: &Operation, baseline: &Baseline, number: usize, fault: Fault) {
    let what = format!("{fault:?} at call {number} of {operation:?}");
    let setup = Setup::on(kind).await;
    setup.storage.plan(Some((number, fault)));
    let answer = setup.send(operation).await;
    let status = answer.as_ref().map(|answer| answer.status);
    let expected = match fault {
        Fault::Fails | Fault::FailsAfterwards => Some(503),
        Fault::IsCorrupt | Fault::Panics | Fault::PanicsAfterwards => Some(500),
        Fault::TakesLong => Some(operation.status),
        Fault::Hangs | Fault::HangsAfterwards => None,
    };
    assert_eq!(status, expected, "{what}: {answer:?}");
    if let Some(answer) = answer.filter(|answer| answer.status >= 500) {
        assert!(!answer.text().contains("canary"), "{what}: {answer:?}");
    }

    let found = setup.state().await;
    let is_done = match fault {
        Fault::TakesLong => true,
        // Only the last call has an effect. If it fails afterwards, the effect remains although the client got an
        // error.
        Fault::FailsAfterwards | Fault::PanicsAfterwards | Fault::HangsAfterwards => number == baseline.calls,
        Fault::Fails | Fault::IsCorrupt | Fault::Panics | Fault::Hangs => false,
    };
    assert_eq!(&found, if is_done { &baseline.after } else { &baseline.before }, "{what}");

    setup.storage.plan(None);
    let again = setup.send(operation).await.unwrap();
    let gone = is_done && baseline.before != baseline.after && operation.is_delete();
    assert_eq!(again.status, if gone { 404 } else { operation.status }, "{what}, and then: {again:?}");
}

/// Injects the faults of each experiment into every call of every operation.
async fn sweep(kind: StorageKind, faults: impl Fn(usize) -> Vec<Fault>) {
    let mut experiments = 0;
    for operation in &OPERATIONS {
        let baseline = run_baseline(kind, operation).await;
        for number in 1..=baseline.calls {
            for fault in faults(experiments) {
                run_with_fault(kind, operation, &baseline, number, fault).await;
            }
            experiments += 1;
        }
    }
    assert!(experiments > OPERATIONS.len(), "{experiments}");
}

fn every(_: usize) -> Vec<Fault> {
    Fault::ALL.to_vec()
}

/// Creating a database file is slow, so each call gets only one fault. Each fault is still injected into many calls.
fn in_turn(experiment: usize) -> Vec<Fault> {
    vec![Fault::ALL[experiment % Fault::ALL.len()]]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_memory_storage_fault_is_reported() {
    sweep(StorageKind::Memory, every).await;
}

/// With `FAMILY_API_TRIALS=long`, each call gets every fault here too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_sqlite_storage_fault_is_reported() {
    let is_long = std::env::var("FAMILY_API_TRIALS").is_ok_and(|form| form == "long");
    sweep(StorageKind::Sqlite, if is_long { every } else { in_turn }).await;
}

#[tokio::test]
async fn hanging_storage_is_unavailable_after_the_timeout() {
    let setup = Setup::on(StorageKind::Memory).await;
    let routes = FamilyRoutes::new(setup.app.api.clone()).request_timeout(Duration::from_millis(50));
    let service = Service::new(Router::new().push(routes.into_router()));
    for number in [1, 2] {
        setup.storage.plan(Some((number, Fault::Hangs)));
        let answer = send(&service, OPERATIONS[1].request()).await;
        assert!(answer.is(503, "unavailable").header("retry-after").is_some());
        setup.storage.plan(None);
        assert_eq!(send(&service, OPERATIONS[1].request()).await.status, 200);
    }
}
