//! The deletion of the checked items of a list.

use family_api_core::resource::{RecordKind, ShoppingItem, Verb};
use family_api_core::storage::{Member, Record, ShoppingItemRecord, Written};

use crate::Subject;
use crate::fixture::calls::restore;
use crate::fixture::{
    Call, Documents, MemberView, ada, assert_outcome, assert_same, bob, eve, expect_done, id, item, list, now, seed,
    seed_families_and,
};
use crate::writes::kinds::{container, supports};

/// Seeds two private checked items of the list `groceries`, which has the checked item `milk`, and checked items of
/// other lists.
pub(crate) async fn seed_checked(subject: &dyn Subject) {
    let checked = |name: &str, list: &str| ShoppingItemRecord { checked: true, ..item(name, list) };
    let private = |name: &str, owner: &str| ShoppingItemRecord {
        is_private: true,
        added_by_id: Some(id(owner)),
        ..checked(name, "groceries")
    };
    let items = [private("own", "ada"), private("foreign", "bob"), checked("south-checked", "south-list")];
    let mut more: Vec<_> = items.map(Record::ShoppingItem).into();
    if subject.storage().capabilities().keeps_kind(RecordKind::ShoppingList) {
        more.push(Record::ShoppingList(list("other-list", "north")));
        more.push(Record::ShoppingItem(checked("elsewhere", "other-list")));
    }
    seed_families_and(subject, more).await;
}

/// Returns the ids of the deleted items, sorted.
#[track_caller]
pub(crate) fn delete_checked(
    subject: &dyn Subject,
    member: Member,
    list: &str,
) -> impl Future<Output = Written<Vec<String>>> {
    let (call, list) = (Call::new(format!("delete_checked_items ({list})"), &member.user), id(list));
    async move {
        match call.result(subject.storage().delete_checked_items(&member.into(), &list, now()).await) {
            Written::Deleted(items) => {
                let mut ids: Vec<String> = items.iter().map(|item| item.id.to_string()).collect();
                ids.sort_unstable();
                Written::Deleted(ids)
            }
            Written::NotFound => Written::NotFound,
            other => panic!("expected items or nothing, but got {other:?}"),
        }
    }
}

pub(crate) async fn the_checked_items_that_a_member_sees_are_deleted(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    let list = container::<ShoppingItem>(subject).unwrap();
    let keeps_private = subject.storage().capabilities().keeps_field(RecordKind::ShoppingItem, "isPrivate");
    let checked = if keeps_private { vec!["milk", "own"] } else { vec!["milk"] };
    assert_same(&expect_done(delete_checked(subject, ada(), list).await), &checked);
    assert!(expect_done(delete_checked(subject, ada(), list).await).is_empty());
    let left = |items: Vec<ShoppingItem>| items.into_iter().map(|item| item.id.to_string()).collect::<Vec<_>>();
    let items_of = async |member: Member| {
        let lists = MemberView::of(member, subject).lists().await;
        left(lists.into_iter().flat_map(|list| list.items).collect())
    };
    for deleted in &checked {
        assert!(!items_of(ada()).await.contains(&(*deleted).to_owned()));
    }
    assert!(items_of(ada()).await.contains(&"old".to_owned()));
    assert!(items_of(eve()).await.contains(&"south-checked".to_owned()));
    if subject.storage().capabilities().keeps_kind(RecordKind::ShoppingList) {
        assert!(items_of(ada()).await.contains(&"elsewhere".to_owned()));
    }
    if keeps_private {
        assert!(items_of(bob()).await.contains(&"foreign".to_owned()));
    }
    if supports::<ShoppingItem>(subject, &[Verb::Restore]) {
        for deleted in checked {
            expect_done(restore::<ShoppingItem>(subject, &ada(), deleted).await);
        }
        assert_same(&Documents::of_all_members(subject).await, &before);
    }
}

pub(crate) async fn checked_items_of_an_invisible_list_are_not_found(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for list in ["bobs-list", "south-list", "nowhere", "GROCERIES"] {
        assert_outcome(&delete_checked(subject, ada(), list).await, &Written::NotFound);
    }
    assert_outcome(&delete_checked(subject, bob(), "adas-list").await, &Written::NotFound);
    assert_outcome(&delete_checked(subject, eve(), "groceries").await, &Written::NotFound);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(crate) async fn one_call_deletes_at_most_500_checked_items(subject: &dyn Subject) {
    let many = (0..502).map(|n| ShoppingItemRecord { checked: true, ..item(&format!("item-{n}"), "groceries") });
    seed(subject, many.map(Record::ShoppingItem).collect()).await;
    let list = container::<ShoppingItem>(subject).unwrap();
    let more = if subject.storage().capabilities().keeps_field(RecordKind::ShoppingItem, "isPrivate") { 4 } else { 3 };
    for expected in [500, more, 0] {
        assert_same(&expect_done(delete_checked(subject, ada(), list).await).len(), &expected);
    }
}
