//! The last use of keys: kept in memory at first, written in batches.

use family_api_core::limit::Rate;
use family_api_core::{FamilyApi, Surface, Timestamp};
use jiff::SignedDuration;

use crate::fixture::{ENVIRONMENT, Fixture, authorize, key, session};

/// Returns the last uses in the list of the user's keys.
async fn listed(api: &FamilyApi, user: &str) -> Vec<Option<Timestamp>> {
    let session = session(api, user).await;
    let keys = api.keys(&session).unwrap().list().await.unwrap();
    keys.tokens.into_iter().map(|key| key.last_used_at).collect()
}

fn minute(text: &str) -> Vec<Option<Timestamp>> {
    vec![Some(text.parse().unwrap())]
}

#[tokio::test]
async fn a_use_is_written_at_most_once_a_minute_with_minute_precision() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    assert!(!api.has_unrecorded_uses());
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    assert!(api.has_unrecorded_uses());
    assert_eq!(listed(&api, "ana").await, [None]);
    fixture.storage.calls();
    api.record_uses().await.unwrap();
    assert_eq!((fixture.storage.calls(), api.has_unrecorded_uses()), (1, false));
    assert_eq!(listed(&api, "ana").await, minute("2026-11-20T10:15:00Z"));

    fixture.clock.advance(SignedDuration::from_secs(29));
    authorize(&api, token.expose(), Surface::ReadPath).await.unwrap();
    assert!(!api.has_unrecorded_uses());
    fixture.storage.calls();
    api.record_uses().await.unwrap();
    assert_eq!(fixture.storage.calls(), 0);

    fixture.clock.advance(SignedDuration::from_secs(1));
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    assert!(api.has_unrecorded_uses());
    api.record_uses().await.unwrap();
    assert_eq!(listed(&api, "ana").await, minute("2026-11-20T10:16:00Z"));
}

#[tokio::test]
async fn uses_of_many_keys_in_one_minute_are_one_storage_call() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    for user in ["ana", "ana", "ben"] {
        let token = key(&api, user).await.token;
        authorize(&api, token.expose(), Surface::V1).await.unwrap();
    }
    fixture.storage.calls();
    api.record_uses().await.unwrap();
    assert_eq!(fixture.storage.calls(), 1);
    let once = minute("2026-11-20T10:15:00Z");
    assert_eq!((listed(&api, "ana").await, listed(&api, "ben").await), ([once.clone(), once.clone()].concat(), once));
}

#[tokio::test]
async fn a_written_use_survives_a_restart_and_is_not_written_again() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    api.record_uses().await.unwrap();
    drop(api);
    let restarted = fixture.api();
    assert_eq!(listed(&restarted, "ana").await, minute("2026-11-20T10:15:00Z"));
    authorize(&restarted, token.expose(), Surface::V1).await.unwrap();
    assert!(!restarted.has_unrecorded_uses());
}

#[tokio::test]
async fn uses_that_cannot_be_written_fail_no_request_and_are_retried() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    fixture.storage.allow_background_writes(false);
    for _ in 0..3 {
        let caller = authorize(&api, token.expose(), Surface::V1).await.unwrap();
        api.profile(&caller).unwrap().get().await.unwrap();
        let fault = api.record_uses().await.unwrap_err();
        assert_eq!(fault.code().as_str(), "unavailable");
        assert!(api.has_unrecorded_uses());
        fixture.clock.advance(SignedDuration::from_mins(1));
    }
    assert_eq!(listed(&api, "ana").await, [None]);
    fixture.storage.allow_background_writes(true);
    api.record_uses().await.unwrap();
    assert!(!api.has_unrecorded_uses());
    assert_eq!(listed(&api, "ana").await, minute("2026-11-20T10:17:00Z"));
}

#[tokio::test]
async fn only_an_accepted_key_counts_as_used() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().rate_limit(Rate::per_minute(1.try_into().unwrap())).build();
    authorize(&api, ENVIRONMENT, Surface::ReadPath).await.unwrap();
    session(&api, "ana").await;
    for user in ["cleo", "dan"] {
        let token = key(&api, user).await.token;
        for _ in 0..2 {
            authorize(&api, token.expose(), Surface::V1).await.unwrap_err();
        }
    }
    assert!(!api.has_unrecorded_uses());
}
