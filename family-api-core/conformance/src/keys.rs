//! Keys: found by digest, listed for their owner, revoked once.

use family_api_core::Timestamp;
use family_api_core::key::{KeyDigest, KeyMode, Scope, ScopeSet};
use family_api_core::storage::{FoundKey, KeyInsert, KeyRecord, KeyRevocation, KeyState, NewKey, Record};
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::{Call, id, key, minute, new_key, seconds, seed, signed_in};

#[track_caller]
pub(super) fn insert(subject: &dyn Subject, new: &NewKey) -> impl Future<Output = ()> {
    let call = Call::new("insert_key", &new.owner.user);
    async move {
        let inserted = call.result(subject.storage().insert_key(new, 50).await);
        assert_eq!(inserted, KeyInsert::Inserted, "expected the preparation to succeed");
    }
}

#[track_caller]
pub(super) fn find(subject: &dyn Subject, plaintext: &str) -> impl Future<Output = Option<FoundKey>> {
    let (digest, call) = (KeyDigest::of(plaintext), Call::new("find_key", plaintext));
    async move { call.result(subject.storage().find_key(&digest).await) }
}

async fn list_ids(subject: &dyn Subject, user: &str, now: Timestamp) -> Vec<String> {
    let keys = subject.storage().list_keys(&id(user), now).await.unwrap();
    keys.into_iter().map(|key| key.id.to_string()).collect()
}

/// Revokes a key at ten minutes past noon. Returns whether this call revoked the key.
#[track_caller]
pub(super) fn revoke(subject: &dyn Subject, user: &str, key: &str) -> impl Future<Output = bool> {
    let (key, call) = (id(key), Call::new(format!("revoke_key ({key})"), user));
    let user = signed_in(user);
    async move {
        let revocation = call.result(subject.storage().revoke_key(&user, &key, minute(10)).await);
        revocation == KeyRevocation::Revoked
    }
}

pub(super) async fn find_key_returns_the_key_and_the_account_of_its_owner(subject: &dyn Subject) {
    let new = new_key("k1", "ada");
    insert(subject, &new).await;
    insert(subject, &new_key("k2", "bob")).await;
    let found = find(subject, "k1").await.unwrap();
    assert_eq!(found.key, new.key);
    assert_eq!(found.state, KeyState::Active);
    assert_eq!(found.account, subject.storage().find_account(&id("ada")).await.unwrap());
    let account = found.account.unwrap();
    assert_eq!((account.user.as_str(), account.personal_api_enabled), ("ada", true));
    if subject.storage().capabilities().keeps_profile_field("timeZone") {
        assert_eq!(account.zone.as_str(), "Asia/Kolkata");
    }
    assert_eq!(account.membership.unwrap().family.as_str(), "north");
}

pub(super) async fn an_unknown_digest_finds_no_key(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    assert_eq!(find(subject, "K1").await, None);
}

pub(super) async fn a_key_of_a_user_without_family_has_no_membership(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "cid")).await;
    let account = find(subject, "k1").await.unwrap().account.unwrap();
    assert_eq!((account.user.as_str(), account.membership), ("cid", None));
}

pub(super) async fn keys_are_listed_newest_first_then_by_id_descending(subject: &dyn Subject) {
    for (name, created_at) in [("b", 0), ("B", 0), ("_", 0), ("0", 0), ("old", -1), ("new", 1), ("a", 0)] {
        let mut new = new_key(name, "ada");
        new.key.created_at = minute(created_at);
        insert(subject, &new).await;
    }
    assert_eq!(list_ids(subject, "ada", minute(5)).await, ["new", "b", "a", "_", "B", "0", "old"]);
}

pub(super) async fn a_listed_key_equals_the_inserted_key(subject: &dyn Subject) {
    let mut new = new_key("k1", "ada");
    new.key.expires_at = Some(minute(60));
    insert(subject, &new).await;
    assert_eq!(subject.storage().list_keys(&id("ada"), minute(1)).await.unwrap(), [new.key]);
}

pub(super) async fn only_the_owner_of_a_key_can_list_it(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    insert(subject, &new_key("k2", "bob")).await;
    assert_eq!(list_ids(subject, "ada", minute(5)).await, ["k1"]);
    assert_eq!(list_ids(subject, "bob", minute(5)).await, ["k2"]);
    assert!(list_ids(subject, "eve", minute(5)).await.is_empty());
    assert!(list_ids(subject, "nobody", minute(5)).await.is_empty());
}

pub(super) async fn an_expired_key_is_not_listed_but_still_found(subject: &dyn Subject) {
    let mut new = new_key("k1", "ada");
    new.key.expires_at = Some(minute(60));
    insert(subject, &new).await;
    assert_eq!(list_ids(subject, "ada", seconds(3_599)).await, ["k1"]);
    assert!(list_ids(subject, "ada", minute(60)).await.is_empty());
    let found = find(subject, "k1").await.unwrap();
    assert_eq!((found.state, found.key.expires_at), (KeyState::Active, Some(minute(60))));
}

pub(super) async fn a_revoked_key_is_not_listed_but_found_as_revoked(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    insert(subject, &new_key("k2", "ada")).await;
    assert!(revoke(subject, "ada", "k1").await);
    assert_eq!(find(subject, "k1").await.unwrap().state, KeyState::Revoked { at: minute(10) });
    assert_eq!(find(subject, "k2").await.unwrap().state, KeyState::Active);
    assert_eq!(list_ids(subject, "ada", minute(11)).await, ["k2"]);
}

pub(super) async fn a_key_can_be_revoked_only_once(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    assert!(revoke(subject, "ada", "k1").await);
    let again = subject.storage().revoke_key(&signed_in("ada"), &id("k1"), minute(20)).await.unwrap();
    assert_eq!(again, KeyRevocation::NotFound);
    assert_eq!(find(subject, "k1").await.unwrap().state, KeyState::Revoked { at: minute(10) });
}

pub(super) async fn only_the_owner_can_revoke_a_key(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    assert!(!revoke(subject, "bob", "k1").await);
    assert!(!revoke(subject, "nobody", "k1").await);
    assert!(!revoke(subject, "ada", "k9").await);
    assert_eq!(find(subject, "k1").await.unwrap().state, KeyState::Active);
}

pub(super) async fn an_expired_key_can_still_be_revoked(subject: &dyn Subject) {
    let mut new = new_key("k1", "ada");
    new.key.expires_at = Some(minute(1));
    insert(subject, &new).await;
    assert!(revoke(subject, "ada", "k1").await);
}

pub(super) async fn exactly_one_of_many_concurrent_revocations_succeeds(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    let revoked = join_all((0..16).map(|_| revoke(subject, "ada", "k1"))).await;
    assert_eq!(revoked.into_iter().filter(|succeeded| *succeeded).count(), 1);
}

pub(super) async fn unknown_scopes_are_kept_and_the_mode_follows_the_scopes(subject: &dyn Subject) {
    let with_unknown_scope: ScopeSet = [Scope::Unknown("v9.fly".to_owned()), Scope::V1Read].into_iter().collect();
    let sets = [with_unknown_scope, ScopeSet::default(), KeyMode::V1ReadWrite.scopes()];
    let records = sets.iter().zip(["k0", "k1", "k2"]);
    let records = records.map(|(scopes, name)| Record::Key(KeyRecord { scopes: scopes.clone(), ..key(name, "ada") }));
    seed(subject, records.collect()).await;
    for (scopes, name) in sets.iter().zip(["k0", "k1", "k2"]) {
        let found = find(subject, name).await.unwrap().key;
        assert_eq!((&found.scopes, found.mode), (scopes, KeyMode::from_scopes(scopes)));
    }
    let listed = subject.storage().list_keys(&id("ada"), minute(1)).await.unwrap();
    let listed: Vec<_> = listed.into_iter().rev().map(|key| key.scopes).collect();
    assert_eq!(listed, sets);
}

pub(super) async fn every_field_of_a_loaded_key_is_returned(subject: &dyn Subject) {
    let seeded = KeyRecord {
        name: Some("Küche 🍳".to_owned()),
        created_at: minute(-5),
        expires_at: Some(minute(5)),
        revoked_at: Some(minute(-1)),
        ..key("k1", "ada")
    };
    seed(subject, vec![Record::Key(seeded.clone())]).await;
    let FoundKey { key, state, .. } = find(subject, "k1").await.unwrap();
    assert_eq!(state, KeyState::Revoked { at: minute(-1) });
    assert_eq!((key.id, key.name, key.hint), (seeded.id, seeded.name, seeded.hint));
    assert_eq!((key.created_at, key.expires_at), (seeded.created_at, seeded.expires_at));
    assert_eq!(key.last_used_at, None);
}
