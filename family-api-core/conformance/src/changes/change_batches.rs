//! Which of the changes one call lists.

use family_api_core::id::Id;
use family_api_core::resource::Verb;
use family_api_core::storage::{ChangesQuery, FoundChanges};
use futures_util::future::join_all;

use crate::Subject;
use crate::changes::{Follower, Learned, changed, current_revision, name, nothing, sorted};
use crate::fixture::calls::{create, update};
use crate::fixture::{ada, assert_same, bob, expect_done};
use crate::writes::kinds::{TestRecord, for_first_kind, new_record, rename};

/// Renames the record three times. Returns the revision after each.
async fn rename_three_times<R: TestRecord>(subject: &dyn Subject) -> Vec<i64> {
    let mut revisions = Vec::new();
    for number in ["one", "two", "three"] {
        expect_done(update::<R>(subject, &ada(), R::VISIBLE, rename::<R>(number)).await);
        revisions.push(current_revision(subject, &ada()).await.get());
    }
    revisions
}

pub(crate) async fn the_limit_takes_whole_writes(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], follows_in_batches);
}

async fn follows_in_batches<R: TestRecord>(subject: &dyn Subject) {
    let follower = Follower::new(subject, bob()).await;
    let revisions = rename_three_times::<R>(subject).await;
    for (limit, expected) in [(1, vec![0, 1, 2]), (2, vec![1, 2]), (3, vec![2]), (4, vec![2])] {
        let mut follower = Follower { subject, member: bob(), since: follower.since };
        let mut reached = Vec::new();
        loop {
            let changes = follower.follow(limit).await;
            assert_same(&Learned::from(&changes), &changed::<R>(&[R::VISIBLE]));
            reached.push(changes.revision.get());
            if !changes.has_more || reached.len() > 3 {
                break;
            }
        }
        let expected: Vec<_> = expected.into_iter().map(|index: usize| revisions[index]).collect();
        assert_same(&reached, &expected);
    }
}

pub(crate) async fn changes_that_are_too_large_are_listed_one_write_at_a_time(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], follows_large_records);
}

async fn follows_large_records<R: TestRecord>(subject: &dyn Subject) {
    let follower = Follower::new(subject, bob()).await;
    rename_three_times::<R>(subject).await;
    let mut small = ChangesQuery { max_bytes: 10, limit: 2, ..follower.query() };
    assert_eq!(follower.list(&small).await, FoundChanges::TooLarge);
    small.limit = 1;
    let FoundChanges::Found(changes) = follower.list(&small).await else {
        panic!("the changes of one write are listed, however large");
    };
    assert_same(&Learned::from(&changes), &changed::<R>(&[R::VISIBLE]));
    assert!(changes.has_more);
}

pub(crate) async fn only_changes_of_the_given_kinds_are_listed(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], lists_kinds);
}

async fn lists_kinds<R: TestRecord>(subject: &dyn Subject) {
    let follower = Follower::new(subject, bob()).await;
    rename_three_times::<R>(subject).await;
    let current = current_revision(subject, &bob()).await;
    let all = follower.query();
    let others = all.kinds.iter().copied().filter(|kind| *kind != R::KIND).collect();
    for (kinds, expected) in [(vec![R::KIND], changed::<R>(&[R::VISIBLE])), (others, nothing())] {
        let query = ChangesQuery { kinds, ..all.clone() };
        let FoundChanges::Found(changes) = follower.list(&query).await else {
            panic!("the changes of some kinds are known if those of all kinds are");
        };
        assert_same(&Learned::from(&changes), &expected);
        assert_eq!((changes.revision, changes.has_more), (current, false));
    }
}

pub(crate) async fn concurrent_writes_form_one_chain(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create], follows_concurrent_writes);
}

async fn follows_concurrent_writes<R: TestRecord>(subject: &dyn Subject) {
    let mut follower = Follower::new(subject, bob()).await;
    let names: Vec<_> = (0..12).map(|number| format!("created-{number}")).collect();
    let members = [ada(), bob()];
    let writes = names.iter().zip(members.iter().cycle()).map(|(name, member)| async move {
        expect_done(create::<R>(subject, member, name, new_record::<R>(subject)).await).id().text().to_owned()
    });
    let created = join_all(writes).await;
    let mut reached = Vec::new();
    for number in 1..=created.len() {
        let changes = follower.follow(1).await;
        reached.extend(changes.changed.iter().map(|changed| name(changed.record.kind(), &changed.id)));
        assert_same(&changes.has_more, &(number < created.len()));
    }
    assert_same(&sorted(reached.into_iter()), &sorted(created.iter().map(|id| name(R::KIND, id))));
}
