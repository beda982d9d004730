//! Repeated creations with an idempotency key.

use family_api_core::Timestamp;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{Note, Task, Verb};
use family_api_core::storage::{Member, Written};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{create_once, delete, new, restore, update};
use crate::fixture::{MemberView, ada, assert_done, bob, eve, expect_done, faults, now};
use crate::writes::kinds::{TestRecord, for_each_kind, new_body, supports, update_body};

/// Creates a record with the key `k` at the time [`now`].
async fn create_with_key<R: TestRecord>(subject: &dyn Subject, member: &Member, id: &str, body: &Value) -> Written<R> {
    create_once(subject, member, id, new::<R>(R::CONTAINER, body), ("k", now())).await
}

pub(crate) async fn a_repeated_creation_returns_the_first_record(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create, Verb::Update], is_created_once);
}

/// Uses a key of its own for each kind. The repetition returns the record as it is now.
async fn is_created_once<R: TestRecord>(subject: &dyn Subject) {
    let new = new::<R>(R::CONTAINER, &new_body::<R>(subject));
    let key = R::KIND.as_str();
    let create = async |id: &str| create_once::<R>(subject, &ada(), id, new.clone(), (key, now())).await;
    let first = expect_done(create("first").await);
    assert_eq!(create("second").await, Written::Existing(first));
    let changed = expect_done(update::<R>(subject, &ada(), "first", &update_body::<R>(subject)).await);
    assert_eq!(create("third").await, Written::Existing(changed));
    for repeated in ["second", "third"] {
        assert_eq!(R::find(subject, ada(), repeated).await, None, "{key}");
    }
}

pub(crate) async fn a_repeated_creation_with_another_body_is_a_mismatch(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], refuses_another_body);
}

async fn refuses_another_body<R: TestRecord>(subject: &dyn Subject) {
    let (key, mut other) = (R::KIND.as_str(), new_body::<R>(subject));
    let create = async |id: &str, body: &Value| {
        create_once::<R>(subject, &ada(), id, new::<R>(R::CONTAINER, body), (key, now())).await
    };
    expect_done(create("first", &new_body::<R>(subject)).await);
    let before = MemberView::documents_of_all_members(subject).await;
    other[if new_body::<R>(subject).get("title").is_some() { "title" } else { "name" }] = json!("Other");
    assert_eq!(create("second", &other).await, Written::IdempotencyMismatch, "{key}");
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(crate) async fn a_key_for_another_kind_of_record_is_a_mismatch(subject: &dyn Subject) {
    if supports::<Task>(subject, &[Verb::Create]) && supports::<Note>(subject, &[Verb::Create]) {
        let body = json!({ "title": "T" });
        expect_done(create_with_key::<Task>(subject, &ada(), "first", &body).await);
        assert_eq!(create_with_key::<Note>(subject, &ada(), "second", &body).await, Written::IdempotencyMismatch);
    }
}

pub(crate) async fn an_idempotency_key_is_valid_for_24_hours(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], creates_again_after_a_day);
}

async fn creates_again_after_a_day<R: TestRecord>(subject: &dyn Subject) {
    let new = new::<R>(R::CONTAINER, &new_body::<R>(subject));
    let key = R::KIND.as_str();
    let create = async |id: &str, at: Timestamp| {
        let created = create_once::<R>(subject, &ada(), id, new.clone(), (key, at)).await;
        json!(expect_done(created))["id"].as_str().unwrap().to_owned()
    };
    let day = SignedDuration::from_hours(24);
    let millisecond = SignedDuration::from_millis(1);
    assert_eq!(create("first", now()).await, "first");
    assert_eq!(create("second", now().saturating_add(day - millisecond)).await, "first");
    assert_eq!(create("third", now().saturating_add(day)).await, "third");
    // The key now belongs to the new record, for another day.
    assert_eq!(create("fourth", now().saturating_add(day + day - millisecond)).await, "third");
}

pub(crate) async fn each_user_has_separate_idempotency_keys(subject: &dyn Subject) {
    if supports::<Note>(subject, &[Verb::Create]) {
        for (member, id, body) in [
            (ada(), "adas", json!({ "title": "A" })),
            (bob(), "bobs", json!({ "title": "B" })),
            (eve(), "eves", json!({ "title": "E" })),
        ] {
            let created = assert_done(create_with_key::<Note>(subject, &member, id, &body).await);
            assert_eq!(created.id.as_str(), id);
        }
    }
}

pub(crate) async fn a_key_of_a_deleted_record_returns_not_found(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create, Verb::Delete], is_gone);
}

async fn is_gone<R: TestRecord>(subject: &dyn Subject) {
    let new = new::<R>(R::CONTAINER, &new_body::<R>(subject));
    let key = R::KIND.as_str();
    let create = async |id: &str| create_once::<R>(subject, &ada(), id, new.clone(), (key, now())).await;
    let first = expect_done(create("first").await);
    expect_done(delete::<R>(subject, &ada(), "first").await);
    assert_eq!(create("second").await, Written::NotFound, "{key}");
    if supports::<R>(subject, &[Verb::Restore]) {
        expect_done(restore::<R>(subject, &ada(), "first").await);
        assert_eq!(expect_done(create("third").await), first);
    }
}

pub(crate) async fn a_refused_creation_does_not_use_its_idempotency_key(subject: &dyn Subject) {
    if !supports::<Task>(subject, &[Verb::Create]) {
        return;
    }
    let unknown = json!({ "title": "T", "columnId": "nowhere" });
    assert_eq!(create_with_key::<Task>(subject, &ada(), "first", &unknown).await, Written::NotFound);
    let refused = json!({ "title": "T", "columnId": "doing", "isPrivate": true, "assigneeId": "bob" });
    assert_eq!(faults(create_with_key::<Task>(subject, &ada(), "second", &refused).await), ["/assigneeId"]);
    let valid = json!({ "title": "T", "columnId": "doing" });
    let created = expect_done(create_with_key::<Task>(subject, &ada(), "third", &valid).await);
    assert_eq!(created.id.as_str(), "third");
}

pub(crate) async fn concurrent_creations_with_one_key_create_one_record(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_created_by_one);
}

async fn is_created_by_one<R: TestRecord>(subject: &dyn Subject) {
    let new = new::<R>(R::CONTAINER, &new_body::<R>(subject));
    let (ada, key) = (ada(), R::KIND.as_str());
    let ids: Vec<String> = (0..8).map(|n| format!("record-{n}")).collect();
    let creations = ids.iter().map(|id| create_once::<R>(subject, &ada, id, new.clone(), (key, now())));
    let created: Vec<R> = join_all(creations).await.into_iter().map(expect_done).collect();
    assert!(created.iter().all(|record| *record == created[0]), "{key}");
    let mut stored = 0;
    for id in &ids {
        stored += u32::from(R::find(subject, ada.clone(), id).await.is_some());
    }
    assert_eq!(stored, 1, "{key}");
}
