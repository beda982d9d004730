//! The last use of keys: kept in memory at first, written in batches.

use std::time::Duration;

use family_api_core::limit::Rate;
use family_api_core::{FamilyApi, Surface, Timestamp};
use futures_util::FutureExt;
use jiff::SignedDuration;
use tokio::time::sleep;

use crate::fixture::{ENVIRONMENT_TOKEN, Fixture, authorize, create_key, session};

/// Returns the last use of each key in the user's list of keys.
async fn list_last_uses(api: &FamilyApi, user: &str) -> Vec<Option<Timestamp>> {
    let session = session(api, user).await;
    let keys = api.keys(&session).unwrap().list().await.unwrap();
    keys.tokens.into_iter().map(|key| key.last_used_at).collect()
}

/// Writes the pending uses. Returns the number of storage calls.
async fn record_uses(fixture: &Fixture, api: &FamilyApi) -> usize {
    fixture.storage.take_call_count();
    api.record_uses().await.unwrap();
    fixture.storage.take_call_count()
}

fn one_use(text: &str) -> Vec<Option<Timestamp>> {
    vec![Some(text.parse().unwrap())]
}

#[tokio::test]
async fn a_use_is_written_at_most_once_a_minute_with_minute_precision() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    assert_eq!(record_uses(&fixture, &api).await, 0);
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    assert_eq!(list_last_uses(&api, "ana").await, [None]);
    assert_eq!((record_uses(&fixture, &api).await, record_uses(&fixture, &api).await), (1, 0));
    assert_eq!(list_last_uses(&api, "ana").await, one_use("2026-11-20T10:15:00Z"));

    fixture.clock.advance(SignedDuration::from_secs(29));
    authorize(&api, token.expose(), Surface::ReadPath).await.unwrap();
    assert_eq!(record_uses(&fixture, &api).await, 0);

    fixture.clock.advance(SignedDuration::from_secs(1));
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    assert_eq!(record_uses(&fixture, &api).await, 1);
    assert_eq!(list_last_uses(&api, "ana").await, one_use("2026-11-20T10:16:00Z"));
}

#[tokio::test]
async fn uses_of_many_keys_in_one_minute_are_one_storage_call() {
    let (fixture, api) = Fixture::with_api().await;
    for user in ["ana", "ana", "ben"] {
        let token = create_key(&api, user).await.token;
        authorize(&api, token.expose(), Surface::V1).await.unwrap();
    }
    assert_eq!(record_uses(&fixture, &api).await, 1);
    let once = one_use("2026-11-20T10:15:00Z");
    assert_eq!(
        (list_last_uses(&api, "ana").await, list_last_uses(&api, "ben").await),
        ([once.clone(), once.clone()].concat(), once)
    );
}

#[tokio::test]
async fn a_written_use_survives_a_restart_and_is_not_written_again() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    api.record_uses().await.unwrap();
    drop(api);
    let restarted = fixture.api();
    assert_eq!(list_last_uses(&restarted, "ana").await, one_use("2026-11-20T10:15:00Z"));
    authorize(&restarted, token.expose(), Surface::V1).await.unwrap();
    assert_eq!(record_uses(&fixture, &restarted).await, 0);
}

#[tokio::test]
async fn uses_that_cannot_be_written_fail_no_request_and_are_retried() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    fixture.storage.allow_background_writes(false);
    for _ in 0..3 {
        let caller = authorize(&api, token.expose(), Surface::V1).await.unwrap();
        api.profile(&caller).unwrap().get().await.unwrap();
        let fault = api.record_uses().await.unwrap_err();
        assert_eq!(fault.code().as_str(), "unavailable");
        fixture.clock.advance(SignedDuration::from_mins(1));
    }
    assert_eq!(list_last_uses(&api, "ana").await, [None]);
    fixture.storage.allow_background_writes(true);
    assert_eq!(record_uses(&fixture, &api).await, 1);
    assert_eq!(list_last_uses(&api, "ana").await, one_use("2026-11-20T10:17:00Z"));
}

#[tokio::test(start_paused = true)]
async fn a_background_task_writes_uses_after_a_second_and_retries() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    sleep(Duration::from_mins(1)).await;
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    fixture.storage.take_call_count();
    sleep(Duration::from_millis(900)).await;
    assert_eq!(fixture.storage.take_call_count(), 0);
    sleep(Duration::from_millis(200)).await;
    assert_eq!(fixture.storage.take_call_count(), 1);
    assert_eq!(list_last_uses(&api, "ana").await, one_use("2026-11-20T10:15:00Z"));

    fixture.clock.advance(SignedDuration::from_mins(1));
    fixture.storage.allow_background_writes(false);
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    sleep(Duration::from_mins(1)).await;
    assert_eq!(list_last_uses(&api, "ana").await, one_use("2026-11-20T10:15:00Z"));
    fixture.storage.allow_background_writes(true);
    sleep(Duration::from_mins(1)).await;
    assert_eq!(list_last_uses(&api, "ana").await, one_use("2026-11-20T10:16:00Z"));
}

#[tokio::test(start_paused = true)]
async fn slow_writes_of_uses_do_not_overlap() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    sleep(Duration::from_mins(1)).await;
    fixture.storage.slow_down_background_writes(Duration::from_secs(5));
    for _ in 0..200 {
        fixture.clock.advance(SignedDuration::from_mins(1));
        authorize(&api, token.expose(), Surface::V1).await.unwrap();
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(fixture.storage.max_concurrent_background_writes(), 1);
}

#[test]
fn without_a_runtime_uses_stay_pending() {
    let fixture = Fixture::new().now_or_never().unwrap();
    let api = fixture.api();
    let token = create_key(&api, "ana").now_or_never().unwrap().token;
    authorize(&api, token.expose(), Surface::V1).now_or_never().unwrap().unwrap();
    assert_eq!(record_uses(&fixture, &api).now_or_never(), Some(1));
}

#[test]
fn a_task_that_ends_with_its_runtime_does_not_block_the_next() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let first = runtime();
    let (fixture, api, token) = first.block_on(async {
        let (fixture, api) = Fixture::with_api().await;
        let token = create_key(&api, "ana").await.token;
        (fixture, api, token)
    });
    drop(first);
    runtime().block_on(async {
        authorize(&api, token.expose(), Surface::V1).await.unwrap();
        fixture.storage.take_call_count();
        sleep(Duration::from_secs(2)).await;
        assert!(fixture.storage.take_call_count() > 0);
    });
}

#[tokio::test]
async fn only_an_accepted_key_counts_as_used() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().rate_limit(Rate::per_minute(1.try_into().unwrap())).build();
    authorize(&api, ENVIRONMENT_TOKEN, Surface::ReadPath).await.unwrap();
    session(&api, "ana").await;
    for user in ["cleo", "dan"] {
        let token = create_key(&api, user).await.token;
        for _ in 0..2 {
            authorize(&api, token.expose(), Surface::V1).await.unwrap_err();
        }
    }
    assert_eq!(record_uses(&fixture, &api).await, 0);
}
