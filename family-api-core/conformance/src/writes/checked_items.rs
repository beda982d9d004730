//! The deletion of the checked items of a list.

use family_api_core::resource::{ShoppingItem, Verb};
use family_api_core::storage::{Member, Record, ShoppingItemRecord, Written};

use crate::Subject;
use crate::fixture::calls::restore;
use crate::fixture::{MemberView, ada, bob, eve, expect_done, id, item, now, seed_families_and};
use crate::writes::kinds::supports;

/// Seeds three more checked items of the list `groceries`, which has the checked item `milk`.
async fn seed(subject: &dyn Subject) -> bool {
    let checked = |name: &str, list: &str| ShoppingItemRecord { checked: true, ..item(name, list) };
    let private = |name: &str, owner: &str| ShoppingItemRecord {
        is_private: true,
        added_by_id: Some(id(owner)),
        ..checked(name, "groceries")
    };
    let more = [private("own", "ada"), private("foreign", "bob"), checked("elsewhere", "adas-list")];
    seed_families_and(subject, more.into_iter().map(Record::ShoppingItem).collect()).await;
    supports::<ShoppingItem>(subject, &[Verb::Delete])
}

/// Returns the ids of the deleted items, sorted.
async fn delete_checked(subject: &dyn Subject, member: Member, list: &str) -> Written<Vec<String>> {
    let deleted = subject.storage().delete_checked_items(&member.into(), &id(list), now()).await.unwrap();
    match deleted {
        Written::Deleted(items) => {
            let mut ids: Vec<String> = items.iter().map(ToString::to_string).collect();
            ids.sort_unstable();
            Written::Deleted(ids)
        }
        Written::NotFound => Written::NotFound,
        other => panic!("expected items or nothing, but got {other:?}"),
    }
}

pub(crate) async fn the_checked_items_that_a_member_sees_are_deleted(subject: &dyn Subject) {
    if !seed(subject).await {
        return;
    }
    let before = MemberView::documents_of_all_members(subject).await;
    assert_eq!(expect_done(delete_checked(subject, ada(), "groceries").await), ["milk", "own"]);
    assert!(expect_done(delete_checked(subject, ada(), "groceries").await).is_empty());
    let left = |items: Vec<ShoppingItem>| items.into_iter().map(|item| item.id.to_string()).collect::<Vec<_>>();
    let items_of = async |member: Member| {
        let lists = MemberView::of(member, subject).lists().await;
        left(lists.into_iter().flat_map(|list| list.items).collect())
    };
    for deleted in ["milk", "own"] {
        assert!(!items_of(ada()).await.contains(&deleted.to_owned()));
    }
    assert!(items_of(ada()).await.contains(&"elsewhere".to_owned()));
    assert!(items_of(bob()).await.contains(&"foreign".to_owned()));
    if supports::<ShoppingItem>(subject, &[Verb::Restore]) {
        for deleted in ["milk", "own"] {
            expect_done(restore::<ShoppingItem>(subject, &ada(), deleted).await);
        }
        assert_eq!(MemberView::documents_of_all_members(subject).await, before);
    }
}

pub(crate) async fn checked_items_of_an_invisible_list_are_not_found(subject: &dyn Subject) {
    if !seed(subject).await {
        return;
    }
    let before = MemberView::documents_of_all_members(subject).await;
    for list in ["bobs-list", "south-list", "nowhere", "GROCERIES"] {
        assert_eq!(delete_checked(subject, ada(), list).await, Written::NotFound, "{list}");
    }
    assert_eq!(delete_checked(subject, bob(), "adas-list").await, Written::NotFound);
    assert_eq!(delete_checked(subject, eve(), "groceries").await, Written::NotFound);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(crate) async fn one_call_deletes_at_most_500_checked_items(subject: &dyn Subject) {
    if !seed(subject).await {
        return;
    }
    let many = (0..502).map(|n| ShoppingItemRecord { checked: true, ..item(&format!("item-{n}"), "adas-list") });
    subject.seed(many.map(Record::ShoppingItem).collect()).await;
    for expected in [500, 3, 0] {
        assert_eq!(expect_done(delete_checked(subject, ada(), "adas-list").await).len(), expected);
    }
}
