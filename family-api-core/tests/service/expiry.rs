//! Tokens that expire while they are looked up.

use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::{Endpoint, Surface};
use jiff::SignedDuration;

use crate::fixture::{Fixture, authorize, session};

#[tokio::test]
async fn a_key_that_expires_during_its_lookup_is_refused() {
    let (fixture, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    let day = SignedDuration::from_hours(24);
    let draft = KeyDraft::new(KeyMode::V1Read).expires_at(fixture.now().saturating_add(day * 2));
    let token = api.keys(&ana).unwrap().create(draft).await.unwrap().token;
    fixture.storage.slow_down_key_lookups(&fixture.clock, day);
    authorize(&api, token.expose(), Surface::V1).await.unwrap();

    let refused = authorize(&api, token.expose(), Surface::V1).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "invalid_token");
}

#[tokio::test]
async fn a_key_that_expires_while_a_late_body_is_admitted_is_refused() {
    let (fixture, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    let day = SignedDuration::from_hours(24);
    let draft = KeyDraft::new(KeyMode::V1Read).expires_at(fixture.now().saturating_add(day));
    let token = api.keys(&ana).unwrap().create(draft).await.unwrap().token;
    let header = format!("Bearer {}", token.expose());
    api.admit_again([header.as_bytes()], Surface::V1, Endpoint::Rest).await.unwrap();

    fixture.storage.slow_down_key_lookups(&fixture.clock, day);
    let refused = api.admit_again([header.as_bytes()], Surface::V1, Endpoint::Rest).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "invalid_token");
}
