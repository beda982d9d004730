//! Purges of deleted records and of idempotency keys.

use family_api_core::Timestamp;
use family_api_core::id::Id;
use family_api_core::resource::{Note, Task, Verb};
use family_api_core::storage::{DeletedRecordLimit, Member, Operation, RecordWrite, Writable, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{create, create_once, delete, new, record_write, restore, write_as};
use crate::fixture::{Call, ada, assert_outcome, assert_same, bob, eve, expect_done, id, last_call, minute, now};
use crate::writes::kinds::{TestRecord, for_first_kind, new_record};

/// Deletes a record at a time.
async fn delete_at<R: Writable>(subject: &dyn Subject, member: Member, record: &str, now: Timestamp) {
    let write = record_write::<R>(Operation::delete(id(record)));
    expect_done(write_as(subject, &member.into(), &RecordWrite { now, ..write }).await);
}

/// Asserts whether each record can be restored after a purge.
async fn assert_restorable<R: Writable>(subject: &dyn Subject, purge: &str, records: &[(Member, &str, bool)]) {
    for (member, record, expected) in records {
        let is_restored = matches!(restore::<R>(subject, member, record).await, Written::Restored(_));
        assert_eq!(is_restored, *expected, "whether {record} can be restored after {purge}");
    }
}

#[track_caller]
fn forget_old(subject: &dyn Subject, until: Timestamp, limit: u32) -> impl Future<Output = u64> {
    let call = Call::without_user(format!("forget_old_deleted (until {until}, limit {limit})"));
    async move { call.result(subject.storage().forget_old_deleted(until, limit).await) }
}

/// Removes the surplus of the deleted records of a kind in `north`.
#[track_caller]
fn forget_surplus<R: Writable>(
    subject: &dyn Subject,
    keep: DeletedRecordLimit,
    limit: u32,
) -> impl Future<Output = u64> {
    let DeletedRecordLimit { records, bytes } = keep;
    let of = format!("{}, keep {records} of {bytes} bytes, limit {limit}", R::KIND.as_str());
    let call = Call::without_user(format!("forget_surplus_deleted ({of})"));
    async move { call.result(subject.storage().forget_surplus_deleted(&id("north"), R::KIND, keep, limit).await) }
}

const fn records(records: u32) -> DeletedRecordLimit {
    DeletedRecordLimit { records, bytes: u64::MAX }
}

#[track_caller]
fn purge_keys(subject: &dyn Subject, member: &Member, keep: u32, limit: u32) -> impl Future<Output = u64> {
    let method = format!("delete_surplus_idempotency_keys (keep {keep}, limit {limit})");
    let call = Call::new(method, &member.user);
    async move { call.result(subject.storage().delete_surplus_idempotency_keys(member, keep, limit).await) }
}

pub(crate) async fn a_purge_deletes_only_records_deleted_by_the_given_time(subject: &dyn Subject) {
    for (note, minutes) in [("recipe", 1), ("pinned", 2), ("ghost-note", 3)] {
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
        assert_same(&forget_old(subject, minute(2), limit).await, &expected);
    }
    let notes = [(ada(), "recipe", false), (ada(), "pinned", false), (ada(), "ghost-note", true)];
    assert_restorable::<Note>(subject, &last_call(), &notes).await;
}

pub(crate) async fn a_family_keeps_the_records_that_were_deleted_last(subject: &dyn Subject) {
    delete_at::<Note>(subject, eve(), "south-note", minute(0)).await;
    for (note, minutes) in [("recipe", 3), ("pinned", 1), ("ghost-note", 2)] {
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    for (keep, limit, expected) in [(3, 5, 0), (1, 1, 1)] {
        assert_same(&forget_surplus::<Note>(subject, records(keep), limit).await, &expected);
    }
    // The first batch deletes `pinned`, the oldest.
    assert_restorable::<Note>(subject, &last_call(), &[(ada(), "ghost-note", true)]).await;
    delete_at::<Note>(subject, ada(), "ghost-note", minute(2)).await;
    for (keep, expected) in [(2, 0), (1, 1), (1, 0)] {
        assert_same(&forget_surplus::<Note>(subject, records(keep), 5).await, &expected);
    }
    let notes =
        [(ada(), "pinned", false), (ada(), "ghost-note", false), (ada(), "recipe", true), (eve(), "south-note", true)];
    assert_restorable::<Note>(subject, &last_call(), &notes).await;
}

pub(crate) async fn deleted_records_of_a_family_have_a_maximum_size(subject: &dyn Subject) {
    // 10,000 bytes each, in half as many characters.
    let content = "é".repeat(5_000);
    for (note, minutes) in [("middle", 2), ("oldest", 1), ("newest", 3)] {
        let fields = new::<Note>(None, &json!({ "title": note, "content": content }));
        expect_done(create::<Note>(subject, &ada(), note, fields).await);
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    delete_at::<Note>(subject, ada(), "recipe", minute(0)).await;
    let bytes = |bytes| DeletedRecordLimit { records: 10, bytes };
    for (keep, limit, expected) in [(bytes(35_000), 5, 0), (bytes(25_000), 1, 1)] {
        assert_same(&forget_surplus::<Note>(subject, keep, limit).await, &expected);
    }
    // The first batch deletes `recipe`, the oldest, although it is short.
    assert_restorable::<Note>(subject, &last_call(), &[(ada(), "oldest", true)]).await;
    delete_at::<Note>(subject, ada(), "oldest", minute(1)).await;
    for expected in [1, 0] {
        assert_same(&forget_surplus::<Note>(subject, bytes(25_000), 5).await, &expected);
    }
    let notes = [(ada(), "recipe", false), (ada(), "oldest", false), (ada(), "middle", true), (ada(), "newest", true)];
    assert_restorable::<Note>(subject, &last_call(), &notes).await;
}

pub(crate) async fn deletions_of_one_kind_keep_deleted_records_of_others(subject: &dyn Subject) {
    for (task, minutes) in [("open", 0), ("left", 1)] {
        delete_at::<Task>(subject, ada(), task, minute(minutes)).await;
    }
    for (note, minutes) in [("recipe", 2), ("pinned", 3)] {
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    assert_same(&forget_surplus::<Note>(subject, records(1), 5).await, &1);
    let purge = last_call();
    assert_restorable::<Note>(subject, &purge, &[(ada(), "recipe", false), (ada(), "pinned", true)]).await;
    assert_restorable::<Task>(subject, &purge, &[(ada(), "open", true), (ada(), "left", true)]).await;
}

/// Asserts after a purge whether a creation with each key returns the first record of the key, and creates none.
async fn assert_keys_kept<R: TestRecord>(subject: &dyn Subject, purge: &str, keys: &[(Member, &str, bool)]) {
    for (member, key, expected) in keys {
        let fields = new_record::<R>(subject);
        let created = create_once::<R>(subject, member, &format!("again-{key}"), fields, (key, now())).await;
        let is_kept = expect_done(created).id().text() == *key;
        assert_eq!(is_kept, *expected, "whether the key {key} of {} is kept after {purge}", member.user);
    }
}

async fn create_with_keys<R: TestRecord>(subject: &dyn Subject, member: &Member, keys: &[(&str, i64)]) {
    for (key, minutes) in keys {
        let fields = new_record::<R>(subject);
        expect_done(create_once::<R>(subject, member, key, fields, (key, minute(*minutes))).await);
    }
}

pub(crate) async fn a_purge_deletes_only_idempotency_keys_of_the_given_time(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], forgets_old_keys);
}

async fn forgets_old_keys<R: TestRecord>(subject: &dyn Subject) {
    create_with_keys::<R>(subject, &ada(), &[("a", 1), ("b", 2), ("c", 3)]).await;
    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
        let call = Call::without_user(format!("delete_old_idempotency_keys (limit {limit})"));
        let deleted = subject.storage().delete_old_idempotency_keys(minute(2), limit).await;
        assert_same(&call.result(deleted), &expected);
    }
    let keys = [(ada(), "a", false), (ada(), "b", false), (ada(), "c", true)];
    assert_keys_kept::<R>(subject, &last_call(), &keys).await;
}

pub(crate) async fn a_user_keeps_the_idempotency_keys_used_last(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], keeps_the_last_keys);
}

async fn keeps_the_last_keys<R: TestRecord>(subject: &dyn Subject) {
    create_with_keys::<R>(subject, &bob(), &[("a", 0)]).await;
    create_with_keys::<R>(subject, &ada(), &[("d", 3), ("b", 1), ("c", 2)]).await;
    for (keep, limit, expected) in [(3, 5, 0), (1, 1, 1)] {
        assert_same(&purge_keys(subject, &ada(), keep, limit).await, &expected);
    }
    // The first batch deletes `b`, the oldest.
    assert_keys_kept::<R>(subject, &last_call(), &[(ada(), "c", true)]).await;
    for expected in [1, 0] {
        assert_same(&purge_keys(subject, &ada(), 1, 5).await, &expected);
    }
    let keys = [(ada(), "d", true), (ada(), "b", false), (ada(), "c", false), (bob(), "a", true)];
    assert_keys_kept::<R>(subject, &last_call(), &keys).await;
}

pub(crate) async fn keys_of_one_user_displace_no_keys_of_another(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], displaces_no_keys);
}

async fn displaces_no_keys<R: TestRecord>(subject: &dyn Subject) {
    create_with_keys::<R>(subject, &bob(), &[("a", 0), ("b", 1)]).await;
    create_with_keys::<R>(subject, &ada(), &[("c", 2), ("d", 3)]).await;
    assert_same(&purge_keys(subject, &ada(), 1, 5).await, &1);
    let keys = [(bob(), "a", true), (bob(), "b", true), (ada(), "c", false), (ada(), "d", true)];
    assert_keys_kept::<R>(subject, &last_call(), &keys).await;
}

pub(crate) async fn a_purged_record_cannot_be_restored_or_deleted_again(subject: &dyn Subject) {
    delete_at::<Note>(subject, ada(), "recipe", minute(1)).await;
    forget_old(subject, now(), 5).await;
    assert_outcome(&restore::<Note>(subject, &ada(), "recipe").await, &Written::NotFound);
    assert_outcome(&delete::<Note>(subject, &ada(), "recipe").await, &Written::NotFound);
}
