//! Stored records that an update does not contain.

use family_api_core::resource::{Note, Task, Verb};
use family_api_core::storage::{LoadFault, MissingRecords, Record, UserRecord, Written};
use serde_json::json;

use crate::UpdateSubject;
use crate::credentials::{hash, open_session, seed_with_passwords, session_user};
use crate::fixture::calls::{create_once, delete as delete_record, new, restore};
use crate::fixture::{
    MemberView, ada, assert_same, bob, eve, expect_done, families, family, feed, id, key, minute, now, seed_families,
    seed_families_and, user,
};
use crate::grants::{insert, listed_ids, new_grant};
use crate::keys::find;
use crate::update::refusals::expect_refused;
use crate::update::{delete, keep, snapshot};
use crate::writes::kinds::supports;

fn member(name: &str) -> Record {
    Record::User(user(name, Some("north")))
}

fn north() -> Record {
    Record::Family(family("north"))
}

/// Returns the number of records of `north`, with its users, but without the family.
fn count_of_north() -> u64 {
    let is_of_north = |record: &&Record| json!(record)["familyId"] == "north";
    families().iter().filter(is_of_north).count() as u64
}

pub(crate) async fn an_update_keeps_missing_records(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let before = snapshot(subject).await;
    let unchanged: Vec<_> = families().into_iter().take(3).collect();
    assert_eq!(keep(subject, unchanged).await, [0, 0, 3, 0]);
    assert_eq!(snapshot(subject).await, before);
}

pub(crate) async fn an_update_deletes_the_missing_records_of_its_families_only(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let restores = supports::<Note>(subject, &[Verb::Delete, Verb::Restore]);
    if restores {
        expect_done(delete_record::<Note>(subject, &ada(), "pinned").await);
    }
    let south = MemberView::of(eve(), subject);
    let before = (south.documents().await, south.members().await);
    let deleted = count_of_north() - 1 - u64::from(restores);
    assert_eq!(delete(subject, vec![north(), member("ada")]).await, [0, 1, 1, deleted]);

    let view = MemberView::of(ada(), subject);
    assert!(view.documents().await.are_empty());
    let members: Vec<_> = view.members().await.into_iter().map(|person| person.id).collect();
    assert_eq!(members, [id("ada")]);
    assert_same(&(south.documents().await, south.members().await), &before);
    for (user, expected) in [("bob", false), ("cid", true), ("dee", true)] {
        assert_eq!(subject.storage().find_account(&id(user)).await.unwrap().is_some(), expected, "{user}");
    }
    if restores {
        assert_eq!(restore::<Note>(subject, &ada(), "recipe").await, Written::NotFound);
        // A record that was deleted before the update is not missing.
        assert!(matches!(restore::<Note>(subject, &ada(), "pinned").await, Written::Restored(_)));
    }
}

pub(crate) async fn an_update_deletes_the_keys_of_missing_users_only(subject: &dyn UpdateSubject) {
    let keys = [("k1", "ada"), ("k2", "bob"), ("k3", "eve")].map(|(name, user)| Record::Key(key(name, user)));
    seed_families_and(subject, keys.into()).await;
    delete(subject, vec![north(), member("ada")]).await;
    for (key, expected) in [("k1", true), ("k2", false), ("k3", true)] {
        assert_eq!(find(subject, key).await.is_some(), expected, "{key}");
    }
    // Another user can get the id.
    delete(subject, vec![north(), member("ada"), member("bob")]).await;
    assert_eq!(find(subject, "k2").await, None);
}

pub(crate) async fn an_update_deletes_the_feeds_of_missing_users_only(subject: &dyn UpdateSubject) {
    let Some(with_feeds) = subject.with_feeds() else { return };
    let feeds =
        [("f1", "ada"), ("f2", "bob"), ("f3", "eve")].map(|(name, user)| Record::CalendarFeed(feed(name, user)));
    seed_families_and(subject, feeds.into()).await;
    delete(subject, vec![north(), member("ada")]).await;
    delete(subject, vec![north(), member("ada"), member("bob")]).await;
    for (user, expected) in [("ada", 1), ("bob", 0), ("eve", 1)] {
        assert_eq!(with_feeds.feeds().list_feeds(&id(user), minute(1)).await.unwrap().len(), expected, "{user}");
    }
}

pub(crate) async fn an_update_deletes_the_sessions_of_missing_users_only(subject: &dyn UpdateSubject) {
    let Some(with_sessions) = subject.with_credentials() else { return };
    seed_with_passwords(with_sessions).await;
    open_session(with_sessions, "s1", "ada").await;
    open_session(with_sessions, "s2", "bob").await;
    delete(subject, vec![north(), member("ada")]).await;
    delete(subject, vec![north(), member("ada"), member("bob")]).await;
    assert_eq!(session_user(with_sessions, "s1").await.as_deref(), Some("ada"));
    assert_eq!(session_user(with_sessions, "s2").await, None);
    for (user, password) in [("ada", Some(hash("ada"))), ("bob", None)] {
        let found = with_sessions.credentials().find_password(&format!("{user}@example.com")).await.unwrap();
        assert_eq!(found, Some((id(user), password)));
    }
}

pub(crate) async fn an_update_deletes_the_grants_of_missing_users_only(subject: &dyn UpdateSubject) {
    let Some(with_grants) = subject.with_grants() else { return };
    seed_families(subject).await;
    for (grant, user) in [("g1", "ada"), ("g2", "bob"), ("g3", "eve")] {
        insert(with_grants, &new_grant(grant, user)).await;
    }
    delete(subject, vec![north(), member("ada")]).await;
    delete(subject, vec![north(), member("ada"), member("bob")]).await;
    for (user, expected) in [("ada", vec!["g1"]), ("bob", vec![]), ("eve", vec!["g3"])] {
        assert_eq!(listed_ids(with_grants, user).await, expected, "{user}");
    }
}

pub(crate) async fn deleted_private_records_of_a_missing_user_are_forgotten(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    if !supports::<Task>(subject, &[Verb::Delete, Verb::Restore]) {
        return;
    }
    for task in ["bob-only", "left"] {
        expect_done(delete_record::<Task>(subject, &bob(), task).await);
    }
    delete(subject, records_of_fixture(&["north", "ada", "shared", "todo"])).await;
    // Another user can get the id.
    delete(subject, records_of_fixture(&["north", "ada", "bob", "shared", "todo"])).await;
    assert_eq!(restore::<Task>(subject, &bob(), "bob-only").await, Written::NotFound);
    assert!(matches!(restore::<Task>(subject, &bob(), "left").await, Written::Restored(_)));
}

/// Returns the records of the families with these ids.
fn records_of_fixture(ids: &[&str]) -> Vec<Record> {
    let has_id = |record: &Record| ids.iter().any(|id| json!(record)["id"] == *id);
    families().into_iter().filter(has_id).collect()
}

pub(crate) async fn an_idempotency_key_of_a_missing_user_is_forgotten(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    if !supports::<Note>(subject, &[Verb::Create]) {
        return;
    }
    let create = async |record: &str| {
        let fields = new::<Note>(None, &json!({ "title": "T" }));
        expect_done(create_once::<Note>(subject, &bob(), record, fields, ("key", now())).await).id
    };
    assert_eq!((create("first").await, create("second").await), (id("first"), id("first")));
    delete(subject, vec![north()]).await;
    delete(subject, vec![north(), member("bob")]).await;
    assert_eq!(create("third").await, id("third"));
}

/// Returns a user of `north` with an e-mail address, which can be that of another user.
fn with_email(name: &str, email: &str) -> Record {
    Record::User(UserRecord { email: format!("{email}@example.com"), ..user(name, Some("north")) })
}

pub(crate) async fn an_email_is_given_up_before_another_user_gets_it(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let before = snapshot(subject).await;
    for records in [
        // `bob` is missing.
        vec![north(), with_email("ada", "bob")],
        vec![north(), with_email("ada", "bob"), with_email("bob", "new")],
        vec![north(), with_email("ada", "eve")],
    ] {
        let fault = expect_refused(subject, MissingRecords::Delete, records, 2).await;
        assert_eq!(fault, LoadFault::exists("email"));
    }
    assert_eq!(snapshot(subject).await, before);
    assert_eq!(keep(subject, vec![with_email("bob", "new"), with_email("ada", "bob")]).await, [0, 2, 0, 0]);
    if let Some(subject) = subject.with_credentials() {
        let found = subject.credentials().find_password("bob@example.com").await.unwrap();
        assert_eq!(found, Some((id("ada"), None)));
    }
}
