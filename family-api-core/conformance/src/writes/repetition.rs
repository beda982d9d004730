//! Repeated creations with an idempotency key.

use family_api_core::Timestamp;
use family_api_core::id::Id;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{RecordKind, ShoppingItem, Task, Verb};
use family_api_core::storage::{Member, Operation, RecordWrite, Written};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{create_once, delete, new, record_write, restore, update, write_as};
use crate::fixture::{Documents, ada, assert_done, assert_outcome, assert_same, bob, eve, expect_done, id, now};
use crate::writes::kinds::{
    TestRecord, container, for_each_kind, for_first_kind, new_body, new_record, raised, rename, supports, update_body,
};

/// Creates a record with the key `k` at the time [`now`].
async fn create_with_key<R: TestRecord>(subject: &dyn Subject, member: &Member, id: &str, body: &Value) -> Written<R> {
    create_once(subject, member, id, new::<R>(container::<R>(subject), body), ("k", now())).await
}

pub(crate) async fn a_repeated_creation_returns_the_first_record(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_created_once);
}

/// Uses a key of its own for each kind. The repetition returns the record as it is now.
async fn is_created_once<R: TestRecord>(subject: &dyn Subject) {
    let new = new_record::<R>(subject);
    let key = R::KIND.as_str();
    let create = async |id: &str| create_once::<R>(subject, &ada(), id, new.clone(), (key, now())).await;
    let first = expect_done(create("first").await);
    assert_outcome(&create("second").await, &Written::Existing(first));
    if supports::<R>(subject, &[Verb::Update]) {
        let changed = expect_done(update::<R>(subject, &ada(), "first", &update_body::<R>(subject)).await);
        assert_outcome(&create("third").await, &Written::Existing(changed));
    }
    for repeated in ["second", "third"] {
        if !R::is_listed() && !supports::<R>(subject, &[Verb::Update]) {
            continue;
        }
        assert_same(&R::find(subject, ada(), repeated).await, &None);
    }
}

pub(crate) async fn a_repeated_creation_with_another_body_is_a_mismatch(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], refuses_another_body);
}

async fn refuses_another_body<R: TestRecord>(subject: &dyn Subject) {
    let (key, mut other) = (R::KIND.as_str(), new_body::<R>(subject));
    let create = async |id: &str, body: &Value| {
        create_once::<R>(subject, &ada(), id, new::<R>(container::<R>(subject), body), (key, now())).await
    };
    expect_done(create("first", &new_body::<R>(subject)).await);
    let before = Documents::of_all_members(subject).await;
    other[if new_body::<R>(subject).get("title").is_some() { "title" } else { "name" }] = json!("Other");
    assert_outcome(&create("second", &other).await, &Written::IdempotencyMismatch);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(crate) async fn a_key_for_another_kind_of_record_is_a_mismatch(subject: &dyn Subject) {
    let item = json!({ "name": "T" });
    expect_done(create_with_key::<Task>(subject, &ada(), "first", &json!({ "title": "T" })).await);
    let created = create_with_key::<ShoppingItem>(subject, &ada(), "second", &item).await;
    assert_outcome(&created, &Written::IdempotencyMismatch);
}

pub(crate) async fn an_idempotency_key_is_valid_for_24_hours(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], creates_again_after_a_day);
}

async fn creates_again_after_a_day<R: TestRecord>(subject: &dyn Subject) {
    let new = new_record::<R>(subject);
    let key = R::KIND.as_str();
    let create = async |id: &str, at: Timestamp| {
        let created = create_once::<R>(subject, &ada(), id, new.clone(), (key, at)).await;
        json!(expect_done(created))["id"].as_str().unwrap().to_owned()
    };
    let day = SignedDuration::from_hours(24);
    let millisecond = SignedDuration::from_millis(1);
    assert_same(&create("first", now()).await, &"first");
    assert_same(&create("second", now().saturating_add(day - millisecond)).await, &"first");
    assert_same(&create("third", now().saturating_add(day)).await, &"third");
    // The key now belongs to the new record, for another day.
    assert_same(&create("fourth", now().saturating_add(day + day - millisecond)).await, &"third");
}

pub(crate) async fn each_user_has_separate_idempotency_keys(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], is_created_for_each_user);
}

async fn is_created_for_each_user<R: TestRecord>(subject: &dyn Subject) {
    // The container of ada and bob is in their family.
    let is_shared = R::CONTAINER.is_some_and(|(kind, _)| subject.storage().capabilities().keeps_kind(kind));
    let others = [(eve(), "eves")].into_iter().filter(|_| !is_shared);
    let others = others.map(|(member, id)| (member, id, id));
    let created = [(ada(), "adas", "adas"), (bob(), "bobs", "bobs")].into_iter().chain(others);
    for (member, id, proposed) in created.chain([(ada(), "adas", "repeated")]) {
        let mut body = rename::<R>(id);
        if R::KIND == RecordKind::Event {
            body["startDate"] = json!("2026-12-01T08:00:00.000Z");
            body["endDate"] = json!("2026-12-01T09:00:00.000Z");
        }
        let created = create_with_key::<R>(subject, &member, proposed, &body).await;
        assert_same(assert_done(created).id().text(), id);
    }
}

pub(crate) async fn a_key_of_a_deleted_record_returns_not_found(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create, Verb::Delete], is_gone);
}

async fn is_gone<R: TestRecord>(subject: &dyn Subject) {
    let new = new_record::<R>(subject);
    let key = R::KIND.as_str();
    let create = async |id: &str| create_once::<R>(subject, &ada(), id, new.clone(), (key, now())).await;
    let first = expect_done(create("first").await);
    expect_done(delete::<R>(subject, &ada(), "first").await);
    assert_outcome(&create("second").await, &Written::NotFound);
    // No later record gets the id of the deleted one.
    let other = format!("another-{key}");
    expect_done(create_once::<R>(subject, &ada(), "later", new.clone(), (&other, now())).await);
    assert_outcome(&create("fourth").await, &Written::NotFound);
    if supports::<R>(subject, &[Verb::Restore]) {
        expect_done(restore::<R>(subject, &ada(), "first").await);
        assert_same(&expect_done(create("third").await), &raised(subject, &first));
    }
}

pub(crate) async fn a_refused_creation_does_not_use_its_idempotency_key(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], uses_the_key_once_it_is_created);
}

async fn uses_the_key_once_it_is_created<R: TestRecord>(subject: &dyn Subject) {
    let idempotency = Some(IdempotentRequest::of::<R>(&id(R::KIND.as_str()), &new_record::<R>(subject)));
    let create = async |record: &str, max_records: u32| {
        let (id, new, idempotency) = (id(record), new_record::<R>(subject), idempotency.clone());
        let write = record_write::<R>(Operation::Create { id, new, idempotency });
        write_as(subject, &ada().into(), &RecordWrite { max_records, ..write }).await
    };
    assert_outcome(&create("first", 0).await, &Written::LimitReached);
    let created = assert_done(create("second", R::KIND.max_records()).await);
    assert_same(created.id().text(), "second");
}

pub(crate) async fn a_creation_with_an_unknown_column_does_not_use_its_key(subject: &dyn Subject) {
    let unknown = json!({ "title": "T", "columnId": "nowhere" });
    assert_outcome(&create_with_key::<Task>(subject, &ada(), "first", &unknown).await, &Written::NotFound);
    let valid = json!({ "title": "T", "columnId": "doing" });
    assert_same(&assert_done(create_with_key::<Task>(subject, &ada(), "third", &valid).await).id.as_str(), &"third");
}

pub(crate) async fn concurrent_creations_with_one_key_create_one_record(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_created_by_one);
}

async fn is_created_by_one<R: TestRecord>(subject: &dyn Subject) {
    let new = new_record::<R>(subject);
    let (ada, key) = (ada(), R::KIND.as_str());
    let ids: Vec<String> = (0..8).map(|n| format!("record-{n}")).collect();
    let creations = ids.iter().map(|id| create_once::<R>(subject, &ada, id, new.clone(), (key, now())));
    let created: Vec<R> = join_all(creations).await.into_iter().map(expect_done).collect();
    assert!(created.iter().all(|record| *record == created[0]), "{key}");
    let mut stored = 0;
    for id in &ids {
        stored += u32::from(R::find(subject, ada.clone(), id).await.is_some());
    }
    if R::is_listed() || supports::<R>(subject, &[Verb::Update]) {
        assert_same(&stored, &1);
    }
}
