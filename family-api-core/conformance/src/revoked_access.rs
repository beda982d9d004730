//! The end of all access of a user: every key, and the personal API.

use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::{KeyInsert, KeyState, SignedIn};
use futures_util::future::{join, join_all};

use crate::Subject;
use crate::fixture::{id, minute, new_key, signed_in};
use crate::keys::{find, insert};

/// Revokes the access of a user at ten minutes past noon.
async fn revoke_access(subject: &dyn Subject, user: &str) -> Option<RevokedAccess> {
    subject.storage().revoke_access(&signed_in(user), minute(10)).await.unwrap()
}

/// Returns the state of a key, and whether the personal API of its owner is switched on.
async fn key_and_flag(subject: &dyn Subject, key: &str) -> (KeyState, bool) {
    let found = find(subject, key).await.unwrap();
    (found.state, found.account.unwrap().personal_api_enabled)
}

fn revoked() -> (KeyState, bool) {
    (KeyState::Revoked { at: minute(10) }, false)
}

pub(super) async fn all_access_of_a_user_is_revoked_at_once(subject: &dyn Subject) {
    let mut expired = new_key("k0", "ada");
    expired.key.expires_at = Some(minute(9));
    insert(subject, &expired).await;
    insert(subject, &new_key("k1", "ada")).await;
    insert(subject, &new_key("k2", "ada")).await;
    assert_eq!(revoke_access(subject, "ada").await, Some(RevokedAccess { keys: 2, connections: 0, feeds: 0 }));
    for key in ["k1", "k2"] {
        assert_eq!(key_and_flag(subject, key).await, revoked());
    }
    assert!(subject.storage().list_keys(&id("ada"), minute(11)).await.unwrap().is_empty());
    let account = subject.storage().find_account(&id("ada")).await.unwrap().unwrap();
    assert!(!account.personal_api_enabled);
}

pub(super) async fn a_repeated_revocation_of_all_access_finds_nothing(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    revoke_access(subject, "ada").await.unwrap();
    let again = subject.storage().revoke_access(&signed_in("ada"), minute(20)).await.unwrap();
    assert_eq!(again, Some(RevokedAccess::default()));
    assert_eq!(key_and_flag(subject, "k1").await, revoked());
}

pub(super) async fn the_access_of_other_users_is_not_revoked(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    insert(subject, &new_key("k2", "bob")).await;
    let before = key_and_flag(subject, "k2").await;
    revoke_access(subject, "ada").await.unwrap();
    assert_eq!(key_and_flag(subject, "k2").await, before);
}

pub(super) async fn all_access_of_an_unknown_user_is_not_revoked(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    assert_eq!(revoke_access(subject, "nobody").await, None);
    let dead = SignedIn { session: Some(KeyDigest::of("dead")), ..signed_in("ada") };
    assert_eq!(subject.storage().revoke_access(&dead, minute(10)).await.unwrap(), None);
    assert_eq!(key_and_flag(subject, "k1").await, (KeyState::Active, true));
}

pub(super) async fn no_key_survives_a_concurrent_revocation_of_all_access(subject: &dyn Subject) {
    let names: Vec<String> = (0..8).map(|n| format!("k{n}")).collect();
    let insertions = join_all(names.iter().map(async |name| {
        let new = new_key(name, "ada");
        subject.storage().insert_key(&new, 50).await.unwrap() == KeyInsert::Inserted
    }));
    let (_, access) = join(insertions, revoke_access(subject, "ada")).await;
    let listed = subject.storage().list_keys(&id("ada"), minute(11)).await.unwrap().len();
    // Each key was counted, or was inserted after the revocation.
    assert_eq!(access.unwrap().keys + listed as u64, names.len() as u64);
}
