//! The time of the last use of keys: recorded in batches, and never moved backwards.

use family_api_core::Timestamp;
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::Revision;
use family_api_core::storage::KeyState;

use crate::Subject;
use crate::fixture::{id, minute, new_key, seed_families};
use crate::keys::{find, insert, revoke};

async fn seed(subject: &dyn Subject) {
    seed_families(subject).await;
    for (key, user) in [("k1", "ada"), ("k2", "ada"), ("k3", "bob")] {
        insert(subject, &new_key(key, user)).await;
    }
}

async fn record_uses(subject: &dyn Subject, plaintexts: &[&str], at: Timestamp) {
    let keys: Vec<_> = plaintexts.iter().map(|plaintext| KeyDigest::of(plaintext)).collect();
    subject.storage().record_uses(&keys, at).await.unwrap();
}

/// Returns the time of the last use of each key. Asserts that `find_key` and `list_keys` return the same time.
async fn last_uses(subject: &dyn Subject) -> [Option<Timestamp>; 3] {
    let mut uses = [None; 3];
    for (last, (key, user)) in uses.iter_mut().zip([("k1", "ada"), ("k2", "ada"), ("k3", "bob")]) {
        *last = find(subject, key).await.unwrap().key.last_used_at;
        let listed = subject.storage().list_keys(&id(user), minute(0)).await.unwrap();
        let listed = listed.into_iter().find(|listed| listed.id.as_str() == key).unwrap();
        assert_eq!(listed.last_used_at, *last);
    }
    uses
}

pub(super) async fn a_recorded_use_is_returned_by_find_key_and_list_keys(subject: &dyn Subject) {
    seed(subject).await;
    assert_eq!(last_uses(subject).await, [None; 3]);
    record_uses(subject, &["k1"], minute(5)).await;
    assert_eq!(last_uses(subject).await, [Some(minute(5)), None, None]);
    record_uses(subject, &["k3", "k1"], minute(6)).await;
    assert_eq!(last_uses(subject).await, [Some(minute(6)), None, Some(minute(6))]);
}

pub(super) async fn the_last_use_never_moves_backwards(subject: &dyn Subject) {
    seed(subject).await;
    record_uses(subject, &["k1"], minute(5)).await;
    record_uses(subject, &["k1", "k2"], minute(4)).await;
    assert_eq!(last_uses(subject).await, [Some(minute(5)), Some(minute(4)), None]);
    record_uses(subject, &["k1"], minute(5)).await;
    record_uses(subject, &["k2"], minute(-5)).await;
    assert_eq!(last_uses(subject).await, [Some(minute(5)), Some(minute(4)), None]);
}

pub(super) async fn record_uses_accepts_1000_digests_and_skips_unknown_digests(subject: &dyn Subject) {
    seed(subject).await;
    record_uses(subject, &[], minute(5)).await;
    record_uses(subject, &["unknown"], minute(5)).await;
    assert_eq!(last_uses(subject).await, [None; 3]);
    let unknown: Vec<String> = (0..998).map(|n| format!("unknown {n}")).collect();
    let many: Vec<&str> = ["k1"].into_iter().chain(unknown.iter().map(String::as_str)).chain(["k3"]).collect();
    record_uses(subject, &many, minute(6)).await;
    assert_eq!(last_uses(subject).await, [Some(minute(6)), None, Some(minute(6))]);
    assert_eq!(find(subject, "unknown").await, None);
}

pub(super) async fn recording_a_use_changes_no_other_field_of_the_key(subject: &dyn Subject) {
    seed_families(subject).await;
    let (mut expired, revoked) = (new_key("k1", "ada"), new_key("k2", "ada"));
    expired.key.expires_at = Some(minute(1));
    insert(subject, &expired).await;
    insert(subject, &revoked).await;
    assert!(revoke(subject, "ada", "k2").await);
    record_uses(subject, &["k1", "k2"], minute(2)).await;
    let used = |key: IntegrationKey| IntegrationKey { last_used_at: Some(minute(2)), ..key };
    let found = find(subject, "k1").await.unwrap();
    assert_eq!((found.state, found.key), (KeyState::Active, used(expired.key)));
    let found = find(subject, "k2").await.unwrap();
    assert_eq!((found.state, found.key), (KeyState::Revoked { at: minute(10) }, used(revoked.key)));
    assert!(subject.storage().list_keys(&id("ada"), minute(3)).await.unwrap().is_empty());
}

pub(super) async fn recording_a_use_does_not_change_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    let before = revision(subject).await;
    record_uses(subject, &["k1", "k2", "k3"], minute(5)).await;
    assert_eq!(revision(subject).await, before);
}

async fn revision(subject: &dyn Subject) -> Option<Revision> {
    find(subject, "k1").await.unwrap().account.unwrap().membership.unwrap().revision
}
