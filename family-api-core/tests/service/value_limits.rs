//! The Rust API applies the same limits to values as the HTTP API does to request bodies.

use family_api_core::change::NoteChange;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::resource::{Note, Verb};
use family_api_core::validation::{FieldFault, Reference};
use family_api_core::{Clock, Error, Precondition};

use crate::fixture::{Fixture, session};

fn faults<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<FieldFault> {
    match result.unwrap_err() {
        Error::InvalidField(faults) => faults.listed().to_vec(),
        other => vec![FieldFault { pointer: "none".to_owned(), detail: other.to_string() }],
    }
}

#[tokio::test]
async fn an_invalid_draft_of_a_key_is_refused() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let caller = session(&api, "ana").await;
    let draft = KeyDraft::new(KeyMode::V1Read).name("\u{7}").expires_at(fixture.clock.now());
    assert_eq!(faults(api.keys(&caller).unwrap().create(draft).await).len(), 2);
}

#[tokio::test]
async fn valid_values_reach_the_storage() {
    let fixture = Fixture::new().await;
    let (api, unconditional) = (fixture.api(), &Precondition::None);
    let caller = session(&api, "ana").await;
    let created = api.keys(&caller).unwrap().create(KeyDraft::new(KeyMode::V1Read).name(" Grafana ")).await.unwrap();
    assert_eq!(created.name.as_deref(), Some("Grafana"));
    let update = NoteChange::new().pin().build().unwrap();
    let outcome = api
        .records::<Note>(&caller, Verb::Update)
        .unwrap()
        .update(&Reference::from("missing"), update, unconditional)
        .await;
    assert!(matches!(outcome, Err(Error::NotFound)), "{outcome:?}");
}
