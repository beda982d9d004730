//! Purges of the log delete whole writes, the earliest first. Earlier revisions expire then, and later ones do not.

use family_api_core::Timestamp;
use family_api_core::resource::{Revision, ShoppingItem, Verb};
use family_api_core::storage::{Operation, RecordWrite};
use serde_json::json;

use crate::Subject;
use crate::changes::{Follower, Learned, changed, current_revision, deleted, nothing};
use crate::fixture::calls::{new_update, record_write, update, write_as};
use crate::fixture::{Call, ada, assert_same, bob, eve, expect_done, id, minute};
use crate::writes::checked_items::delete_checked;
use crate::writes::kinds::{TestRecord, container, for_first_kind, rename};

#[track_caller]
fn delete_old(subject: &dyn Subject, until: Timestamp, limit: u32) -> impl Future<Output = u64> {
    let call = Call::without_user(format!("delete_old_changes (until {until}, limit {limit})"));
    async move { call.result(subject.storage().delete_old_changes(until, limit).await) }
}

/// Deletes the surplus in the log of `north`.
#[track_caller]
fn delete_surplus(subject: &dyn Subject, keep: u32, limit: u32) -> impl Future<Output = u64> {
    let call = Call::without_user(format!("delete_surplus_changes (keep {keep}, limit {limit})"));
    async move { call.result(subject.storage().delete_surplus_changes(&id("north"), keep, limit).await) }
}

/// Renames the record at three minutes. Returns the revision before, and the revision after each.
async fn rename_each_minute<R: TestRecord>(subject: &dyn Subject) -> Vec<Revision> {
    let mut revisions = vec![current_revision(subject, &bob()).await];
    for (number, minutes) in [("one", 1), ("two", 2), ("three", 3)] {
        let renamed = new_update::<R>(&rename::<R>(number));
        let write = record_write(Operation::<R>::update(id(R::VISIBLE), renamed));
        expect_done(write_as(subject, &ada().into(), &RecordWrite { now: minute(minutes), ..write }).await);
        revisions.push(current_revision(subject, &bob()).await);
    }
    revisions
}

/// Asserts that the first revisions are expired, and that the changes since the others are known.
async fn assert_known_from<R: TestRecord>(subject: &dyn Subject, revisions: &[Revision], first: usize) {
    for (number, since) in revisions.iter().enumerate() {
        let mut follower = Follower { subject, member: bob(), since: *since };
        if number < first {
            assert!(follower.is_expired().await, "revision {number} is known after the changes since it were deleted");
        } else {
            let is_current = number == revisions.len() - 1;
            let expected = if is_current { nothing() } else { changed::<R>(&[R::VISIBLE]) };
            assert_same(&follower.learn().await, &expected);
        }
    }
}

pub(crate) async fn a_purge_deletes_only_changes_of_the_given_time(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], purges_old_changes);
}

async fn purges_old_changes<R: TestRecord>(subject: &dyn Subject) {
    let revisions = rename_each_minute::<R>(subject).await;
    for (limit, deleted, known_from) in [(0, 0, 0), (1, 1, 1), (5, 1, 2), (5, 0, 2)] {
        assert_same(&delete_old(subject, minute(2), limit).await, &deleted);
        assert_known_from::<R>(subject, &revisions, known_from).await;
    }
}

pub(crate) async fn each_family_keeps_its_last_changes(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], keeps_last_changes);
}

async fn keeps_last_changes<R: TestRecord>(subject: &dyn Subject) {
    let mut of_eve = Follower::new(subject, eve()).await;
    let south = *R::INVISIBLE.iter().find(|name| name.starts_with("south-")).unwrap();
    expect_done(update::<R>(subject, &eve(), south, rename::<R>("Changed")).await);
    let revisions = rename_each_minute::<R>(subject).await;
    for (keep, limit, deleted, known_from) in [(3, 5, 0, 0), (1, 1, 1, 1), (1, 5, 1, 2), (1, 5, 0, 2), (0, 5, 1, 3)] {
        assert_same(&delete_surplus(subject, keep, limit).await, &deleted);
        assert_known_from::<R>(subject, &revisions, known_from).await;
    }
    assert_same(&of_eve.learn().await, &changed::<R>(&[south]));
}

pub(crate) async fn a_purge_deletes_all_changes_of_a_write(subject: &dyn Subject) {
    let rename_old = async |name: &str| {
        expect_done(update::<ShoppingItem>(subject, &ada(), "old", json!({ "name": name })).await);
    };
    rename_old("before").await;
    let list = container::<ShoppingItem>(subject).unwrap();
    let mut before = Follower::new(subject, ada()).await;
    assert_same(&expect_done(delete_checked(subject, ada(), list).await).len(), &2);
    let mut between = Follower::new(subject, ada()).await;
    rename_old("after").await;
    // The log has the changes 1 + 2 + 1. The first one of the deletion is not among the last two.
    assert_same(&delete_surplus(subject, 3, 5).await, &1);
    let mut again = Follower { subject, member: ada(), since: before.since };
    let learned = again.follow(1).await;
    assert_same(&Learned::from(&learned), &deleted::<ShoppingItem>(&["milk", "own"]));
    assert_same(&delete_surplus(subject, 2, 5).await, &2);
    assert!(before.is_expired().await);
    before.since = between.since;
    assert_same(&before.learn().await, &changed::<ShoppingItem>(&["old"]));
    assert_same(&delete_surplus(subject, 1, 5).await, &0);
    assert_same(&between.learn().await, &changed::<ShoppingItem>(&["old"]));
}
