//! Shopping lists and items: visibility, order, fields.

use family_api_core::resource::{RecordKind, ShoppingItem, ShoppingList};
use family_api_core::storage::{Record, ShoppingItemRecord, ShoppingListRecord};

use crate::Subject;
use crate::fixture::{MemberView, ada, assert_same, bob, days, eve, existing, id, item, list, person, seconds, seed};
use crate::writes::kinds::kept;

fn list_ids(lists: &[ShoppingList]) -> Vec<&str> {
    lists.iter().map(|list| list.id.as_str()).collect()
}

fn item_ids(list: &ShoppingList) -> Vec<&str> {
    list.items.iter().map(|item| item.id.as_str()).collect()
}

pub(super) async fn a_private_list_is_visible_only_to_its_owner(subject: &dyn Subject) {
    let without_owner = ShoppingListRecord { is_private: true, ..list("no-owner", "north") };
    seed(subject, vec![Record::ShoppingList(without_owner)]).await;
    for (member, seen) in
        [(ada(), vec!["adas-list", "groceries"]), (bob(), vec!["bobs-list", "groceries"]), (eve(), vec!["south-list"])]
    {
        let lists = MemberView::of(member, subject).lists().await;
        let mut ids = list_ids(&lists);
        ids.sort_unstable();
        assert_same(&ids, &seen);
    }
}

pub(super) async fn a_private_item_is_visible_only_to_the_member_who_added_it(subject: &dyn Subject) {
    let without_adder = ShoppingItemRecord { is_private: true, ..item("no-adder", "groceries") };
    seed(subject, vec![Record::ShoppingItem(without_adder)]).await;
    for (member, seen) in [
        (ada(), existing(subject, &["milk", "old", "sock", "surprise"])),
        (bob(), existing(subject, &["bob-item", "gift", "milk", "old"])),
    ] {
        let lists = MemberView::of(member, subject).lists().await;
        let mut ids: Vec<_> = lists.iter().flat_map(item_ids).collect();
        ids.sort_unstable();
        assert_same(&ids, &seen);
    }
}

pub(super) async fn a_found_item_equals_the_listed_item(subject: &dyn Subject) {
    for member in [ada(), bob(), eve()] {
        let listed = subject.storage().list_shopping(&member).await.unwrap();
        let mut ids = vec!["nowhere".to_owned(), "MILK".to_owned()];
        for other in [ada(), bob(), eve()] {
            let lists = MemberView::of(other, subject).lists().await;
            ids.extend(lists.iter().flat_map(item_ids).map(str::to_owned));
        }
        for item in ids {
            let mut items: Vec<_> = listed.parse().unwrap().into_iter().flat_map(|list| list.items).collect();
            items.retain(|other| other.id.as_str() == item);
            let found = subject.storage().find_shopping_item(&member, &id(&item)).await.unwrap();
            assert_same(&found.parse().unwrap(), &items);
            assert_eq!(found.revision(), listed.revision(), "{item}");
        }
    }
}

pub(super) async fn lists_are_sorted_by_sort_order_then_name_then_id(subject: &dyn Subject) {
    let named = |id: &str, name: &str| ShoppingListRecord { name: name.to_owned(), ..list(id, "south") };
    let lists = [
        named("l1", "éclair"),
        named("l2", "apple"),
        named("l3", "Zebra"),
        named("l4", "😀"),
        named("l5", "\u{FF5E}"),
        named("l6", "apple"),
        named("L7", "apple"),
        named("l8", "apple pie"),
        named("l9", ""),
        ShoppingListRecord { sort_order: -1, ..named("z", "zzz") },
        ShoppingListRecord { sort_order: 1, ..named("a", "Aaa") },
    ];
    seed(subject, lists.map(Record::ShoppingList).into()).await;
    let seen = MemberView::of(eve(), subject).lists().await;
    let order = if subject.storage().capabilities().keeps_field(RecordKind::ShoppingList, "sortOrder") {
        ["z", "l9", "l3", "L7", "l2", "l6", "l8", "south-list", "l1", "l5", "l4", "a"]
    } else {
        ["l9", "a", "l3", "L7", "l2", "l6", "l8", "south-list", "z", "l1", "l5", "l4"]
    };
    assert_same(&list_ids(&seen), &order);
}

pub(super) async fn items_are_sorted_unchecked_first_then_oldest_then_by_id(subject: &dyn Subject) {
    let items_of_list = [
        ShoppingItemRecord { checked: true, created_at: days(-900), ..item("checked-old", "south-list") },
        ShoppingItemRecord { checked: true, ..item("checked", "south-list") },
        ShoppingItemRecord { created_at: seconds(1), ..item("a-young", "south-list") },
        item("b", "south-list"),
        item("B", "south-list"),
        item("_", "south-list"),
    ];
    seed(subject, items_of_list.map(Record::ShoppingItem).into()).await;
    let lists = MemberView::of(eve(), subject).lists().await;
    let order = if subject.storage().capabilities().keeps_field(RecordKind::ShoppingItem, "checked") {
        ["B", "_", "b", "south-item", "a-young", "checked-old", "checked"]
    } else {
        ["checked-old", "B", "_", "b", "checked", "south-item", "a-young"]
    };
    assert_same(&item_ids(&lists[0]), &order);
}

pub(super) async fn every_field_of_a_list_is_returned(subject: &dyn Subject) {
    let lists = MemberView::of(ada(), subject).lists().await;
    let groceries = ShoppingList {
        id: id("groceries"),
        name: "groceries".to_owned(),
        emoji: Some("🛒".to_owned()),
        sort_order: 0,
        is_private: false,
        owner_user_id: Some(id("bob")),
        created_at: days(-100),
        updated_at: days(-40),
        items: vec![],
    };
    let adas = ShoppingList {
        id: id("adas-list"),
        name: "adas-list".to_owned(),
        emoji: None,
        sort_order: 1,
        is_private: true,
        owner_user_id: Some(id("ada")),
        updated_at: days(-100),
        ..groceries.clone()
    };
    let expected = [groceries, adas].into_iter().filter(|list| !existing(subject, &[list.id.as_str()]).is_empty());
    let expected: Vec<_> = expected.map(|list| kept(subject, list)).collect();
    let mut lists: Vec<_> = lists.into_iter().map(|list| ShoppingList { items: vec![], ..list }).collect();
    lists.sort_by_key(|list| list.id.as_str() != "groceries");
    assert_same(&lists, &expected);
}

pub(super) async fn every_field_of_an_item_is_returned(subject: &dyn Subject) {
    let lists = MemberView::of(ada(), subject).lists().await;
    let milk = ShoppingItem {
        id: id("milk"),
        list_id: id("groceries"),
        name: "milk".to_owned(),
        quantity: Some("2 l".to_owned()),
        category: Some("dairy".to_owned()),
        checked: true,
        is_private: false,
        added_by_id: Some(id("bob")),
        added_by: person(subject, "bob").await,
        created_at: days(-100),
    };
    let bare = ShoppingItem { quantity: None, category: None, checked: false, ..milk.clone() };
    let old = ShoppingItem {
        id: id("old"),
        name: "old".to_owned(),
        added_by_id: Some(id("cid")),
        added_by: None,
        ..bare.clone()
    };
    let surprise = ShoppingItem {
        id: id("surprise"),
        name: "surprise".to_owned(),
        is_private: true,
        added_by_id: Some(id("ada")),
        added_by: person(subject, "ada").await,
        ..bare
    };
    for expected in [milk, old, surprise] {
        let is_expected = !existing(subject, &[expected.id.as_str()]).is_empty();
        let listed = lists.iter().flat_map(|list| &list.items).find(|item| item.id == expected.id);
        assert_same(&listed.cloned(), &is_expected.then(|| kept(subject, expected)));
    }
}

pub(super) async fn an_item_has_the_id_but_no_name_of_a_member_who_left(subject: &dyn Subject) {
    let lists = MemberView::of(ada(), subject).lists().await;
    let old = lists.iter().flat_map(|list| &list.items).find(|item| item.id.as_str() == "old").unwrap();
    assert_same(&(&old.added_by_id, &old.added_by), &(&Some(id("cid")), &None));
}
