//! Purges of deleted records and of idempotency keys.

use family_api_core::Timestamp;
use family_api_core::change::Editable;
use family_api_core::id::Id;
use family_api_core::resource::{Note, Task, Verb};
use family_api_core::storage::{DeletedRecordLimit, Member, Operation, RecordWrite, Writable, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{create, create_once, delete, new, record_write, restore, write_as};
use crate::fixture::{ada, assert_outcome, bob, eve, expect_done, id, minute, now};
use crate::writes::kinds::{TestRecord, for_first_kind, new_record};

/// Deletes a record at a time.
async fn delete_at<R: Writable>(subject: &dyn Subject, member: Member, record: &str, now: Timestamp) {
    let write = record_write::<R>(Operation::delete(id(record)));
    expect_done(write_as(subject, &member.into(), &RecordWrite { now, ..write }).await);
}

async fn is_restorable<R: Writable>(subject: &dyn Subject, member: Member, record: &str) -> bool {
    matches!(restore::<R>(subject, &member, record).await, Written::Restored(_))
}

/// Removes the surplus of the deleted records of a kind in `north`.
async fn purge_records<R: Writable>(subject: &dyn Subject, keep: u32, limit: u32) -> u64 {
    let keep = DeletedRecordLimit { records: keep, bytes: u64::MAX };
    subject.storage().forget_surplus_deleted(&id("north"), R::KIND, keep, limit).await.unwrap()
}

async fn purge_keys(subject: &dyn Subject, member: &Member, keep: u32, limit: u32) -> u64 {
    subject.storage().delete_surplus_idempotency_keys(member, keep, limit).await.unwrap()
}

pub(crate) async fn a_purge_deletes_only_records_deleted_by_the_given_time(subject: &dyn Subject) {
    for (note, minutes) in [("recipe", 1), ("pinned", 2), ("ghost-note", 3)] {
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    assert_eq!(subject.storage().forget_old_deleted(minute(2), 1).await.unwrap(), 1);
    assert_eq!(subject.storage().forget_old_deleted(minute(2), 5).await.unwrap(), 1);
    assert_eq!(subject.storage().forget_old_deleted(minute(2), 5).await.unwrap(), 0);
    for (note, expected) in [("recipe", false), ("pinned", false), ("ghost-note", true)] {
        assert_eq!(is_restorable::<Note>(subject, ada(), note).await, expected, "{note}");
    }
}

pub(crate) async fn a_family_keeps_the_records_that_were_deleted_last(subject: &dyn Subject) {
    delete_at::<Note>(subject, eve(), "south-note", minute(0)).await;
    for (note, minutes) in [("recipe", 3), ("pinned", 1), ("ghost-note", 2)] {
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    let purge = async |keep, limit| purge_records::<Note>(subject, keep, limit).await;
    assert_eq!((purge(3, 5).await, purge(1, 1).await), (0, 1));
    // The first batch deletes `pinned`, the oldest.
    assert!(is_restorable::<Note>(subject, ada(), "ghost-note").await);
    delete_at::<Note>(subject, ada(), "ghost-note", minute(2)).await;
    assert_eq!((purge(2, 5).await, purge(1, 5).await, purge(1, 5).await), (0, 1, 0));
    for (member, note, expected) in
        [(ada(), "pinned", false), (ada(), "ghost-note", false), (ada(), "recipe", true), (eve(), "south-note", true)]
    {
        assert_eq!(is_restorable::<Note>(subject, member, note).await, expected, "{note}");
    }
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
    let purge = async |bytes, limit| {
        let keep = DeletedRecordLimit { records: 10, bytes };
        subject.storage().forget_surplus_deleted(&id("north"), Note::KIND, keep, limit).await.unwrap()
    };
    assert_eq!((purge(35_000, 5).await, purge(25_000, 1).await), (0, 1));
    // The first batch deletes `recipe`, the oldest, although it is short.
    assert!(is_restorable::<Note>(subject, ada(), "oldest").await);
    delete_at::<Note>(subject, ada(), "oldest", minute(1)).await;
    assert_eq!((purge(25_000, 5).await, purge(25_000, 5).await), (1, 0));
    for (note, expected) in [("recipe", false), ("oldest", false), ("middle", true), ("newest", true)] {
        assert_eq!(is_restorable::<Note>(subject, ada(), note).await, expected, "{note}");
    }
}

pub(crate) async fn deletions_of_one_kind_keep_deleted_records_of_others(subject: &dyn Subject) {
    for (task, minutes) in [("open", 0), ("left", 1)] {
        delete_at::<Task>(subject, ada(), task, minute(minutes)).await;
    }
    for (note, minutes) in [("recipe", 2), ("pinned", 3)] {
        delete_at::<Note>(subject, ada(), note, minute(minutes)).await;
    }
    assert_eq!(purge_records::<Note>(subject, 1, 5).await, 1);
    for (note, expected) in [("recipe", false), ("pinned", true)] {
        assert_eq!(is_restorable::<Note>(subject, ada(), note).await, expected, "{note}");
    }
    for task in ["open", "left"] {
        assert!(is_restorable::<Task>(subject, ada(), task).await, "{task}");
    }
}

/// Returns whether a creation with the key returns the first record of the key, and creates none.
async fn is_key_kept<R: TestRecord>(subject: &dyn Subject, member: &Member, key: &str) -> bool {
    let fields = new_record::<R>(subject);
    let created = create_once::<R>(subject, member, &format!("again-{key}"), fields, (key, now())).await;
    expect_done(created).id().text() == key
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
    let purge = async |limit| subject.storage().delete_old_idempotency_keys(minute(2), limit).await.unwrap();
    assert_eq!((purge(1).await, purge(5).await, purge(5).await), (1, 1, 0));
    for (key, expected) in [("a", false), ("b", false), ("c", true)] {
        assert_eq!(is_key_kept::<R>(subject, &ada(), key).await, expected, "{key}");
    }
}

pub(crate) async fn a_user_keeps_the_idempotency_keys_used_last(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], keeps_the_last_keys);
}

async fn keeps_the_last_keys<R: TestRecord>(subject: &dyn Subject) {
    create_with_keys::<R>(subject, &bob(), &[("a", 0)]).await;
    create_with_keys::<R>(subject, &ada(), &[("d", 3), ("b", 1), ("c", 2)]).await;
    let purge = async |keep, limit| purge_keys(subject, &ada(), keep, limit).await;
    assert_eq!((purge(3, 5).await, purge(1, 1).await), (0, 1));
    // The first batch deletes `b`, the oldest.
    assert!(is_key_kept::<R>(subject, &ada(), "c").await);
    assert_eq!((purge(1, 5).await, purge(1, 5).await), (1, 0));
    for (member, key, expected) in [(ada(), "d", true), (ada(), "b", false), (ada(), "c", false), (bob(), "a", true)] {
        assert_eq!(is_key_kept::<R>(subject, &member, key).await, expected, "{key}");
    }
}

pub(crate) async fn keys_of_one_user_displace_no_keys_of_another(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], displaces_no_keys);
}

async fn displaces_no_keys<R: TestRecord>(subject: &dyn Subject) {
    create_with_keys::<R>(subject, &bob(), &[("a", 0), ("b", 1)]).await;
    create_with_keys::<R>(subject, &ada(), &[("c", 2), ("d", 3)]).await;
    assert_eq!(purge_keys(subject, &ada(), 1, 5).await, 1);
    for (member, key, expected) in [(bob(), "a", true), (bob(), "b", true), (ada(), "c", false), (ada(), "d", true)] {
        assert_eq!(is_key_kept::<R>(subject, &member, key).await, expected, "{key}");
    }
}

pub(crate) async fn a_purged_record_cannot_be_restored_or_deleted_again(subject: &dyn Subject) {
    delete_at::<Note>(subject, ada(), "recipe", minute(1)).await;
    subject.storage().forget_old_deleted(now(), 5).await.unwrap();
    assert_outcome(&restore::<Note>(subject, &ada(), "recipe").await, &Written::NotFound);
    assert_outcome(&delete::<Note>(subject, &ada(), "recipe").await, &Written::NotFound);
}
