//! Inserting a key checks a condition and a limit atomically.

use family_api_core::storage::{KeyCondition, KeyInsert, KeyRecord, NewKey, Record};
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::{id, key, minute, new_key, seed};
use crate::keys::{find, insert, revoke};

async fn try_insert(subject: &dyn Subject, new: NewKey, limit: u32) -> KeyInsert {
    subject.storage().insert_key(&new, limit).await.unwrap()
}

fn for_personal_api(new: NewKey) -> NewKey {
    NewKey { condition: KeyCondition::PersonalApiEnabled, ..new }
}

pub(super) async fn a_key_for_an_unknown_user_is_not_inserted(subject: &dyn Subject) {
    assert_eq!(try_insert(subject, new_key("k1", "gone"), 50).await, KeyInsert::NotSignedIn);
    assert_eq!(try_insert(subject, for_personal_api(new_key("k1", "gone")), 0).await, KeyInsert::NotSignedIn);
    assert_eq!(find(subject, "k1").await, None);
}

pub(super) async fn a_personal_api_key_requires_the_personal_api_to_be_enabled(subject: &dyn Subject) {
    let refused = try_insert(subject, for_personal_api(new_key("k1", "bob")), 50).await;
    assert_eq!(refused, KeyInsert::PersonalApiDisabled);
    assert_eq!(find(subject, "k1").await, None);
    assert_eq!(try_insert(subject, new_key("k1", "bob"), 50).await, KeyInsert::Inserted);
    assert_eq!(try_insert(subject, for_personal_api(new_key("k2", "ada")), 50).await, KeyInsert::Inserted);
}

pub(super) async fn the_key_condition_is_checked_before_the_key_limit(subject: &dyn Subject) {
    let refused = try_insert(subject, for_personal_api(new_key("k1", "bob")), 0).await;
    assert_eq!(refused, KeyInsert::PersonalApiDisabled);
    assert_eq!(try_insert(subject, new_key("k1", "bob"), 0).await, KeyInsert::LimitReached);
}

pub(super) async fn each_user_has_a_separate_key_limit(subject: &dyn Subject) {
    assert_eq!(try_insert(subject, new_key("k1", "ada"), 2).await, KeyInsert::Inserted);
    assert_eq!(try_insert(subject, new_key("k2", "ada"), 2).await, KeyInsert::Inserted);
    assert_eq!(try_insert(subject, new_key("k3", "ada"), 2).await, KeyInsert::LimitReached);
    assert_eq!(find(subject, "k3").await, None);
    assert_eq!(try_insert(subject, new_key("k3", "bob"), 2).await, KeyInsert::Inserted);
}

pub(super) async fn only_active_keys_count_towards_the_limit(subject: &dyn Subject) {
    let keys = [
        KeyRecord { revoked_at: Some(minute(-1)), ..key("revoked", "ada") },
        KeyRecord { expires_at: Some(minute(0)), ..key("expired-now", "ada") },
        KeyRecord { expires_at: Some(minute(1)), ..key("expires-soon", "ada") },
    ];
    seed(subject, keys.map(Record::Key).into()).await;
    assert_eq!(try_insert(subject, new_key("k1", "ada"), 1).await, KeyInsert::LimitReached);
    assert_eq!(try_insert(subject, new_key("k1", "ada"), 2).await, KeyInsert::Inserted);
    assert_eq!(try_insert(subject, new_key("k2", "ada"), 2).await, KeyInsert::LimitReached);
}

pub(super) async fn a_key_can_be_inserted_after_another_key_is_revoked(subject: &dyn Subject) {
    assert_eq!(try_insert(subject, new_key("k1", "ada"), 1).await, KeyInsert::Inserted);
    assert!(revoke(subject, "ada", "k1").await);
    assert_eq!(try_insert(subject, new_key("k2", "ada"), 1).await, KeyInsert::Inserted);
}

pub(super) async fn inserting_an_existing_digest_fails_and_keeps_the_first_key(subject: &dyn Subject) {
    let first = new_key("k1", "ada");
    insert(subject, &first).await;
    let second = NewKey { digest: first.digest, ..new_key("k2", "bob") };
    assert!(subject.storage().insert_key(&second, 50).await.is_err());
    let found = find(subject, "k1").await.unwrap();
    assert_eq!((found.key.id.as_str(), found.account.unwrap().user.as_str()), ("k1", "ada"));
    assert!(subject.storage().list_keys(&id("bob"), minute(0)).await.unwrap().is_empty());
}

pub(super) async fn concurrent_insertions_do_not_exceed_the_key_limit(subject: &dyn Subject) {
    insert(subject, &new_key("k", "ada")).await;
    let names: Vec<String> = (0..16).map(|n| format!("k{n}")).collect();
    let outcomes = join_all(names.iter().map(|name| try_insert(subject, new_key(name, "ada"), 2))).await;
    let inserted = outcomes.iter().filter(|outcome| **outcome == KeyInsert::Inserted).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == KeyInsert::LimitReached).count();
    assert_eq!((inserted, refused), (1, 15));
    assert_eq!(subject.storage().list_keys(&id("ada"), minute(0)).await.unwrap().len(), 2);
}
