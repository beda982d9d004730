//! A purge deletes ended keys in batches. A storage can also keep ended keys: then a purge returns 0.

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{KeyRecord, Record};
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::{Call, assert_same, id, key, last_call, minute, seed_families_and};
use crate::keys::find;

fn revoked(name: &str, user: &str, at: i64) -> Record {
    Record::Key(KeyRecord { expires_at: Some(minute(99)), revoked_at: Some(minute(at)), ..key(name, user) })
}

fn expired(name: &str, user: &str, at: i64) -> Record {
    Record::Key(KeyRecord { expires_at: Some(minute(at)), ..key(name, user) })
}

/// Seeds keys that end after one to six minutes, and a key that never ends.
pub(super) async fn seed_keys(subject: &dyn Subject) {
    let never = Record::Key(key("never", "ada"));
    let ended = [
        revoked("r1", "ada", 1),
        expired("e2", "ada", 2),
        expired("b3", "bob", 3),
        revoked("r4", "ada", 4),
        revoked("b5", "bob", 5),
        expired("e6", "ada", 6),
    ];
    seed_families_and(subject, ended.into_iter().chain([never]).collect()).await;
}

const ALL_KEYS: [&str; 7] = ["r1", "e2", "b3", "r4", "b5", "e6", "never"];

/// Asserts that a purge deleted exactly the `expected` keys, or no key. `deleted` is the number that it returned.
async fn assert_purged(subject: &dyn Subject, deleted: u64, expected: &[&str]) {
    let expected = if deleted == 0 { &[] } else { expected };
    assert_same(&deleted, &(expected.len() as u64));
    let purge = last_call();
    for name in ALL_KEYS {
        let is_deleted = find(subject, name).await.is_none();
        assert_eq!(is_deleted, expected.contains(&name), "whether {name} is deleted after {purge}");
    }
}

#[track_caller]
fn purge<'s>(
    subject: &'s dyn Subject,
    until: Timestamp,
    spared: &[&str],
    limit: u32,
) -> impl Future<Output = u64> + use<'s> {
    let call = Call::without_user(format!("delete_ended_keys (until {until}, spared {spared:?}, limit {limit})"));
    let spared: Vec<_> = spared.iter().map(|plaintext| KeyDigest::of(plaintext)).collect();
    async move { call.result(subject.storage().delete_ended_keys(until, &spared, limit).await) }
}

#[track_caller]
fn purge_keys_of_ada<'s>(
    subject: &'s dyn Subject,
    until: i64,
    keep: u32,
    spared: &[&str],
    limit: u32,
) -> impl Future<Output = u64> + use<'s> {
    let call = Call::new(format!("delete_surplus_keys (keep {keep}, spared {spared:?}, limit {limit})"), "ada");
    let spared: Vec<_> = spared.iter().map(|plaintext| KeyDigest::of(plaintext)).collect();
    async move { call.result(subject.storage().delete_surplus_keys(&id("ada"), minute(until), keep, &spared, limit).await) }
}

pub(super) async fn a_purge_deletes_only_keys_that_ended_by_the_given_time(subject: &dyn Subject) {
    assert_same(&purge(subject, minute(0), &[], 10).await, &0);
    let deleted = purge(subject, minute(3), &[], 10).await;
    assert_purged(subject, deleted, &["r1", "e2", "b3"]).await;
    let listed = subject.storage().list_keys(&id("ada"), minute(3)).await.unwrap();
    assert_eq!(listed.len(), 2);
}

pub(super) async fn a_purge_deletes_the_keys_that_ended_first_up_to_its_limit(subject: &dyn Subject) {
    let deleted = purge(subject, minute(6), &[], 2).await;
    assert_purged(subject, deleted, &["r1", "e2"]).await;
}

pub(super) async fn a_purge_keeps_the_spared_keys(subject: &dyn Subject) {
    let deleted = purge(subject, minute(4), &["r1", "b3", "unknown"], 10).await;
    assert_purged(subject, deleted, &["e2", "r4"]).await;
    purge_keys_of_ada(subject, 6, 0, &["r1", "e6"], 10).await;
    let purge = last_call();
    for name in ["r1", "e6"] {
        assert!(find(subject, name).await.is_some(), "{name} is deleted after {purge}");
    }
}

pub(super) async fn a_purge_for_one_user_keeps_the_keys_that_ended_last(subject: &dyn Subject) {
    assert_same(&purge_keys_of_ada(subject, 6, 4, &[], 10).await, &0);
    let deleted = purge_keys_of_ada(subject, 4, 1, &[], 10).await;
    assert_purged(subject, deleted, &["r1", "e2"]).await;
}

pub(super) async fn a_purge_for_one_user_deletes_at_most_its_limit(subject: &dyn Subject) {
    let deleted = purge_keys_of_ada(subject, 6, 1, &[], 2).await;
    let purge = last_call();
    assert!(deleted <= 2, "{purge} deleted {deleted} keys");
    let mut remaining = 0;
    for name in ALL_KEYS {
        remaining += u64::from(find(subject, name).await.is_some());
    }
    assert_eq!(remaining, 7 - deleted, "{purge} deleted other keys than it counted");
}

pub(super) async fn concurrent_purges_count_each_deleted_key_once(subject: &dyn Subject) {
    let deleted: u64 = join_all((0..16).map(|_| purge(subject, minute(6), &[], 10))).await.into_iter().sum();
    assert_purged(subject, deleted, &["r1", "e2", "b3", "r4", "b5", "e6"]).await;
}
