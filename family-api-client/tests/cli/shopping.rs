//! `family shopping`.

use serde_json::Value;

use crate::records::records;
use crate::sandbox::{Sandbox, id};

fn names(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[test]
fn items_are_added_with_their_quantities() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["shopping", "add", "oat milk", "bread x2"]).succeeded();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[1].starts_with("oat milk  ") && lines[2].starts_with("bread     2  "), "{shown}");
    let added = sandbox.run(&["shopping", "add", "tea", "--list", "groceries", "--json"]).json();
    assert_eq!((names(&added), &added[0]["listId"]), (vec!["tea"], &"groceries".into()));
    let list = sandbox.run(&["shopping"]).succeeded();
    assert!(["oat milk", "bread", "tea", "Milk"].iter().all(|name| list.contains(name)), "{list}");
    sandbox.run(&["shopping", "add", "tea", "--list", "Garden"]).failed_with(4, &["`Garden`"]);
    assert_eq!(sandbox.run(&["shopping", "add"]).code, 2);
}

#[test]
fn a_quantity_or_a_category_can_be_named_for_all_items() {
    let sandbox = Sandbox::new();
    let arguments = ["shopping", "add", "Vitamin B 12x", "2 l cola", "--quantity", "1 box", "--category", "Sweets"];
    let added = sandbox.run(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(names(&added), ["Vitamin B 12x", "2 l cola"]);
    assert!(added.as_array().unwrap().iter().all(|item| item["quantity"] == "1 box" && item["category"] == "Sweets"));
}

#[test]
fn an_item_is_changed_and_moved_to_another_list() {
    let sandbox = Sandbox::new();
    let market = sandbox.run_signed_in(&["list", "add", "Market", "--json"]).json();
    assert!(sandbox.run(&["shopping"]).succeeded().contains("\nMarket"), "an empty list is shown too");
    sandbox.run(&["shopping", "add", "mlik x2"]).succeeded();
    let arguments = ["shopping", "change", "Mlik", "--name", "Oat milk", "--quantity", "", "--to", "market", "--json"];
    let changed = sandbox.run(&arguments).json();
    assert_eq!((names(&changed), &changed[0]["quantity"]), (vec!["Oat milk"], &Value::Null));
    assert_eq!(changed[0]["listId"], market["id"]);
    for (list, found) in [("Groceries", false), ("Market", true)] {
        let run = sandbox.run(&["shopping", "change", "oat milk", "--list", list, "--category", "Dairy"]);
        assert_eq!(run.code, if found { 0 } else { 4 }, "{run:?}");
    }
}

#[test]
fn items_are_checked_by_name_or_id() {
    let sandbox = Sandbox::new();
    sandbox.run(&["shopping", "add", "bread", "tea"]).succeeded();
    let checked = sandbox.run(&["shopping", "check", "BREAD", "tea", "bread", "--json"]).json();
    assert_eq!(names(&checked), ["bread", "tea"]);
    assert!(checked.as_array().unwrap().iter().all(|item| item["checked"] == true), "{checked}");
    let opened = sandbox.run(&["shopping", "uncheck", "milk", "bread", "--list", "Groceries", "--json"]).json();
    assert_eq!((names(&opened), &opened[0]["checked"]), (vec!["Milk", "bread"], &false.into()));
    sandbox.run(&["shopping", "check", "caviar"]).failed_with(4, &["`caviar`"]);
}

#[test]
fn an_item_that_is_not_bought_yet_is_checked_first() {
    let sandbox = Sandbox::new();
    // One item with this name is checked already.
    let added = sandbox.run(&["shopping", "add", "milk", "--json"]).json();
    let checked = sandbox.run(&["shopping", "check", "milk ", "--json"]).json();
    assert_eq!(checked[0]["id"], added[0]["id"]);
    sandbox.run(&["shopping", "delete", "Milk"]).failed_with(2, &["use an id: "]);
}

#[test]
fn bought_items_are_cleared_and_restored() {
    let sandbox = Sandbox::new();
    sandbox.run(&["shopping", "add", "bread"]).succeeded();
    assert_eq!(sandbox.run(&["shopping", "clear"]).succeeded(), "Deleted  Id\nMilk     milk\n");
    assert_eq!(
        sandbox.run(&["shopping", "clear", "--list", "Groceries", "--json"]).json()["ids"],
        serde_json::json!([])
    );
    assert_eq!(names(&sandbox.run(&["shopping", "--json"]).json()[0]["items"]), ["bread"]);
    let restored = sandbox.run(&["shopping", "restore", "milk", "--json"]).json();
    assert_eq!((names(&restored), &restored[0]["checked"]), (vec!["Milk"], &true.into()));
    assert_eq!(sandbox.run(&["shopping", "delete", "milk"]).succeeded(), "Deleted  Id\nMilk     milk\n");
}

#[test]
fn what_was_written_before_a_failure_is_printed() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(501);
    let added = sandbox.run(&["shopping", "add", "bread", &long, "tea"]);
    assert!(added.code == 2 && added.err.contains("/name: "), "{added:?}");
    assert!(
        added.out.starts_with("Item   ") && added.out.contains("\nbread  ") && !added.out.contains("tea"),
        "{added:?}"
    );
    let added = sandbox.run(&["shopping", "add", "salt", &long, "--json"]);
    assert_eq!((added.code, names(&serde_json::from_str(&added.out).unwrap())), (2, vec!["salt"]));
    assert_eq!(sandbox.run(&["shopping", "add", &long, "tea", "--json"]).failed().0, 2);
    assert_eq!(sandbox.run(&["shopping", "check", "bread"]).code, 0);

    let url = format!("{}/one-deletion", sandbox.service.url);
    let deleted = sandbox.run(&["shopping", "delete", "milk", "salt", "--url", &url]);
    assert_eq!((deleted.code, deleted.out.as_str()), (5, "Deleted  Id\nMilk     milk\n"), "{deleted:?}");
    assert!(deleted.err.contains("the call may have taken effect"), "{deleted:?}");
}

#[test]
fn the_ids_of_the_first_500_cleared_items_are_printed_if_the_next_call_fails() {
    let mut records = records();
    let mut item = records.iter().find(|record| record["type"] == "shoppingItem").unwrap().clone();
    for number in 0..500 {
        item["id"] = format!("item-{number}").into();
        records.push(item.clone());
    }
    let sandbox = Sandbox::with_records(&records);
    let url = format!("{}/one-deletion", sandbox.service.url);
    let cleared = sandbox.run(&["shopping", "clear", "--url", &url, "--json"]);
    let printed: Value = serde_json::from_str(&cleared.out).unwrap();
    assert_eq!((cleared.code, printed["ids"].as_array().unwrap().len()), (5, 500), "{}", cleared.err);
}

#[test]
fn a_name_of_two_items_changes_nothing_and_lists_both() {
    let sandbox = Sandbox::new();
    sandbox.run_signed_in(&["list", "add", "Market"]).succeeded();
    let add = |name: &str, list: &str| {
        let added = sandbox.run(&["shopping", "add", name, "--list", list, "--json"]).json();
        id(&added[0]).to_owned()
    };
    let [first, second, other] = [add("Tea", "Groceries"), add("tea", "Groceries"), add("bread", "Groceries")];
    let elsewhere = add("bread", "Market");
    let described = [
        (&["check", "bread", "TEA"][..], format!("{other} (bread in Groceries), {elsewhere} (bread in Market)")),
        (&["check", "tea"], format!("{first} (Tea in Groceries), {second} (tea in Groceries)")),
        (&["delete", "tea"], format!("{first} (Tea in Groceries), {second} (tea in Groceries)")),
    ];
    for (arguments, items) in described {
        let arguments = [&["shopping"], arguments].concat();
        sandbox.run(&arguments).failed_with(2, &["more than one item has the name", &format!("use an id: {items}")]);
    }
    let lists = sandbox.run(&["shopping", "--json"]).json();
    let items: Vec<&Value> =
        lists.as_array().unwrap().iter().flat_map(|list| list["items"].as_array().unwrap()).collect();
    assert_eq!(items.iter().filter(|item| item["checked"] == false).count(), 4, "{lists}");
    assert_eq!(names(&sandbox.run(&["shopping", "check", &second, "--json"]).json()), ["tea"]);
    assert_eq!(names(&sandbox.run(&["shopping", "check", "tea", "--json"]).json()), ["Tea"]);
    assert_eq!(names(&sandbox.run(&["shopping", "check", "bread", "--list", "market", "--json"]).json()), ["bread"]);
}
