//! `family remove` and `user remove`.

use family_api_testing::with;
use serde_json::{Value, json};

use crate::administration::{error, field, json};
use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, with_token};
use crate::family::{board, column, item, list, task};
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! {
    a_removed_family_takes_its_records_and_leaves_its_users,
    a_removed_user_takes_credentials_and_private_records,
    a_removed_user_takes_private_records_of_a_former_family,
    without_a_terminal_a_removal_needs_yes,
}

const EMAIL: &str = "ana@family.example";

/// Private records of a user, and records of Ben in private containers.
pub(crate) fn private_records(owner: &str) -> [Value; 7] {
    [
        with(board("secret", "rivera"), json!({ "isPrivate": true, "ownerUserId": owner })),
        column("hidden", "secret"),
        task("hers", "hidden"),
        with(task("own", "todo"), json!({ "isPrivate": true, "creatorId": owner })),
        with(list("gifts", "rivera"), json!({ "isPrivate": true, "ownerUserId": owner })),
        with(item("ring", "gifts"), json!({ "addedById": "ben" })),
        with(item("cake", "groceries"), json!({ "isPrivate": true, "addedById": owner })),
    ]
}

async fn a_removed_family_takes_its_records_and_leaves_its_users(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let removed = json(&sandbox, &["family", "remove", "rivera", "--yes"]);
    let expected = json!({
        "noteCategory": 0, "board": 1, "column": 1, "task": 1, "event": 1, "shoppingList": 1, "shoppingItem": 1,
        "note": 1, "deletedRecord": 0,
    });
    assert_eq!(removed, [json!({ "id": "rivera", "deleted": expected })]);
    assert_eq!(field(&json(&sandbox, &["family", "list"]), "id"), ["okafor"]);
    let users = json(&sandbox, &["user", "list"]);
    assert_eq!(field(&users, "familyId"), [json!(null), json!(null), json!("okafor"), json!(null)]);
    let profile = in_session(&server, &cookie, "GET", "/api/users/me", None).await;
    assert_eq!((profile.status, &profile.json()["familyId"]), (200, &json!(null)));
    assert_eq!(error(&sandbox, &["family", "remove", "rivera", "--yes"]), "no family has the id rivera");
}

async fn a_removed_user_takes_credentials_and_private_records(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await.import_lines(private_records("ana"));
    // Records of another user, which stay.
    let others = [with(task("bens", "todo"), json!({ "isPrivate": true, "creatorId": "ben" }))];
    let (sandbox, server) = sandbox.import_lines(others).served();
    let cookie = session_cookie(&server, "ana").await;
    let token = create_key(&server, &cookie).await.token;
    // From here on, the server has the key in its cache.
    assert_eq!(with_token(&server, &token, "GET", "/api/v1/me", None).await.status, 200);
    let removed = json(&sandbox, &["user", "remove", EMAIL, "--yes"]);
    let expected = json!({
        "key": 1, "session": 1, "connection": 0, "calendarFeed": 0, "task": 2, "column": 1, "board": 1,
        "shoppingItem": 2, "shoppingList": 1, "deletedRecord": 0,
    });
    assert_eq!(removed, [json!({ "id": "ana", "deleted": expected })]);
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 401);
    assert_eq!(with_token(&server, &token, "GET", "/api/v1/me", None).await.status, 401);
    assert_eq!(field(&json(&sandbox, &["user", "list"]), "id"), ["ben", "chidi", "dora"]);
    let message = format!("no user has the e-mail address {EMAIL}");
    assert_eq!(error(&sandbox, &["user", "remove", EMAIL, "--yes"]), message);

    // The ids of the removed records are free again, and all other records are still there.
    let sandbox = sandbox.import_lines(private_records("ben"));
    let removed = json(&sandbox, &["family", "remove", "rivera", "--yes"]);
    let deleted = &removed[0]["deleted"];
    assert_eq!(
        ["board", "column", "task", "shoppingList", "shoppingItem", "note"].map(|kind| &deleted[kind]),
        [2, 2, 4, 2, 3, 1]
    );
}

async fn a_removed_user_takes_private_records_of_a_former_family(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await.import_lines(private_records("ana"));
    json(&sandbox, &["user", "move", EMAIL, "--family", "okafor"]);
    let removed = json(&sandbox, &["user", "remove", EMAIL, "--yes"]);
    let expected = json!({
        "key": 0, "session": 0, "connection": 0, "calendarFeed": 0, "task": 2, "column": 1, "board": 1,
        "shoppingItem": 2, "shoppingList": 1, "deletedRecord": 0,
    });
    assert_eq!(removed, [json!({ "id": "ana", "deleted": expected })]);
    assert_eq!(sandbox.count_rows("boards").await, 1);
}

async fn without_a_terminal_a_removal_needs_yes(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let message = error(&sandbox, &["family", "remove", "rivera"]);
    assert!(message.contains("task: 1") && message.ends_with("; add --yes to do it without a terminal"), "{message}");
    let message = error(&sandbox, &["user", "remove", EMAIL]);
    assert!(
        message.contains("the user ana") && message.ends_with("; add --yes to do it without a terminal"),
        "{message}"
    );
    assert_eq!(json(&sandbox, &["family", "list"]).len(), 2);
    assert_eq!(json(&sandbox, &["user", "list"]).len(), 4);
}
