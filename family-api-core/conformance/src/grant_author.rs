//! A write with an access token requires that the token is still valid at the time of the write.

use family_api_core::Surface;
use family_api_core::access::Refusal;
use family_api_core::change::ProfileChange;
use family_api_core::key::KeyMode;
use family_api_core::storage::{Author, Credential, ExchangedSecret, GrantRevocation, NewGrant, TokenIssue, Written};

use crate::GrantsSubject;
use crate::author::{assert_scope_is_missing, assert_writes_allowed, assert_writes_refused};
use crate::fixture::{ada, bob, id, now, signed_in};
use crate::grants::{access_digest, insert, insert_with_tokens, issue, new_grant, token_issue};

/// Returns ada as the author of a request with an access token.
fn author_with(tokens: &str) -> Author {
    Author { member: ada(), credential: Credential::Grant(access_digest(tokens)) }
}

pub(super) async fn a_valid_access_token_allows_writes(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    assert_writes_allowed(subject, &author_with("t1")).await;
}

pub(super) async fn a_write_with_a_token_of_a_revoked_grant_is_refused(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let revoked = subject.grants().revoke_grant(&signed_in("ada"), &id("g1"), now()).await.unwrap();
    assert_eq!(revoked, GrantRevocation::Revoked);
    assert_writes_refused(subject, &author_with("t1"), Written::Unauthorized(Refusal::Unknown)).await;
}

pub(super) async fn a_write_with_an_expired_access_token_is_refused(subject: &dyn GrantsSubject) {
    insert(subject, &new_grant("g1", "ada")).await;
    let expiring = TokenIssue { access_expires_at: now(), ..token_issue("g1", ExchangedSecret::Code, "t1") };
    assert!(issue(subject, &expiring).await);
    assert_writes_refused(subject, &author_with("t1"), Written::Unauthorized(Refusal::Expired)).await;
}

pub(super) async fn a_write_with_a_token_of_the_read_path_is_refused(subject: &dyn GrantsSubject) {
    insert(subject, &NewGrant { surface: Surface::ReadPath, ..new_grant("g1", "ada") }).await;
    assert!(issue(subject, &token_issue("g1", ExchangedSecret::Code, "t1")).await);
    assert_writes_refused(subject, &author_with("t1"), Written::Unauthorized(Refusal::WrongAudience)).await;
}

pub(super) async fn a_write_with_a_token_that_lacks_the_scope_is_refused(subject: &dyn GrantsSubject) {
    insert(subject, &new_grant("g1", "ada")).await;
    let reads = KeyMode::V1Read.scopes().on(Surface::V1);
    assert!(issue(subject, &TokenIssue { scopes: reads, ..token_issue("g1", ExchangedSecret::Code, "t1") }).await);
    assert_scope_is_missing(subject, &author_with("t1")).await;
}

pub(super) async fn a_write_with_a_token_is_refused_while_the_api_is_off(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let off = ProfileChange::new().disable_personal_api();
    subject.storage().update_profile(&signed_in("ada"), &off, now()).await.unwrap();
    assert_writes_refused(subject, &author_with("t1"), Written::Unauthorized(Refusal::ApiDisabled)).await;
    let external = Author { member: ada(), credential: Credential::External };
    assert_writes_refused(subject, &external, Written::Unauthorized(Refusal::ApiDisabled)).await;
}

pub(super) async fn a_write_with_a_token_of_another_user_is_not_found(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let author = Author { member: bob(), ..author_with("t1") };
    assert_writes_refused(subject, &author, Written::NotFound).await;
}
