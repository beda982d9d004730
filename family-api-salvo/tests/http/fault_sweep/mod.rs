//! Every fault at every call of the storage on every route: what is told is true, and the next request is fine.

mod fault_injection;
mod operations;

use std::sync::Arc;
use std::time::Duration;

use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use salvo::{Router, Service};
use serde_json::Value;

use fault_injection::{Fault, FaultInjection};
use operations::{ACTS, Act};

use crate::storages::{Place, StorageKind};
use crate::support::{Answer, App, fixture, send};

/// An app whose storage is meddled with, and one that sees what is really there.
struct Stage {
    storage: Arc<FaultInjection>,
    app: App,
    witness: App,
    _place: Place,
}

impl Stage {
    async fn on(kind: StorageKind) -> Self {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        let fault_injection = Arc::new(FaultInjection::with(storage.clone()));
        Self {
            app: App::uncached(fault_injection.clone()),
            storage: fault_injection,
            witness: App::uncached(storage),
            _place: place,
        }
    }

    /// The answer, if there is one: whoever asks goes away where a call hangs.
    async fn ask(&self, act: &Act) -> Option<Answer> {
        tokio::select! {
            answer = self.app.send(act.request()) => Some(answer),
            () = self.storage.hung() => None,
        }
    }

    /// All that both families and their members would notice.
    async fn state(&self) -> Vec<Value> {
        let mut state = Vec::new();
        for user in ["ann", "eve"] {
            state.push(self.witness.in_session(user, Method::GET, "/api/users/me").await.json());
            let keys = self.witness.in_session(user, Method::GET, "/api/users/me/mcp-tokens").await.json();
            let names = |key: &Value| (key["name"].is_null(), key["scopes"].to_string());
            let mut keys: Vec<_> = keys["tokens"].as_array().unwrap().iter().map(names).collect();
            keys.sort();
            state.push(serde_json::to_value(keys).unwrap());
            // The read path, which is open whatever becomes of the flag.
            let key = if user == "ann" { "ann-mcp" } else { "eve-rw" };
            for resource in ["tasks?completed=all", "events", "shopping", "notes"] {
                let path = format!("/api/mcp/read/{resource}");
                state.push(self.witness.with_token(key, Method::GET, &path).await.is_ok().json());
            }
        }
        state
    }
}

/// What an act does where nothing goes wrong.
struct Sound {
    calls: usize,
    before: Vec<Value>,
    after: Vec<Value>,
}

async fn soundly(kind: StorageKind, act: &Act) -> Sound {
    let stage = Stage::on(kind).await;
    let before = stage.state().await;
    let answer = stage.ask(act).await.unwrap();
    assert_eq!(answer.status, act.status, "{act:?}: {answer:?}");
    let (calls, after) = (stage.storage.calls(), stage.state().await);
    assert!(calls <= 2, "{act:?} takes {calls} calls");
    assert!(act.status < 400 || before == after, "{act:?} has an effect");
    Sound { calls, before, after }
}

async fn with_a_fault(kind: StorageKind, act: &Act, sound: &Sound, number: usize, fault: Fault) {
    let what = format!("{fault:?} at call {number} of {act:?}");
    let stage = Stage::on(kind).await;
    stage.storage.plan(Some((number, fault)));
    let answer = stage.ask(act).await;
    let told = answer.as_ref().map(|answer| answer.status);
    let expected = match fault {
        Fault::Fails | Fault::FailsAfterwards => Some(503),
        Fault::IsCorrupt | Fault::Panics | Fault::PanicsAfterwards => Some(500),
        Fault::TakesLong => Some(act.status),
        Fault::Hangs | Fault::HangsAfterwards => None,
    };
    assert_eq!(told, expected, "{what}: {answer:?}");
    if let Some(answer) = answer.filter(|answer| answer.status >= 500) {
        assert!(!answer.text().contains("canary"), "{what}: {answer:?}");
    }

    let found = stage.state().await;
    let is_done = match fault {
        Fault::TakesLong => true,
        // The last call is the one that has an effect; of what failed afterwards, it is not known to who asked.
        Fault::FailsAfterwards | Fault::PanicsAfterwards | Fault::HangsAfterwards => number == sound.calls,
        Fault::Fails | Fault::IsCorrupt | Fault::Panics | Fault::Hangs => false,
    };
    assert_eq!(&found, if is_done { &sound.after } else { &sound.before }, "{what}");

    stage.storage.plan(None);
    let again = stage.ask(act).await.unwrap();
    let gone = is_done && sound.before != sound.after && act.takes_away();
    assert_eq!(again.status, if gone { 404 } else { act.status }, "{what}, and then: {again:?}");
}

/// Puts each of these faults, given the number of the experiment, to every call of every act.
async fn sweep(kind: StorageKind, faults: impl Fn(usize) -> Vec<Fault>) {
    let mut experiments = 0;
    for act in &ACTS {
        let sound = soundly(kind, act).await;
        for number in 1..=sound.calls {
            for fault in faults(experiments) {
                with_a_fault(kind, act, &sound, number, fault).await;
            }
            experiments += 1;
        }
    }
    assert!(experiments > ACTS.len(), "{experiments}");
}

fn every(_: usize) -> Vec<Fault> {
    Fault::ALL.to_vec()
}

/// A file is slow to make: each call has one of the faults, and each fault many calls.
fn in_turn(experiment: usize) -> Vec<Fault> {
    vec![Fault::ALL[experiment % Fault::ALL.len()]]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_memory_storage_fault_is_reported() {
    sweep(StorageKind::Memory, every).await;
}

/// With `FAMILY_API_TRIALS=long`, each call has every fault here too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_sqlite_storage_fault_is_reported() {
    let is_long = std::env::var("FAMILY_API_TRIALS").is_ok_and(|form| form == "long");
    sweep(StorageKind::Sqlite, if is_long { every } else { in_turn }).await;
}

#[tokio::test]
async fn hanging_storage_is_unavailable_after_the_timeout() {
    let stage = Stage::on(StorageKind::Memory).await;
    let routes = FamilyRoutes::new(stage.app.api.clone()).request_timeout(Duration::from_millis(50));
    let service = Service::new(Router::new().push(routes.into_router()));
    for number in [1, 2] {
        stage.storage.plan(Some((number, Fault::Hangs)));
        let answer = send(&service, ACTS[1].request()).await;
        assert!(answer.is(503, "unavailable").header("retry-after").is_some());
        stage.storage.plan(None);
        assert_eq!(send(&service, ACTS[1].request()).await.status, 200);
    }
}
