//! Creations, updates and deletions of records of every kind.

use family_api_core::Precondition;
use family_api_core::id::Id;
use family_api_core::resource::Verb;
use family_api_core::storage::Written;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{create, delete, new, new_update, update, update_if};
use crate::fixture::{
    Documents, MemberView, ada, assert_outcome, assert_same, bob, eve, expect_done, id, if_unchanged, now,
};
use crate::writes::guarantees::revision;
use crate::writes::kinds::{
    TestRecord, for_each_kind, new_body, new_record, raise_sequence, raised, rename, supports, update_body,
};

pub(crate) async fn a_created_record_has_the_given_fields_and_its_author(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], has_the_given_fields);
}

async fn has_the_given_fields<R: TestRecord>(subject: &dyn Subject) {
    let body = new_body::<R>(subject);
    let created = expect_done(create::<R>(subject, &ada(), "created", new_record::<R>(subject)).await);
    let mut expected = json!(created);
    for (name, value) in body.as_object().unwrap() {
        expected[name] = value.clone();
    }
    expected["id"] = json!("created");
    if let Some(author) = R::AUTHOR.filter(|author| subject.storage().capabilities().keeps_field(R::KIND, author)) {
        expected[author] = json!("ada");
    }
    if let Some(created_at) = expected.get_mut("createdAt") {
        *created_at = json!(now());
    }
    assert_same(&json!(created), &expected);
    for member in [ada(), bob()] {
        assert_same(&R::find(subject, member, "created").await.as_ref(), &Some(&created));
    }
    assert_same(&R::find(subject, eve(), "created").await, &None);
}

pub(crate) async fn a_creation_in_an_invisible_container_returns_not_found(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for_each_kind!(subject, [Verb::Create], needs_a_visible_container);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn needs_a_visible_container<R: TestRecord>(subject: &dyn Subject) {
    for container in R::INVISIBLE_CONTAINERS {
        let new = new::<R>(Some(container), &new_body::<R>(subject));
        assert_outcome(&create::<R>(subject, &ada(), "created", new).await, &Written::NotFound);
    }
}

pub(crate) async fn an_update_of_any_record_is_stored_and_returned(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], stores_an_update);
}

/// Updates each record that ada and bob see.
async fn stores_an_update<R: TestRecord>(subject: &dyn Subject) {
    let listed = R::list(&MemberView::of(ada(), subject)).await;
    let mut records: Vec<_> = listed.iter().map(|record| record.id().text()).filter(|id| *id != R::VISIBLE).collect();
    records.push(R::VISIBLE);
    for record in records {
        if R::find(subject, bob(), record).await.is_some() {
            for body in [rename::<R>("Renamed"), update_body::<R>(subject)] {
                keeps_the_other_fields::<R>(subject, record, &body).await;
            }
        }
    }
}

async fn keeps_the_other_fields<R: TestRecord>(subject: &dyn Subject, record: &str, body: &Value) {
    let Written::Existing(before) = update::<R>(subject, &ada(), record, json!({})).await else {
        panic!("{record} is not returned by an update without a field")
    };
    assert_same(&R::find(subject, ada(), record).await.as_ref(), &Some(&before));
    let (found, updated) = expect_changed(update::<R>(subject, &bob(), record, body).await);
    assert_same(&found, &before);
    let mut expected = json!(before);
    for (name, value) in body.as_object().unwrap() {
        expected[name] = value.clone();
    }
    if let Some(updated_at) = expected.get_mut("updatedAt") {
        *updated_at = json!(now());
    }
    raise_sequence::<R>(subject, &mut expected);
    assert_same(&json!(updated), &expected);
    assert_same(&R::find(subject, ada(), record).await, &Some(updated));
}

pub(crate) async fn an_update_without_a_new_value_changes_nothing(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], keeps_the_record);
}

/// Sets fields to the values that they have, also together with the precondition of the record.
async fn keeps_the_record<R: TestRecord>(subject: &dyn Subject) {
    let record = expect_done(update::<R>(subject, &ada(), R::VISIBLE, json!({})).await);
    let mut body = update_body::<R>(subject);
    for (name, value) in body.as_object_mut().unwrap() {
        *value = json!(record)[name].clone();
    }
    let before = (Documents::of_all_members(subject).await, revision(subject).await);
    let (kept, another) = (if_unchanged(&record), Precondition::if_match([b"\"another\"".as_slice()]));
    for (precondition, expected) in [
        (Precondition::None, Written::Existing(record.clone())),
        (kept, Written::Existing(record)),
        (another, Written::PreconditionFailed),
    ] {
        let update = new_update::<R>(&body);
        assert_outcome(&update_if::<R>(subject, &bob(), R::VISIBLE, update, &precondition).await, &expected);
        assert_same(&(Documents::of_all_members(subject).await, revision(subject).await), &before);
    }
}

pub(crate) async fn each_change_raises_the_sequence(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], raises_the_sequence);
}

/// Changes a record several times. An update without a field is no change.
async fn raises_the_sequence<R: TestRecord>(subject: &dyn Subject) {
    let mut expected = R::find(subject, ada(), R::VISIBLE).await.unwrap();
    for title in ["One", "Two", "Three"] {
        expect_changed(update::<R>(subject, &ada(), R::VISIBLE, rename::<R>(title)).await);
        expect_done(update::<R>(subject, &bob(), R::VISIBLE, json!({})).await);
        expected = raised(subject, &expected);
        let found = R::find(subject, ada(), R::VISIBLE).await.unwrap();
        assert_same(&json!(found).get("sequence"), &json!(expected).get("sequence"));
    }
}

pub(crate) async fn each_update_returns_the_record_that_its_transaction_found(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], finds_the_record_of_the_update_before);
}

/// The updates ran in some order. Each of them found what the one before it stored.
async fn finds_the_record_of_the_update_before<R: TestRecord>(subject: &dyn Subject) {
    let mut record = expect_done(update::<R>(subject, &ada(), R::VISIBLE, json!({})).await);
    let members = [ada(), bob()];
    let bodies: Vec<Value> = (0..8).map(|number| rename::<R>(&format!("Changed {number}"))).collect();
    let updates = bodies.iter().zip(members.iter().cycle());
    let updates = updates.map(|(body, member)| update::<R>(subject, member, R::VISIBLE, body));
    let mut changes: Vec<(R, R)> = join_all(updates).await.into_iter().map(expect_changed).collect();
    while let Some(index) = changes.iter().position(|(before, _)| *before == record) {
        (_, record) = changes.swap_remove(index);
    }
    assert!(changes.is_empty(), "these updates found a record that was not current: {changes:?}");
    assert_same(&R::find(subject, ada(), R::VISIBLE).await, &Some(record));
}

/// Returns the record before and after an update. Panics unless the record was updated.
fn expect_changed<R: TestRecord>(outcome: Written<R>) -> (R, R) {
    match outcome {
        Written::Updated { before, after } => (before, after),
        other => panic!("expected an update, but got {other:?}"),
    }
}

pub(crate) async fn a_deleted_record_is_in_no_document(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Delete], disappears);
}

/// Deletes each record that ada and bob see, of a container only the empty one. A category that is in no document needs
/// an update to be read.
async fn disappears<R: TestRecord>(subject: &dyn Subject) {
    if !R::is_listed() && !supports::<R>(subject, &[Verb::Update]) {
        return;
    }
    disappears_alone::<R>(subject, R::VISIBLE).await;
    if R::KIND.is_container() {
        return;
    }
    for record in R::list(&MemberView::of(ada(), subject)).await {
        if R::find(subject, bob(), record.id().text()).await.is_some() {
            disappears_alone::<R>(subject, record.id().text()).await;
        }
    }
}

/// Deletes a record. Every other record is kept.
async fn disappears_alone<R: TestRecord>(subject: &dyn Subject, record: &str) {
    let before = R::find(subject, ada(), record).await;
    let others = others_of_all_members::<R>(subject, record).await;
    assert_same(&Some(expect_done(delete::<R>(subject, &bob(), record).await)), &before);
    for member in [ada(), bob()] {
        assert_outcome(&delete::<R>(subject, &member, record).await, &Written::NotFound);
        if supports::<R>(subject, &[Verb::Update]) {
            let updated = update::<R>(subject, &member, record, update_body::<R>(subject)).await;
            assert_outcome(&updated, &Written::NotFound);
        }
        assert_same(&R::find(subject, member, record).await, &None);
    }
    let id = format!("\"id\":\"{record}\"");
    for document in Documents::of_all_members(subject).await.bytes() {
        assert!(!String::from_utf8_lossy(document).contains(&id), "{id} is in {document:?}");
    }
    assert_same(&others_of_all_members::<R>(subject, record).await, &others);
}

/// Returns the records of the kind that each member sees, without the one with this id.
async fn others_of_all_members<R: TestRecord>(subject: &dyn Subject, without: &str) -> Vec<Vec<R>> {
    let mut all = Vec::new();
    for member in [ada(), bob(), eve()] {
        let mut records = R::list(&MemberView::of(member, subject)).await;
        records.retain(|record| record.id().text() != without);
        all.push(records);
    }
    all
}

pub(crate) async fn invisible_records_can_be_neither_updated_nor_deleted(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for_each_kind!(subject, [], hides_invisible_records);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn hides_invisible_records<R: TestRecord>(subject: &dyn Subject) {
    let wrong_case = R::VISIBLE.to_uppercase();
    let invisible = R::INVISIBLE.iter().copied().chain([wrong_case.as_str()]).map(|record| (ada(), record));
    for (member, record) in invisible.chain([(eve(), R::VISIBLE)]) {
        if supports::<R>(subject, &[Verb::Update]) {
            for body in [json!({}), update_body::<R>(subject)] {
                assert_outcome(&update::<R>(subject, &member, record, &body).await, &Written::NotFound);
            }
        }
        if supports::<R>(subject, &[Verb::Delete]) {
            assert_outcome(&delete::<R>(subject, &member, record).await, &Written::NotFound);
        }
    }
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
