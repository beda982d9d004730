//! Creations, updates and deletions of records of every kind.

use family_api_core::Precondition;
use family_api_core::id::Id;
use family_api_core::resource::Verb;
use family_api_core::storage::{Operation, Written};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{create, delete, new, new_update, record_write, update, write_as};
use crate::fixture::{MemberView, ada, bob, eve, expect_done, id, if_unchanged, now};
use crate::writes::kinds::{TestRecord, for_each_kind, new_body, update_body};

pub(crate) async fn a_created_record_has_the_given_fields_and_its_author(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], has_the_given_fields);
}

async fn has_the_given_fields<R: TestRecord>(subject: &dyn Subject) {
    let body = new_body::<R>(subject);
    let created = expect_done(create::<R>(subject, &ada(), "created", new::<R>(R::CONTAINER, &body)).await);
    let record = json!(created);
    for (name, value) in body.as_object().unwrap() {
        assert_eq!(record[name], *value, "{} {name}", R::KIND.as_str());
    }
    assert_eq!(record["id"], "created");
    if let Some(author) = R::AUTHOR {
        assert_eq!(record[author], "ada", "{}", R::KIND.as_str());
    }
    if let Some(created_at) = record.get("createdAt") {
        assert_eq!(*created_at, json!(now()));
    }
    for member in [ada(), bob()] {
        assert_eq!(R::find(subject, member, "created").await.as_ref(), Some(&created));
    }
    assert_eq!(R::find(subject, eve(), "created").await, None);
}

pub(crate) async fn a_creation_in_an_invisible_container_returns_not_found(subject: &dyn Subject) {
    let before = MemberView::documents_of_all_members(subject).await;
    for_each_kind!(subject, [Verb::Create], needs_a_visible_container);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

async fn needs_a_visible_container<R: TestRecord>(subject: &dyn Subject) {
    for container in R::INVISIBLE_CONTAINERS {
        let new = new::<R>(Some(container), &new_body::<R>(subject));
        assert_eq!(create::<R>(subject, &ada(), "created", new).await, Written::NotFound, "{container}");
    }
}

pub(crate) async fn an_update_of_any_record_is_stored_and_returned(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], stores_an_update);
}

async fn stores_an_update<R: TestRecord>(subject: &dyn Subject) {
    let Written::Existing(before) = update::<R>(subject, &ada(), R::VISIBLE, &json!({})).await else {
        panic!("{} is not returned by an update without a field", R::VISIBLE)
    };
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await.as_ref(), Some(&before), "{}", R::VISIBLE);
    let body = update_body::<R>(subject);
    let (found, updated) = expect_changed(update::<R>(subject, &bob(), R::VISIBLE, &body).await);
    assert_eq!(found, before);
    let mut expected = json!(before);
    for (name, value) in body.as_object().unwrap() {
        expected[name] = value.clone();
    }
    if let Some(updated_at) = expected.get_mut("updatedAt") {
        *updated_at = json!(now());
    }
    assert_eq!(json!(updated), expected);
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await, Some(updated));
}

pub(crate) async fn each_update_returns_the_record_that_its_transaction_found(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], finds_the_record_of_the_update_before);
}

/// The updates ran in some order. Each of them found what the one before it stored.
async fn finds_the_record_of_the_update_before<R: TestRecord>(subject: &dyn Subject) {
    let Some(field) = ["title", "name"].into_iter().find(|field| update_body::<R>(subject).get(field).is_some()) else {
        return;
    };
    let mut record = expect_done(update::<R>(subject, &ada(), R::VISIBLE, &json!({})).await);
    let members = [ada(), bob()];
    let bodies: Vec<Value> = (0..8).map(|number| json!({ field: format!("Changed {number}") })).collect();
    let updates = bodies.iter().zip(members.iter().cycle());
    let updates = updates.map(|(body, member)| update::<R>(subject, member, R::VISIBLE, body));
    let mut changes: Vec<(R, R)> = join_all(updates).await.into_iter().map(expect_changed).collect();
    while let Some(index) = changes.iter().position(|(before, _)| *before == record) {
        (_, record) = changes.swap_remove(index);
    }
    assert!(changes.is_empty(), "these updates found a record that was not current: {changes:?}");
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await, Some(record));
}

/// Returns the record before and after an update. Panics unless the record was updated.
fn expect_changed<R: TestRecord>(outcome: Written<R>) -> (R, R) {
    match outcome {
        Written::Updated { before, after } => (before, after),
        other => panic!("expected an update, but got {other:?}"),
    }
}

pub(crate) async fn a_deleted_record_is_in_no_document(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update, Verb::Delete], disappears);
}

async fn disappears<R: TestRecord>(subject: &dyn Subject) {
    let before = expect_done(update::<R>(subject, &ada(), R::VISIBLE, &json!({})).await);
    assert_eq!(expect_done(delete::<R>(subject, &bob(), R::VISIBLE).await), before);
    for member in [ada(), bob()] {
        assert_eq!(delete::<R>(subject, &member, R::VISIBLE).await, Written::NotFound);
        assert_eq!(update::<R>(subject, &member, R::VISIBLE, &update_body::<R>(subject)).await, Written::NotFound);
        assert_eq!(R::find(subject, member, R::VISIBLE).await, None);
    }
    let id = format!("\"id\":\"{}\"", R::VISIBLE);
    for document in MemberView::documents_of_all_members(subject).await {
        assert!(!String::from_utf8_lossy(&document).contains(&id), "{id} is in {document:?}");
    }
}

pub(crate) async fn invisible_records_can_be_neither_updated_nor_deleted(subject: &dyn Subject) {
    let before = MemberView::documents_of_all_members(subject).await;
    for_each_kind!(subject, [Verb::Update, Verb::Delete], hides_invisible_records);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

async fn hides_invisible_records<R: TestRecord>(subject: &dyn Subject) {
    let wrong_case = R::VISIBLE.to_uppercase();
    for record in R::INVISIBLE.iter().copied().chain([wrong_case.as_str()]) {
        for body in [json!({}), update_body::<R>(subject)] {
            assert_eq!(update::<R>(subject, &ada(), record, &body).await, Written::NotFound, "{record}");
        }
        assert_eq!(delete::<R>(subject, &ada(), record).await, Written::NotFound, "{record}");
    }
    assert_eq!(update::<R>(subject, &eve(), R::VISIBLE, &update_body::<R>(subject)).await, Written::NotFound);
    assert_eq!(delete::<R>(subject, &eve(), R::VISIBLE).await, Written::NotFound);
}

pub(crate) async fn every_write_requires_a_matching_entity_tag(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update, Verb::Delete], requires_a_matching_tag);
}

async fn requires_a_matching_tag<R: TestRecord>(subject: &dyn Subject) {
    let first = expect_done(update::<R>(subject, &ada(), R::VISIBLE, &json!({})).await);
    let second = expect_done(update::<R>(subject, &ada(), R::VISIBLE, &update_body::<R>(subject)).await);
    let stale = if_unchanged(&first);
    let write = async |body: Option<Value>, precondition: &Precondition| {
        let (id, precondition) = (id(R::VISIBLE), precondition.clone());
        let operation = match body {
            Some(body) => {
                let update = new_update::<R>(&body);
                Operation::Update { id, update, precondition }
            }
            None => Operation::Delete { id, precondition },
        };
        write_as(subject, &ada().into(), &record_write::<R>(operation)).await
    };
    for body in [Some(json!({})), Some(update_body::<R>(subject)), None] {
        assert_eq!(write(body, &stale).await, Written::PreconditionFailed, "{}", R::VISIBLE);
    }
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await.as_ref(), Some(&second));
    assert_eq!(expect_done(write(None, &if_unchanged(&second)).await), second);
}

pub(crate) async fn one_of_many_concurrent_deletions_of_any_record_succeeds(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Delete], is_deleted_once);
}

async fn is_deleted_once<R: TestRecord>(subject: &dyn Subject) {
    let ada = ada();
    let outcomes = join_all((0..8).map(|_| delete::<R>(subject, &ada, R::VISIBLE))).await;
    let deleted = outcomes.iter().filter(|outcome| matches!(outcome, Written::Deleted(_))).count();
    let missing = outcomes.iter().filter(|outcome| **outcome == Written::NotFound).count();
    assert_eq!((deleted, missing), (1, 7), "{}", R::Id::text(&id::<R::Id>(R::VISIBLE)));
}
