//! Refreshes with a token that was replaced.

use family_api_core::connection::Misuse;
use family_api_core::grant::{IssuedTokens, Refresh, TokenError};
use family_api_core::key::{Scope, ScopeSet};
use family_api_core::{FamilyApi, Surface};
use futures_util::future::join_all;
use jiff::SignedDuration;

use crate::fixture::{Fixture, session};
use crate::grants::client::{
    CLIENT, api, assert_invalid_grant, connect, connected, present, refresh, refresh_of, refusal, setup,
};
use crate::grants::misuse::take_reasons;

const MINUTE: SignedDuration = SignedDuration::from_mins(1);
const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);

fn texts(tokens: &IssuedTokens) -> [&str; 2] {
    [tokens.access_token.expose(), tokens.refresh_token.expose()]
}

/// Asserts that a refresh with these tokens ends the connection, and that this is audited.
async fn assert_ends(fixture: &Fixture, api: &FamilyApi, replaced: &IssuedTokens, current: &IssuedTokens) {
    assert_eq!(take_reasons(fixture), [""; 0]);
    assert!(present(api, current).await.is_ok());
    assert_invalid_grant(refresh(api, replaced).await);
    assert_eq!(take_reasons(fixture), ["Misused(RefreshTokenReused)"]);
    let session = session(api, "ana").await;
    let misused = api.connections(&session).unwrap().list().await.unwrap().misused;
    assert_eq!((misused.len(), misused[0].id.as_str(), misused[0].misuse), (1, "g1", Misuse::RefreshTokenReused));
    assert_eq!(refusal(api, current).await, "invalid_token");
    assert_invalid_grant(refresh(api, current).await);
}

#[tokio::test]
async fn a_repetition_gets_the_same_tokens_for_a_minute() {
    let (fixture, api, old) = connected().await;
    let other = connect(&api, "ana", "g2", Surface::V1).await;
    let current = refresh(&api, &old).await.unwrap();
    for seconds in [0, 20, 39] {
        fixture.clock.advance(SignedDuration::from_secs(seconds));
        let again = refresh(&api, &old).await.unwrap();
        assert_eq!((texts(&again), &again.scopes), (texts(&current), &current.scopes));
    }
    // The access token was issued 59 seconds ago.
    assert_eq!(refresh(&api, &old).await.unwrap().expires_in, 3_541);
    fixture.clock.advance(SignedDuration::from_secs(1) - MILLISECOND);
    assert!(refresh(&api, &old).await.is_ok());
    fixture.clock.advance(MILLISECOND);
    assert_ends(&fixture, &api, &old, &current).await;
    assert!(present(&api, &other).await.is_ok());
}

#[tokio::test]
async fn refreshes_with_the_old_and_the_new_token_get_the_same_tokens_in_any_order() {
    let (fixture, api, old) = connected().await;
    let current = refresh(&api, &old).await.unwrap();
    for tokens in [&current, &old, &current] {
        fixture.clock.advance(SignedDuration::from_secs(19));
        let again = refresh(&api, tokens).await.unwrap();
        assert_eq!((texts(&again), &again.scopes), (texts(&current), &current.scopes));
    }
    // A repetition does not extend the minute.
    fixture.clock.advance(SignedDuration::from_secs(3));
    let next = refresh(&api, &current).await.unwrap();
    assert_ne!(texts(&next), texts(&current));
    assert_eq!(refusal(&api, &current).await, "invalid_token");
    assert!(present(&api, &next).await.is_ok());
    assert_eq!(take_reasons(&fixture), [""; 0]);
}

#[tokio::test]
async fn a_token_that_was_replaced_by_the_predecessor_ends_the_connection() {
    let (fixture, api, oldest) = connected().await;
    let old = refresh(&api, &oldest).await.unwrap();
    fixture.clock.advance(MINUTE);
    let current = refresh(&api, &old).await.unwrap();
    assert_eq!(texts(&refresh(&api, &old).await.unwrap()), texts(&current));
    assert_ends(&fixture, &api, &oldest, &current).await;
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_extend_the_minute() {
    let (fixture, api, old) = connected().await;
    let current = refresh(&api, &old).await.unwrap();
    fixture.clock.advance(-MINUTE);
    assert_ends(&fixture, &api, &old, &current).await;
}

#[tokio::test]
async fn parallel_refreshes_get_the_same_tokens() {
    let fixture = Fixture::new().await;
    // Two nodes.
    let nodes = [api(&fixture), api(&fixture)];
    let old = connect(&nodes[0], "ana", "g1", Surface::V1).await;
    let issued = join_all((0..8).map(|n| refresh(&nodes[n % 2], &old))).await;
    let issued: Vec<_> = issued.into_iter().map(Result::unwrap).collect();
    assert!(issued.iter().all(|tokens| texts(tokens) == texts(&issued[0])));
    assert!(present(&nodes[0], &issued[0]).await.is_ok());
    assert_eq!(take_reasons(&fixture), [""; 0]);
}

#[tokio::test]
async fn a_repetition_must_be_an_equal_request() {
    let (fixture, api) = setup().await;
    let grants = api.grants().unwrap();
    let old = connect(&api, "ana", "g1", Surface::V1).await;
    let narrow: ScopeSet = [Scope::V1Read].into_iter().collect();
    let request = || Refresh { scopes: Some(narrow.clone()), ..refresh_of(&old.refresh_token) };
    let current = grants.refresh(request()).await.unwrap();
    assert!(matches!(refresh(&api, &old).await, Err(TokenError::InvalidScope)));
    let elsewhere = Refresh { surface: Some(Surface::ReadPath), ..request() };
    assert!(matches!(grants.refresh(elsewhere).await, Err(TokenError::InvalidTarget)));
    let by_other = Refresh { client_id: "another".to_owned(), ..request() };
    assert_invalid_grant(grants.refresh(by_other).await);
    let again = grants.refresh(request()).await.unwrap();
    assert_eq!((texts(&again), &again.scopes), (texts(&current), &narrow));
    assert_eq!(take_reasons(&fixture), [""; 0]);
}

#[tokio::test]
async fn no_repetition_gets_tokens_of_an_ended_connection() {
    let (fixture, api, old) = connected().await;
    let current = refresh(&api, &old).await.unwrap();
    api.grants().unwrap().revoke_token(current.access_token.expose(), Some(CLIENT)).await.unwrap();
    assert_invalid_grant(refresh(&api, &old).await);
    assert_eq!(take_reasons(&fixture), ["RevokedByClient"]);
}
