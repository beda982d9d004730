//! Shopping lists and items: visibility, order, fields.

use family_api_core::resource::{ShoppingItem, ShoppingList};
use family_api_core::storage::{Record, ShoppingItemRecord, ShoppingListRecord};

use crate::Subject;
use crate::fixture::{MemberView, ada, bob, days, eve, id, item, list, person, seconds};

fn list_ids(lists: &[ShoppingList]) -> Vec<&str> {
    lists.iter().map(|list| list.id.as_str()).collect()
}

fn item_ids(list: &ShoppingList) -> Vec<&str> {
    list.items.iter().map(|item| item.id.as_str()).collect()
}

pub(super) async fn a_private_list_is_visible_only_to_its_owner(subject: &dyn Subject) {
    let without_owner = ShoppingListRecord { is_private: true, ..list("no-owner", "north") };
    subject.seed(vec![Record::ShoppingList(without_owner)]).await;
    assert_eq!(list_ids(&MemberView::of(ada(), subject).lists().await), ["groceries", "adas-list"]);
    assert_eq!(list_ids(&MemberView::of(bob(), subject).lists().await), ["groceries", "bobs-list"]);
    assert_eq!(list_ids(&MemberView::of(eve(), subject).lists().await), ["south-list"]);
}

pub(super) async fn a_private_item_is_visible_only_to_the_member_who_added_it(subject: &dyn Subject) {
    let without_adder = ShoppingItemRecord { is_private: true, ..item("no-adder", "groceries") };
    subject.seed(vec![Record::ShoppingItem(without_adder)]).await;
    let lists = MemberView::of(ada(), subject).lists().await;
    assert_eq!(item_ids(&lists[0]), ["old", "surprise", "milk"]);
    assert_eq!(item_ids(&lists[1]), ["sock"]);
    let lists = MemberView::of(bob(), subject).lists().await;
    assert_eq!(item_ids(&lists[0]), ["gift", "old", "milk"]);
    assert_eq!(item_ids(&lists[1]), ["bob-item"]);
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
            assert_eq!((found.parse().unwrap(), found.revision()), (items, listed.revision()), "{item}");
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
    subject.seed(lists.map(Record::ShoppingList).into()).await;
    let seen = MemberView::of(eve(), subject).lists().await;
    let order = ["z", "l9", "l3", "L7", "l2", "l6", "l8", "south-list", "l1", "l5", "l4", "a"];
    assert_eq!(list_ids(&seen), order);
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
    subject.seed(items_of_list.map(Record::ShoppingItem).into()).await;
    let lists = MemberView::of(eve(), subject).lists().await;
    assert_eq!(item_ids(&lists[0]), ["B", "_", "b", "south-item", "a-young", "checked-old", "checked"]);
}

pub(super) async fn every_field_of_a_list_and_its_items_is_returned(subject: &dyn Subject) {
    let mut lists = MemberView::of(ada(), subject).lists().await;
    let seen_items = std::mem::take(&mut lists[0].items);
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
    assert_eq!(lists[0], groceries);
    assert_eq!((lists[1].is_private, lists[1].sort_order, &lists[1].emoji), (true, 1, &None));
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
    assert_eq!(seen_items[2], milk);
    let surprise = &seen_items[1];
    assert_eq!((&surprise.quantity, &surprise.category), (&None, &None));
    assert_eq!((surprise.checked, surprise.is_private), (false, true));
}

pub(super) async fn an_item_has_the_id_but_no_name_of_a_member_who_left(subject: &dyn Subject) {
    let lists = MemberView::of(ada(), subject).lists().await;
    let old = lists[0].items.iter().find(|item| item.id.as_str() == "old").unwrap();
    assert_eq!((&old.added_by_id, &old.added_by), (&Some(id("cid")), &None));
}
