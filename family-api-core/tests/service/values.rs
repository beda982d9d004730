//! Calls apply the same limits to values as request bodies.

use family_api_core::change::{FieldFault, NoteChange, Reference, TaskChange, TaskMove};
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::{Clock, Error, Precondition};

use crate::fixture::{Fixture, session};

fn faults<T: std::fmt::Debug>(answer: Result<T, Error>) -> Vec<FieldFault> {
    match answer.unwrap_err() {
        Error::InvalidField(faults) => faults.listed().to_vec(),
        other => vec![FieldFault { pointer: "none".to_owned(), detail: other.to_string() }],
    }
}

#[tokio::test]
async fn invalid_values_are_refused_before_the_record_is_read() {
    let fixture = Fixture::new().await;
    let (api, any) = (fixture.api(), &Precondition::None);
    let caller = session(&api, "ana").await;
    let (tasks, notes) = (api.tasks(&caller).unwrap(), api.notes(&caller).unwrap());
    let nowhere = || Reference::from("nowhere");
    let change = TaskChange::new().title("").order(-1);
    let found = faults(tasks.update(&nowhere(), change.into(), any).await);
    assert_eq!(found.iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), ["/title", "/order"]);
    let to = TaskMove::new(&"c".parse().unwrap(), 1_000_001);
    assert_eq!(faults(tasks.update(&nowhere(), to.into(), any).await)[0].pointer, "/order");
    let found = faults(notes.update(&Reference::from("nowhere"), NoteChange::new().color("red"), any).await);
    assert_eq!(found[0].to_string(), "/color: expected a color, #rrggbb");
    let draft = KeyDraft::new(KeyMode::V1Read).name("\u{7}").expires_at(fixture.clock.now());
    assert_eq!(faults(api.keys(&caller).unwrap().create(draft).await).len(), 2);
}

#[tokio::test]
async fn valid_values_reach_the_storage() {
    let fixture = Fixture::new().await;
    let (api, any) = (fixture.api(), &Precondition::None);
    let caller = session(&api, "ana").await;
    let created = api.keys(&caller).unwrap().create(KeyDraft::new(KeyMode::V1Read).name(" Grafana ")).await.unwrap();
    assert_eq!(created.name.as_deref(), Some("Grafana"));
    let missing = api.notes(&caller).unwrap().update(&Reference::from("nowhere"), NoteChange::new().pin(), any).await;
    assert!(matches!(missing, Err(Error::NotFound)), "{missing:?}");
}
