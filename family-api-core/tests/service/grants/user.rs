//! What users may approve, and grants whose users are in another storage.

use std::sync::Arc;

use family_api_core::grant::{Approval, OAuthClient};
use family_api_core::{ContentCoding, FamilyApi, Surface, resource::ReadQuery};
use family_api_memory::MemoryStorage;
use jiff::SignedDuration;

use crate::fixture::{Fixture, authorize, create_key, session};
use crate::grants::client::{
    approval, approve, assert_invalid_grant, connect, connected, connections, present, redeem, refresh, refusal, setup,
};
use crate::grants::misuse::take_reasons;

#[tokio::test]
async fn a_consent_form_has_an_effect_only_once() {
    let (_, api) = setup().await;
    approve(&api, "ana", "g1", Surface::V1).await;
    for user in ["ana", "ben"] {
        let session = session(&api, user).await;
        let again = api.grants().unwrap().approve(&session, approval("g1", Surface::V1)).await;
        assert_eq!(again.unwrap_err().code().as_str(), "consent_used");
    }
}

#[tokio::test]
async fn a_user_has_at_most_fifty_connections() {
    let (_, api) = setup().await;
    for number in 0..50 {
        connect(&api, "ana", &format!("g{number}"), Surface::V1).await;
    }
    let ana = session(&api, "ana").await;
    let other = OAuthClient::new("https://other.example/client".to_owned(), None, "other.example".to_owned());
    let more = Approval { client: other.unwrap(), ..approval("more", Surface::V1) };
    let refused = api.grants().unwrap().approve(&ana, more.clone()).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "connection_limit_reached");
    connect(&api, "ben", "bens", Surface::V1).await;
    api.connections(&ana).unwrap().revoke(&"g7".into()).await.unwrap();
    api.grants().unwrap().approve(&ana, more).await.unwrap();
}

#[tokio::test]
async fn one_connection_more_replaces_the_least_used_one_of_the_client() {
    let (fixture, api) = setup().await;
    let first = connect(&api, "ana", "first", Surface::V1).await;
    fixture.clock.advance(SignedDuration::from_mins(1));
    for number in 1..50 {
        connect(&api, "ana", &format!("g{number}"), Surface::V1).await;
    }
    fixture.audit_log.take_events();
    connect(&api, "ana", "more", Surface::V1).await;
    assert_eq!(take_reasons(&fixture), ["Replaced"]);
    assert_eq!(refusal(&api, &first).await, "invalid_token");
    let ids = connections(&api, "ana").await;
    assert_eq!((ids.len(), ids.iter().any(|connection| connection.id.as_str() == "first")), (50, false));
}

#[tokio::test]
async fn a_token_cannot_approve_or_manage_connections() {
    let (_, api) = setup().await;
    let key = create_key(&api, "ana").await.token;
    let caller = authorize(&api, key.expose(), Surface::V1).await.unwrap();
    let approved = api.grants().unwrap().approve(&caller, approval("g1", Surface::V1)).await;
    assert_eq!(approved.unwrap_err().code().as_str(), "not_signed_in");
    assert_eq!(api.connections(&caller).unwrap_err().code().as_str(), "not_signed_in");
}

#[tokio::test]
async fn a_user_cannot_revoke_a_connection_of_another_user() {
    let (_, api, tokens) = connected().await;
    let ben = session(&api, "ben").await;
    for id in ["g1", "unknown", "not an id"] {
        let refused = api.connections(&ben).unwrap().revoke(&id.into()).await.unwrap_err();
        assert_eq!(refused.code().as_str(), "not_found");
    }
    assert!(present(&api, &tokens).await.is_ok());
}

#[tokio::test]
async fn grants_can_be_in_a_storage_without_users() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().grants(Arc::new(MemoryStorage::new())).build();
    let tokens = connect(&api, "ana", "g1", Surface::V1).await;
    fixture.storage.take_call_count();
    let caller = present(&api, &tokens).await.unwrap();
    assert_eq!(fixture.storage.take_call_count(), 1);
    api.read(&caller).unwrap().get(&ReadQuery::Notes, ContentCoding::Identity, None).await.unwrap();
    assert_eq!(connections(&api, "ana").await.len(), 1);
}

#[tokio::test]
async fn a_deleted_user_gets_no_more_tokens() {
    let (fixture, api) = setup().await;
    let (code, tokens) = (approve(&api, "ana", "g1", Surface::V1).await, connect(&api, "ana", "g2", Surface::V1).await);
    let grants = Arc::new(fixture.storage.memory.clone());
    let without_users = FamilyApi::builder(Arc::new(MemoryStorage::new())).grants(grants).clock(fixture.clock.clone());
    let without_users = without_users.audit(fixture.audit_log.clone()).build();
    fixture.audit_log.take_events();
    assert_invalid_grant(redeem(&without_users, &code).await);
    assert_invalid_grant(refresh(&without_users, &tokens).await);
    assert_eq!(take_reasons(&fixture), ["UserDeleted", "UserDeleted"]);
    // Another user with the same id does not get the connections.
    assert_eq!(connections(&api, "ana").await, []);
    assert_invalid_grant(refresh(&api, &tokens).await);
}

#[tokio::test]
async fn a_user_without_family_or_with_the_api_off_keeps_connections() {
    let (_, api) = setup().await;
    for user in ["cleo", "dan"] {
        let tokens = connect(&api, user, user, Surface::V1).await;
        assert!(refresh(&api, &tokens).await.is_ok(), "{user}");
    }
}

#[tokio::test]
async fn a_host_ends_the_connections_of_a_user_whom_it_deletes() {
    let (fixture, api) = setup().await;
    let (code, tokens) = (approve(&api, "ana", "g1", Surface::V1).await, connect(&api, "ana", "g2", Surface::V1).await);
    let bens = connect(&api, "ben", "bens", Surface::V1).await;
    fixture.audit_log.take_events();
    for reasons in [&["UserDeleted", "UserDeleted"][..], &[]] {
        api.grants().unwrap().end_all_of(&"ana".parse().unwrap()).await.unwrap();
        assert_eq!(take_reasons(&fixture), reasons);
    }
    assert_eq!(refusal(&api, &tokens).await, "invalid_token");
    assert_invalid_grant(redeem(&api, &code).await);
    assert!(present(&api, &bens).await.is_ok());
}
