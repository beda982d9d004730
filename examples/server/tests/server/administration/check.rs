//! `check` of a sound database.

use family_api_testing::with;
use serde_json::{Value, json};

use crate::administration::{json, output};
use crate::backend::{Backend, on_each_backend};
use crate::family;
use crate::sandbox::Sandbox;

on_each_backend! {
    a_sound_database_is_counted,
    what_is_unusual_is_found,
    an_older_schema_is_not_migrated,
    a_newer_or_changed_schema_fails,
}

const KINDS: [&str; 15] = [
    "family",
    "user",
    "key",
    "calendarFeed",
    "noteCategory",
    "board",
    "column",
    "task",
    "event",
    "shoppingList",
    "shoppingItem",
    "note",
    "deletedRecord",
    "session",
    "connection",
];

async fn a_sound_database_is_counted(backend: Backend) {
    let (sandbox, _server) = Sandbox::with_families(backend).await.served();
    let checked = json(&sandbox, &["check"]);
    let [checked] = checked.as_slice() else { panic!("{checked:?}") };
    assert_eq!(checked["schema"], json!({ "pending": [], "unknown": [], "changed": [] }));
    assert_eq!(checked["damage"], json!([]));
    assert_eq!(KINDS.map(|kind| &checked["counts"][kind]), [2, 4, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0]);
    let without_family = json!({
        "name": "usersWithoutFamily", "description": "users without a family", "count": 1, "examples": ["dora"],
    });
    assert_eq!(checked["unusual"], json!([without_family]));
    let text = output(&sandbox, &["check"]);
    for line in ["schema: current", "damage: none", "user                  4", "  users without a family: 1 (dora)"] {
        assert!(text.lines().any(|printed| printed == line), "{line}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    output(&sandbox, &["user", "move", "dora@family.example", "--family", "okafor"]);
    assert!(output(&sandbox, &["check"]).ends_with("unusual: none\n"));
}

/// Records that the statements of [`unusual_statements`] change.
fn more_records() -> Vec<Value> {
    let key = |id: &str, user: &str, digit: &str| {
        with(family::key(id, user, &digit.repeat(64)), json!({ "scopes": ["mcp.read", "v1.read"] }))
    };
    let mut lines = vec![
        family::family("empty"),
        family::user("eve", None, None),
        key("old", "ana", "1"),
        key("unused", "ana", "2"),
        key("blocked", "chidi", "3"),
        key("future", "ana", "4"),
        family::feed("old", "ana", &"1".repeat(64)),
        family::feed("future", "ana", &"2".repeat(64)),
    ];
    lines.extend((0..451).map(|n| family::category(&format!("c{n}"), "okafor", None)));
    lines
}

/// Statements that make something unusual, each with the finding.
fn unusual_statements(backend: Backend) -> Vec<(&'static str, String)> {
    let bytes = |hex: &str| match backend {
        Backend::Sqlite => format!("unhex('{}')", hex.repeat(32)),
        Backend::Postgres => format!("decode('{}', 'hex')", hex.repeat(32)),
    };
    let list = if backend == Backend::Sqlite { "'[]'" } else { "'{}'" };
    let grant = |id: &str, user: &str, code: &str, expires: &str, revoked: &str| {
        format!(
            "INSERT INTO grants (id, user_id, client_id, client_host, redirect_uri, surface, scopes, challenge, code,
                                 access_token, created_at, expires_at, revoked_at)
            VALUES ('{id}', '{user}', 'c', 'h', 'r', 'v1', {list}, {code}, {code}, {code}, '2026-01-01T00:00:00.000Z',
                    '{expires}', {revoked})",
            code = bytes(code),
        )
    };
    let far = "2999-01-01T00:00:00.000Z";
    let past = "2020-01-01T00:00:00.000Z";
    vec![
        ("emailsWithCapitals", "UPDATE users SET email = 'ANA@family.example' WHERE id = 'eve'".to_owned()),
        ("familiesWithoutUsers", String::new()),
        ("manyNoteCategories", String::new()),
        ("wrongRevisions", "UPDATE families SET revision = -5 WHERE id = 'empty'".to_owned()),
        ("futureFamilies", format!("UPDATE families SET created_at = '{far}' WHERE id = 'empty'")),
        ("futureUsers", format!("UPDATE users SET updated_at = '{far}' WHERE id = 'ben'")),
        ("boardsWithoutOwner", "UPDATE boards SET owner_user_id = 'chidi', is_private = true".to_owned()),
        ("unseenBoards", String::new()),
        ("shoppingListsWithoutOwner", "UPDATE shopping_lists SET owner_user_id = 'gone', is_private = true".to_owned()),
        ("unseenShoppingLists", String::new()),
        (
            "tasksWithoutAssignee",
            "UPDATE tasks SET assignee_id = 'gone', is_private = true, creator_id = NULL".to_owned(),
        ),
        ("unseenTasks", String::new()),
        ("eventsWithoutAssignee", "UPDATE events SET assignee_id = 'dora'".to_owned()),
        ("unseenShoppingItems", "UPDATE shopping_items SET is_private = true, added_by_id = 'dora'".to_owned()),
        (
            "wrongTaskBounds",
            "UPDATE families SET tasks_bound = 0, notes_bound = 0, events_bound = 0, shopping_items_bound = 0"
                .to_owned(),
        ),
        ("wrongNoteBounds", String::new()),
        ("wrongEventBounds", String::new()),
        ("wrongShoppingItemBounds", String::new()),
        ("oldKeys", format!("UPDATE integration_keys SET revoked_at = '{past}' WHERE id = 'old'")),
        ("unusedKeys", format!("UPDATE integration_keys SET last_used_at = '{past}' WHERE id = 'unused'")),
        ("blockedKeys", "UPDATE users SET personal_api_enabled = false WHERE id = 'chidi'".to_owned()),
        ("keysOfUnknownUser", "UPDATE integration_keys SET user_id = 'gone' WHERE id = 'old'".to_owned()),
        ("futureKeys", format!("UPDATE integration_keys SET last_used_at = '{far}' WHERE id = 'future'")),
        (
            "feedsOfUnknownUser",
            format!("UPDATE calendar_feeds SET user_id = 'gone', expires_at = '{past}' WHERE id = 'old'"),
        ),
        ("oldFeeds", String::new()),
        ("unreadableFeeds", "DELETE FROM calendar_ids".to_owned()),
        ("futureFeeds", format!("UPDATE calendar_feeds SET created_at = '{far}' WHERE id = 'future'")),
        ("revokedConnectionsWithToken", grant("revoked", "ana", "01", far, &format!("'{past}'"))),
        ("connectionsOfUnknownUser", grant("unknown", "gone", "02", far, "NULL")),
        ("oldConnections", grant("expired", "ana", "03", past, "NULL")),
        (
            "oldSessions",
            format!(
                "INSERT INTO sessions (digest, user_id, created_at, expires_at)
                VALUES ({}, 'ana', '{past}', '{past}')",
                bytes("04")
            ),
        ),
        (
            "oldDeletedRecords",
            format!(
                "INSERT INTO deleted_records (family_id, kind, id, record, deleted_at)
                VALUES ('rivera', 'note', 'gone', '{{}}', '{past}')"
            ),
        ),
        (
            "oldChanges",
            format!(
                "INSERT INTO changes (family_id, revision, ordinal, since, kind, id, changed_at)
                VALUES ('rivera', 2, 0, 1, 'note', 'gone', '{past}')"
            ),
        ),
        (
            "oldIdempotencyKeys",
            format!(
                "INSERT INTO idempotency_keys (family_id, user_id, key, request, kind, record_id, created_at)
                VALUES ('rivera', 'ana', 'k', {}, 'note', 'wifi', '{past}')",
                bytes("05")
            ),
        ),
    ]
}

async fn what_is_unusual_is_found(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await.import_lines(more_records());
    let statements = unusual_statements(backend);
    for (_, sql) in statements.iter().filter(|(_, sql)| !sql.is_empty()) {
        sandbox.execute(sql).await;
    }
    if backend == Backend::Postgres {
        sandbox.execute("UPDATE users SET family_id = 'nowhere' WHERE id = 'eve'").await;
    }
    let checked = json(&sandbox, &["check"]).remove(0);
    let findings = checked["unusual"].as_array().unwrap();
    let finding = |name: &str| findings.iter().find(|finding| finding["name"] == name);
    for (name, _) in &statements {
        assert!(finding(name).is_some(), "{name}: {checked:#}");
    }
    let unknown = usize::from(backend == Backend::Postgres);
    assert_eq!(finding("usersOfUnknownFamily").is_some(), unknown == 1);
    // Beside them, there are users without a family, and no unexpected finding.
    assert_eq!(findings.len(), statements.len() + 1 + unknown, "{checked:#}");
    let examples = |name: &str| finding(name).unwrap()["examples"].clone();
    assert_eq!(examples("tasksWithoutAssignee"), json!(["rivera/dentist"]));
    assert_eq!(examples("emailsWithCapitals"), json!(["eve"]));
    assert_eq!(examples("manyNoteCategories"), json!(["okafor"]));
    assert_eq!(examples("wrongNoteBounds"), json!(["okafor", "rivera"]));
    assert_eq!(examples("unusedKeys"), json!(["unused"]));
    assert_eq!(examples("blockedKeys"), json!(["blocked"]));
    assert_eq!(examples("keysOfUnknownUser"), json!(["old"]));
    assert_eq!(examples("connectionsOfUnknownUser"), json!(["unknown"]));
}

async fn an_older_schema_is_not_migrated(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    sandbox.execute("DELETE FROM _family_api_migrations").await;
    let checked = json(&sandbox, &["check"]).remove(0);
    assert_eq!(checked["schema"]["pending"], json!([1]));
    assert_eq!((&checked["unusual"], &checked["counts"]["user"]), (&Value::Null, &json!(4)));
    let text = output(&sandbox, &["check"]);
    assert!(text.starts_with("schema: older than this version;"), "{text}");
    assert_eq!(sandbox.count_rows("_family_api_migrations").await, 0);
}

async fn a_newer_or_changed_schema_fails(backend: Backend) {
    for (sql, state) in [
        ("UPDATE _family_api_migrations SET version = 99 WHERE version = 1", "unknown"),
        ("UPDATE _family_api_migrations SET checksum = 'other' WHERE version = 1", "changed"),
    ] {
        let sandbox = Sandbox::with_families(backend).await;
        sandbox.execute(sql).await;
        let output = sandbox.run(&["check", "--json"], "");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stderr, "family-api-server: this version cannot use the schema of the database\n");
        let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(checked["schema"][state].as_array().unwrap().len(), 1, "{checked:#}");
        assert_eq!(checked["counts"]["user"], 4);
    }
}
