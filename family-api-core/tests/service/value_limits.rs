//! The Rust API applies the same limits to values as the HTTP API does to request bodies.

use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::{Clock, Error};

use crate::fixture::{Fixture, session};

#[tokio::test]
async fn an_invalid_draft_of_a_key_is_refused() {
    let (fixture, api) = Fixture::with_api().await;
    let caller = session(&api, "ana").await;
    let draft = KeyDraft::new(KeyMode::V1Read).name("\u{7}").expires_at(fixture.clock.now());
    let refused = api.keys(&caller).unwrap().create(draft).await.unwrap_err();
    assert!(matches!(&refused, Error::InvalidField(faults) if faults.listed().len() == 2), "{refused:?}");
}
