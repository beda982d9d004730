//! The maximum number of records of a kind in a family.

use std::collections::BTreeSet;

use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task, Verb};
use family_api_core::storage::{Operation, RecordWrite, TEXT_BLOCK, Written};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{delete, new, new_update, record_write, write_as};
use crate::fixture::{Documents, MemberView, ada, assert_done, assert_outcome, assert_same, eve, expect_done, id};
use crate::writes::kinds::{TestRecord, container, for_each_kind, new_body, new_record, supports};

/// Creates a record unless the family has `max_records` records of the kind.
pub(crate) async fn create_within<R: TestRecord>(subject: &dyn Subject, record: &str, max_records: u32) -> Written<R> {
    let operation = Operation::create(id(record), new_record::<R>(subject));
    write_as(subject, &ada().into(), &RecordWrite { max_records, ..record_write(operation) }).await
}

/// Creates the record `first`. Returns the number of records of the kind in the family, which the limit must exceed.
pub(crate) async fn count<R: TestRecord>(subject: &dyn Subject) -> u32 {
    for max_records in 1..50 {
        let created = create_within::<R>(subject, "first", max_records).await;
        if created != Written::LimitReached {
            expect_done(created);
            return max_records;
        }
    }
    panic!("no record of the kind {} can be created", R::KIND.as_str());
}

pub(crate) async fn a_family_has_at_most_the_maximum_number_of_records(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_limited);
}

async fn is_limited<R: TestRecord>(subject: &dyn Subject) {
    // Records that ada does not see count too.
    let visible = R::list(&MemberView::of(ada(), subject)).await;
    let visible: BTreeSet<_> = visible.iter().map(R::id).collect();
    let count = count::<R>(subject).await;
    assert!(count as usize > visible.len(), "{}", R::KIND.as_str());
    let before = Documents::of_all_members(subject).await;
    for max_records in [0, 1, count - 1, count] {
        assert_outcome(&create_within::<R>(subject, "second", max_records).await, &Written::LimitReached);
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
    expect_done(create_within::<R>(subject, "second", count + 1).await);
    if supports::<R>(subject, &[Verb::Delete]) {
        expect_done(delete::<R>(subject, &ada(), "second").await);
        expect_done(create_within::<R>(subject, "third", count + 1).await);
    }
    if supports::<R>(subject, &[Verb::Delete, Verb::Restore]) {
        let restore = record_write::<R>(Operation::Restore { id: id("second") });
        for (max_records, is_restored) in [(count + 1, false), (count + 2, true)] {
            let restored = write_as(subject, &ada().into(), &RecordWrite { max_records, ..restore.clone() }).await;
            let expected =
                if is_restored { matches!(restored, Written::Restored(_)) } else { restored == Written::LimitReached };
            assert!(expected, "{} {max_records}: {restored:?}", R::KIND.as_str());
        }
    }
}

pub(crate) async fn only_records_of_the_own_family_count_towards_the_limit(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_limited_by_the_own_family);
}

/// The records of `south` can be counted: eve sees all of them. `north` has more.
async fn is_limited_by_the_own_family<R: TestRecord>(subject: &dyn Subject) {
    if !R::is_listed() || R::CONTAINER.is_some_and(|(kind, _)| subject.storage().capabilities().keeps_kind(kind)) {
        return;
    }
    let mut body = new_body::<R>(subject);
    body.as_object_mut().unwrap().retain(|field, _| !field.ends_with("Id") && !field.ends_with("Ids"));
    let create = async |max_records: u32| {
        let operation = Operation::<R>::create(id("created"), new::<R>(container::<R>(subject), &body));
        write_as(subject, &eve().into(), &RecordWrite { max_records, ..record_write(operation) }).await
    };
    let count = u32::try_from(R::list(&MemberView::of(eve(), subject)).await.len()).unwrap();
    assert_outcome(&create(count).await, &Written::LimitReached);
    assert_done(create(count + 1).await);
}

pub(crate) async fn a_creation_is_repeated_although_the_limit_is_reached(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_repeated_at_the_limit);
}

async fn is_repeated_at_the_limit<R: TestRecord>(subject: &dyn Subject) {
    let count = count::<R>(subject).await;
    let new = new_record::<R>(subject);
    let idempotency = Some(IdempotentRequest::of::<R>(&id(R::KIND.as_str()), &new));
    let write = record_write::<R>(Operation::Create { id: id("created"), new, idempotency });
    let create =
        async |max_records| write_as(subject, &ada().into(), &RecordWrite { max_records, ..write.clone() }).await;
    assert_outcome(&create(count).await, &Written::LimitReached);
    let created = expect_done(create(count + 1).await);
    assert_outcome(&create(count + 1).await, &Written::Existing(created));
}

pub(crate) async fn concurrent_creations_do_not_exceed_the_limit(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create], is_not_exceeded);
}

async fn is_not_exceeded<R: TestRecord>(subject: &dyn Subject) {
    let max = count::<R>(subject).await + 2;
    let ids: Vec<String> = (0..8).map(|n| format!("concurrent-{n}")).collect();
    let created = join_all(ids.iter().map(|id| create_within::<R>(subject, id, max))).await;
    let is_created = created.iter().filter(|outcome| matches!(outcome, Written::Created(_))).count();
    let is_refused = created.iter().filter(|outcome| **outcome == Written::LimitReached).count();
    assert_same(&(is_created, is_refused), &(2, 6));
}

pub(crate) async fn a_long_record_counts_more_than_once(subject: &dyn Subject) {
    for_each_text(subject, &[Verb::Create], TextCheck::Creation).await;
}

pub(crate) async fn an_update_makes_no_record_longer_beyond_the_limit(subject: &dyn Subject) {
    for_each_text(subject, &[Verb::Create, Verb::Update], TextCheck::Update).await;
}

#[derive(Clone, Copy)]
enum TextCheck {
    Creation,
    Update,
}

/// Runs a check for fields of each kind, with a value and how often more a record with it counts.
async fn for_each_text(subject: &dyn Subject, verbs: &[Verb], check: TextCheck) {
    let text = json!("x".repeat(3 * TEXT_BLOCK + 100));
    let texts = json!(vec!["🍲".repeat(50); 50]);
    // As JSON, the character has six bytes.
    let title = json!("\u{1}".repeat(450));
    let name = json!("\u{1}".repeat(200));
    check_text::<Note>(subject, verbs, check, ("title", &title, 2)).await;
    check_text::<Note>(subject, verbs, check, ("content", &text, 3)).await;
    check_text::<Note>(subject, verbs, check, ("tags", &texts, 9)).await;
    check_text::<Task>(subject, verbs, check, ("title", &title, 2)).await;
    check_text::<Task>(subject, verbs, check, ("description", &text, 3)).await;
    check_text::<Task>(subject, verbs, check, ("labels", &texts, 9)).await;
    check_text::<Event>(subject, verbs, check, ("title", &title, 2)).await;
    check_text::<Event>(subject, verbs, check, ("description", &text, 3)).await;
    check_text::<ShoppingItem>(subject, verbs, check, ("name", &title, 2)).await;
    check_text::<Board>(subject, verbs, check, ("description", &text, 3)).await;
    check_text::<Column>(subject, verbs, check, ("name", &name, 1)).await;
    check_text::<ShoppingList>(subject, verbs, check, ("name", &name, 1)).await;
    check_text::<NoteCategory>(subject, verbs, check, ("name", &name, 1)).await;
}

async fn check_text<R: TestRecord>(
    subject: &dyn Subject,
    verbs: &[Verb],
    check: TextCheck,
    (field, text, blocks): (&str, &Value, u32),
) {
    if !supports::<R>(subject, verbs) || !subject.storage().capabilities().keeps_field(R::KIND, field) {
        return;
    }
    match check {
        TextCheck::Creation => counts_in_creations::<R>(subject, field, text, blocks).await,
        TextCheck::Update => counts_in_updates::<R>(subject, field, text, blocks).await,
    }
}

async fn counts_in_creations<R: TestRecord>(subject: &dyn Subject, field: &str, text: &Value, blocks: u32) {
    let id_of = |name: &str| format!("{field}-{name}");
    let create = async |name: &str, fields: &Value, max_records: u32| {
        let operation = Operation::create(id(&id_of(name)), new::<R>(container::<R>(subject), fields));
        write_as(subject, &ada().into(), &RecordWrite { max_records, ..record_write::<R>(operation) }).await
    };
    let short = new_body::<R>(subject);
    let mut long = short.clone();
    long[field] = text.clone();
    let mut count = 1;
    while create("first", &short, count).await == Written::LimitReached {
        count += 1;
    }
    let long_count = 1 + blocks;
    for max_records in [count + 1, count + long_count - 1] {
        assert_outcome(&create("long", &long, max_records).await, &Written::LimitReached);
    }
    expect_done(create("long", &long, count + long_count).await);
    assert_outcome(&create("second", &short, count + long_count).await, &Written::LimitReached);
    expect_done(create("second", &short, count + long_count + 1).await);

    if !supports::<R>(subject, &[Verb::Delete]) {
        return;
    }
    expect_done(delete::<R>(subject, &ada(), &id_of("long")).await);
    expect_done(create("third", &short, count + 2).await);
    if supports::<R>(subject, &[Verb::Restore]) {
        let restore = record_write::<R>(Operation::Restore { id: id(&id_of("long")) });
        let restore =
            async |max_records| write_as(subject, &ada().into(), &RecordWrite { max_records, ..restore.clone() }).await;
        assert_outcome(&restore(count + long_count + 1).await, &Written::LimitReached);
        expect_done(restore(count + long_count + 2).await);
        assert_outcome(&create("fourth", &short, count + long_count + 2).await, &Written::LimitReached);
    }
}

async fn counts_in_updates<R: TestRecord>(subject: &dyn Subject, field: &str, text: &Value, blocks: u32) {
    let short = new_body::<R>(subject);
    let record = format!("{field}-updated");
    let create = async |record: &str, max_records: u32| {
        let operation = Operation::create(id(record), new::<R>(container::<R>(subject), &short));
        write_as(subject, &ada().into(), &RecordWrite { max_records, ..record_write::<R>(operation) }).await
    };
    let update = async |value: &Value, max_records: u32| {
        let update = new_update::<R>(&json!({ field: value }));
        let operation = Operation::update(id(&record), update);
        write_as(subject, &ada().into(), &RecordWrite { max_records, ..record_write::<R>(operation) }).await
    };
    let mut count = 1;
    while create(&record, count).await == Written::LimitReached {
        count += 1;
    }
    let before = Documents::of_all_members(subject).await;
    assert_outcome(&update(text, count + blocks - 1).await, &Written::LimitReached);
    assert_same(&Documents::of_all_members(subject).await, &before);
    expect_done(update(text, count + blocks).await);
    assert_outcome(&create(&format!("{field}-other"), count + blocks).await, &Written::LimitReached);
    // No update is refused that keeps or shortens the text.
    expect_done(update(text, 0).await);
    expect_done(update(&short[field], 0).await);
    expect_done(create(&format!("{field}-other"), count + 1).await);
}

pub(crate) async fn records_of_other_kinds_do_not_count_towards_the_limit(subject: &dyn Subject) {
    let items = count::<ShoppingItem>(subject).await;
    for number in 0..=items {
        expect_done(create_within::<Task>(subject, &format!("task-{number}"), 100).await);
    }
    assert_outcome(&create_within::<Task>(subject, "task", items).await, &Written::LimitReached);
    assert_outcome(&create_within::<ShoppingItem>(subject, "second", items).await, &Written::LimitReached);
    expect_done(create_within::<ShoppingItem>(subject, "second", items + 1).await);
}
