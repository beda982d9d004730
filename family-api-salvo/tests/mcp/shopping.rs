//! The tools that add, tick, change and delete shopping items. Every answer is validated against the output schema of
//! its tool.

use salvo::http::Method;
use serde_json::json;

use crate::client::{change_one, fail, mcp, succeed};
use crate::storages::on_every_storage;
use crate::support::App;
use crate::writes::{FULL, add_items, id_of, results};

on_every_storage! {
    async fn shopping_items_are_added_and_checked(app: App) {
        let app = mcp(&app);
        let arguments = json!({ "items": [{ "name": "milk" }, { "name": "bread", "quantity": "2" }], "list": " market" });
        let (found, text) = succeed(&app, FULL, "add_shopping_items", arguments).await;
        assert_eq!(results(&found), ["added", "added"]);
        assert_eq!(found["outcomes"][1]["list"], "list-berg");
        assert!(text.starts_with("Items added: 2 of 2.\n") && text.contains("In Market [list-berg]."), "{text}");
        let ids = json!([id_of(&found, 0), "missing", id_of(&found, 0)]);
        let (checked, text) = succeed(&app, FULL, "check_shopping_items", json!({ "ids": ids })).await;
        assert_eq!(results(&checked), ["changed", "failed"]);
        assert!(text.starts_with("Items checked: 1 of 2.\n") && text.contains("checked milk"), "{text}");
        let items = app.read("shopping").await[0]["items"].clone();
        assert_eq!((&items[0]["name"], &items[0]["quantity"], &items[0]["checked"]), (&json!("bread"), &json!("2"), &json!(false)));
        assert_eq!((&items[2]["name"], &items[2]["checked"], &items[2]["addedById"]), (&json!("milk"), &json!(true), &json!("ann")));
        let (same, text) = succeed(&app, FULL, "check_shopping_items", json!({ "ids": [id_of(&found, 0)] })).await;
        assert_eq!((results(&same), &same["changed"]), (vec!["unchanged"], &json!(0)));
        assert!(text.contains("was already checked"), "{text}");
        let again = json!({ "ids": [id_of(&found, 0)], "checked": false });
        assert_eq!(results(&succeed(&app, FULL, "check_shopping_items", again).await.0), ["changed"]);
    }

    async fn an_item_is_checked_by_its_name(app: App) {
        let app = mcp(&app);
        let items = json!({ "items": [{ "name": "Kefir" }, { "name": "Kefir grains" }, { "name": "Tea" }, { "name": "tea" }],
            "allowDuplicates": true });
        let found = succeed(&app, FULL, "add_shopping_items", items).await.0;
        let check = async |names: &[&str], checked: bool| {
            let arguments = json!({ "ids": names, "checked": checked });
            let (checked, text) = succeed(&app, FULL, "check_shopping_items", arguments).await;
            (results(&checked).into_iter().map(str::to_owned).collect::<Vec<_>>(), checked, text)
        };
        let (outcomes, checked, text) = check(&[" kefir", "TEA", "kefir gr"], true).await;
        assert_eq!(outcomes, ["changed", "failed", "failed"]);
        assert_eq!(id_of(&checked, 0), id_of(&found, 0));
        assert!(text.contains("checked Kefir") && text.contains("several have this name"), "{text}");
        // A repeated call checks nothing else.
        let (outcomes, _, text) = check(&["kefir"], true).await;
        assert!(outcomes == ["unchanged"] && text.contains("was already checked"), "{text}");
        let (outcomes, unchecked, _) = check(&["Kefir", "kefir"], false).await;
        assert_eq!((outcomes, id_of(&unchecked, 0)), (vec!["changed".to_owned(), "unchanged".to_owned()], id_of(&found, 0)));
    }

    async fn an_item_that_is_on_the_list_is_not_added_again(app: App) {
        let app = mcp(&app);
        let first = json!({ "items": [{ "name": "Milk", "quantity": "2 l" }, { "name": "crème" }, { "name": "Creme" }] });
        let (found, text) = succeed(&app, FULL, "add_shopping_items", first.clone()).await;
        assert_eq!(results(&found), ["added", "added", "unchanged"]);
        assert_eq!(id_of(&found, 2), id_of(&found, 1));
        assert!(text.starts_with("Items added: 2 of 3.\n"), "{text}");
        let (again, text) = succeed(&app, FULL, "add_shopping_items", first.clone()).await;
        assert_eq!((results(&again), &again["changed"]), (vec!["unchanged"; 3], &json!(0)));
        assert!(text.contains(&format!("[{}] unchanged Milk (2 l) (is on the list already)", id_of(&found, 0))), "{text}");
        let more = json!({ "items": [{ "name": "milk", "quantity": "3 l" }] });
        let (again, text) = succeed(&app, FULL, "add_shopping_items", more.clone()).await;
        assert_eq!(id_of(&again, 0), id_of(&found, 0));
        assert!(text.contains("update_shopping_items changes its quantity"), "{text}");
        let mut twice = more.clone();
        twice["allowDuplicates"] = json!(true);
        assert_eq!(results(&succeed(&app, FULL, "add_shopping_items", twice).await.0), ["added"]);
        // What was bought is added again.
        succeed(&app, FULL, "check_shopping_items", json!({ "ids": [id_of(&found, 1)] })).await;
        let again = add_items(&app, &["crème"]).await;
        assert_eq!((results(&again), id_of(&again, 0) == id_of(&found, 1)), (vec!["added"], false));
        assert_eq!(app.read("shopping").await[0]["items"].as_array().unwrap().len(), 5);
    }

    async fn shopping_items_are_changed_moved_and_deleted(app: App) {
        let app = mcp(&app);
        succeed(&app, FULL, "add_containers", json!({ "kind": "shopping_list", "names": ["Bakery"] })).await;
        let found = add_items(&app, &["milk", "bread", "eggs", "salt"]).await;
        let ids: Vec<String> = (0..4).map(|index| id_of(&found, index)).collect();
        let change = json!({ "ids": [ids[0]], "quantity": "2 l", "category": "dairy" });
        let (changed, text) = change_one(&app, FULL, "update_shopping_items", change.clone()).await;
        assert_eq!((&changed["quantity"], &changed["changed"]), (&json!("2 l"), &json!(true)));
        assert_eq!(changed["before"], json!({ "category": null, "quantity": null }));
        let before = "Before: category none; quantity none.\n";
        let line = format!("- changed Item milk (2 l) [{}]: open, in list [list-berg], category dairy\n", ids[0]);
        assert_eq!(text, format!("Items changed: 1 of 1.\n{line}{before}"));
        let (again, text) = change_one(&app, FULL, "update_shopping_items", change).await;
        assert!(again["changed"] == false && text.starts_with("Nothing changed.\n"), "{text}");
        assert!(again.get("before").is_none() && !text.contains("Before"), "{text}");
        change_one(&app, FULL, "update_shopping_items", json!({ "ids": [ids[1]], "list": "bakery" })).await;
        let (bakery, _) = succeed(&app, FULL, "list_shopping", json!({ "list": "Bakery" })).await;
        assert_eq!(bakery["lists"][0]["items"][0]["name"], "bread");

        let (deleted, text) = succeed(&app, FULL, "delete_shopping_items", json!({ "ids": [ids[3], "none", ids[3]] })).await;
        assert_eq!((results(&deleted), &deleted["changed"]), (vec!["deleted", "failed"], &json!(1)));
        assert!(text.contains("restore with kind shopping_item"), "{text}");
        assert_eq!(deleted["outcomes"][0]["title"], "salt");
        assert!(text.contains(&format!("- [{}] deleted salt\n", ids[3])), "{text}");
        let restored = json!({ "kind": "shopping_item", "ids": [ids[3]] });
        assert_eq!(succeed(&app, FULL, "restore", restored).await.0["outcomes"][0]["title"], "salt");

        succeed(&app, FULL, "check_shopping_items", json!({ "ids": [ids[1], ids[2]] })).await;
        let unclear = fail(&app, FULL, "delete_shopping_items", json!({ "checked": true })).await;
        assert!(unclear.contains("list: is required") && unclear.contains("Bakery ["), "{unclear}");
        let market = json!({ "list": "MARKET", "checked": true });
        let (deleted, text) = succeed(&app, FULL, "delete_shopping_items", market.clone()).await;
        assert!(text.starts_with("Items deleted: ") && text.contains(&format!("- [{}] deleted eggs\n", ids[2])), "{text}");
        assert!(!deleted.to_string().contains(&ids[1]), "{deleted}");
        let (none, text) = succeed(&app, FULL, "delete_shopping_items", market).await;
        let nothing = json!({ "changed": 0, "outcomes": [], "notices": ["The list has no checked item."] });
        assert_eq!((&none, text.as_str()), (&nothing, "Nothing changed.\nThe list has no checked item.\n"));
        let lists = app.read("shopping").await;
        let items = |list: usize| lists[list]["items"].as_array().unwrap().iter().map(|item| item["checked"].clone());
        assert!(items(0).all(|checked| checked == false) && items(1).eq([json!(true)]), "{lists}");
    }

    async fn milk_is_added_in_a_family_without_a_list(app: App) {
        app.send_with_token(FULL, Method::DELETE, "/api/v1/shopping-items/item-berg").await.assert_ok();
        let deleted = app.send_json_in_session("ann", Method::DELETE, "/api/shopping-lists/list-berg", String::new()).await;
        assert_eq!(deleted.status, 200, "{deleted:?}");
        let app = mcp(&app);
        for list in [json!(null), json!("Groceries")] {
            let milk = json!({ "items": [{ "name": "milk" }], "list": list });
            let message = fail(&app, FULL, "add_shopping_items", milk).await;
            assert!(message.contains("there is no shopping list. Add one with add_containers."), "{message}");
        }
        let (_, text) = succeed(&app, FULL, "list_shopping", json!({})).await;
        assert_eq!(text, "Shopping lists: 0.\nAdd one with add_containers.\n");
        let (_, text) = succeed(&app, "ann-read", "list_shopping", json!({})).await;
        assert_eq!(text, "Shopping lists: 0.\n");

        let list = json!({ "kind": "shopping_list", "names": [" Groceries "], "emoji": null, "idempotencyKey": "first-list" });
        let (added, text) = succeed(&app, FULL, "add_containers", list.clone()).await;
        assert_eq!((results(&added), &added["outcomes"][0]["title"]), (vec!["added"], &json!("Groceries")));
        assert!(text.starts_with("Added: 1 of 1.\n- ["), "{text}");
        assert_eq!(results(&succeed(&app, FULL, "add_containers", list).await.0), ["unchanged"]);
        let found = add_items(&app, &["milk"]).await;
        assert_eq!(found["outcomes"][0]["list"], added["outcomes"][0]["id"]);
        let lists = app.read("shopping").await;
        assert_eq!((lists.as_array().unwrap().len(), &lists[0]["name"]), (1, &json!("Groceries")));
        assert_eq!((&lists[0]["isPrivate"], &lists[0]["items"][0]["name"]), (&json!(false), &json!("milk")));
        let private = json!({ "kind": "shopping_list", "names": ["Presents"], "isPrivate": true });
        assert_eq!(results(&succeed(&app, FULL, "add_containers", private).await.0), ["added"]);
        assert_eq!(app.read("shopping").await.as_array().unwrap().len(), 2);
    }

    async fn items_without_a_named_list_say_where_they_are(app: App) {
        let list = |name: &str| json!({ "name": name }).to_string();
        for name in ["Bakery", "Bakery"] {
            let created = app.send_json_in_session("ann", Method::POST, "/api/shopping-lists", list(name)).await;
            assert_eq!(created.status, 201, "{created:?}");
        }
        let app = mcp(&app);
        let (found, text) = succeed(&app, FULL, "add_shopping_items", json!({ "items": [{ "name": "milk" }] })).await;
        assert!(text.contains("In Market [list-berg], because no other was named. The others: Bakery ["), "{text}");
        assert!(found["notices"][0].as_str().is_some_and(|notice| text.contains(notice)), "{found}");
        let unclear = json!({ "items": [{ "name": "milk" }], "list": "bakery" });
        let message = fail(&app, FULL, "add_shopping_items", unclear).await;
        assert!(message.contains("several have this name") && !message.contains("Market"), "{message}");
    }
}
