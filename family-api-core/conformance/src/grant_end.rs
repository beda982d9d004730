//! Grants: the ways in which they end.

use family_api_core::key::RevokedAccess;
use family_api_core::storage::{ExchangedSecret, GrantLookup, GrantRevocation, GrantState, SignedIn};

use crate::GrantsSubject;
use crate::fixture::{id, minute, seconds, signed_in};
use crate::grants::{
    access_digest, find, find_token, insert, insert_with_tokens, issue, lineage_digest, listed_ids, new_grant,
    refresh_of, token_issue, with_dead_session,
};

pub(super) async fn a_revoked_grant_has_no_access_token(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    insert(subject, &new_grant("g2", "ada")).await;
    assert!(find_token(subject, "t1").await.is_some());
    let revoke = async || subject.grants().revoke_grant(&signed_in("ada"), &id("g1"), minute(2)).await.unwrap();
    assert_eq!(revoke().await, GrantRevocation::Revoked);
    assert_eq!(find_token(subject, "t1").await, None);
    assert_eq!(find(subject, GrantLookup::AccessToken(&access_digest("t1"))).await, None);
    let grant = find(subject, GrantLookup::Lineage(&lineage_digest("g1"))).await.unwrap();
    assert_eq!(grant.state, GrantState::Revoked);
    assert_eq!(revoke().await, GrantRevocation::NotFound);
    assert!(!issue(subject, &token_issue("g1", refresh_of("t1"), "t2")).await);
    assert_eq!(listed_ids(subject, "ada").await, ["g2"]);
}

pub(super) async fn all_access_of_a_user_includes_approved_and_redeemed_grants(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    insert(subject, &new_grant("g2", "ada")).await;
    insert(subject, &new_grant("g3", "bob")).await;
    let revoked = subject.storage().revoke_access(&signed_in("ada"), seconds(40)).await.unwrap();
    assert_eq!(revoked, Some(RevokedAccess { keys: 0, connections: 2, feeds: 0 }));
    assert_eq!(find_token(subject, "t1").await, None);
    assert!(!issue(subject, &token_issue("g1", refresh_of("t1"), "t2")).await);
    assert!(!issue(subject, &token_issue("g2", ExchangedSecret::Code, "t3")).await);
    assert!(listed_ids(subject, "ada").await.is_empty());
    assert_eq!(listed_ids(subject, "bob").await, ["g3"]);
}

pub(super) async fn only_the_user_can_revoke_a_grant(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let revoke =
        async |user: SignedIn, grant: &str| subject.grants().revoke_grant(&user, &id(grant), minute(2)).await.unwrap();
    assert_eq!(revoke(signed_in("bob"), "g1").await, GrantRevocation::NotFound);
    assert_eq!(revoke(signed_in("ada"), "unknown").await, GrantRevocation::NotFound);
    assert_eq!(revoke(with_dead_session("ada"), "g1").await, GrantRevocation::NotSignedIn);
    assert!(find_token(subject, "t1").await.is_some());
}

pub(super) async fn a_grant_can_be_ended_only_once(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let end = async |grant: &str, minutes| subject.grants().end_grant(&id(grant), minute(minutes), None).await.unwrap();
    assert!(!end("unknown", 2).await);
    assert!(end("g1", 2).await);
    assert!(!end("g1", 3).await);
    assert_eq!(find_token(subject, "t1").await, None);
    insert(subject, &new_grant("g2", "ada")).await;
    assert!(!end("g2", 1).await);
}
