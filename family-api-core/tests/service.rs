//! The service, called by a program in the same process: what a body could not say, a call cannot either.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::change::{FieldFault, NoteChange, Reference, TaskChange, TaskMove};
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{Load, Record};
use family_api_core::{Clock, Error, FamilyApi, SystemClock};

const RECORDS: [&str; 2] = [
    r#"{"type":"family","id":"f","name":"F","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"user","id":"u","familyId":"f","name":"Ana","email":"ana@example.org","image":null,"color":null,"emoji":null,"displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
];

async fn signed_in() -> (FamilyApi, Caller) {
    let storage = MemoryStorage::default();
    let mut loader = storage.begin_load().await.unwrap();
    for record in RECORDS {
        loader.insert(Record::from_json(record.as_bytes()).unwrap()).await.unwrap();
    }
    loader.commit().await.unwrap();
    let api = FamilyApi::new(Arc::new(storage));
    let caller = api.sign_in(&"u".parse().unwrap()).await.unwrap();
    (api, caller)
}

fn faults<T: std::fmt::Debug>(answer: Result<T, Error>) -> Vec<FieldFault> {
    match answer.unwrap_err() {
        Error::InvalidField(faults) => faults,
        other => vec![FieldFault { pointer: "none".to_owned(), detail: other.to_string() }],
    }
}

#[tokio::test]
async fn values_that_do_not_fit_are_refused_before_the_record_is_looked_for() {
    let (api, caller) = signed_in().await;
    let (tasks, notes) = (api.tasks(&caller).unwrap(), api.notes(&caller).unwrap());
    let nowhere = || Reference::from("nowhere");
    let change = TaskChange::new().title("").order(-1);
    let found = faults(tasks.update(&nowhere(), change.into()).await);
    assert_eq!(found.iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), ["/title", "/order"]);
    let to = TaskMove::new(&"c".parse().unwrap(), 1_000_001);
    assert_eq!(faults(tasks.update(&nowhere(), to.into()).await)[0].pointer, "/order");
    let found = faults(notes.update(&Reference::from("nowhere"), NoteChange::new().color("red")).await);
    assert_eq!(found[0].to_string(), "/color: expected a color, #rrggbb");
    let draft = KeyDraft::new(KeyMode::V1Read).name("\u{7}").expires_at(SystemClock.now());
    assert_eq!(faults(api.keys(&caller).unwrap().create(draft).await).len(), 2);
}

#[tokio::test]
async fn values_that_fit_reach_the_storage() {
    let (api, caller) = signed_in().await;
    let created = api.keys(&caller).unwrap().create(KeyDraft::new(KeyMode::V1Read).name(" Grafana ")).await.unwrap();
    assert_eq!(created.name.as_deref(), Some("Grafana"));
    let missing = api.notes(&caller).unwrap().update(&Reference::from("nowhere"), NoteChange::new().pin()).await;
    assert!(matches!(missing, Err(Error::NotFound)), "{missing:?}");
}
