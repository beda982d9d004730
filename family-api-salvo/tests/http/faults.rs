//! Failures of the storage, the session store or a handler are 503 or 500, and never 401, 404 or an empty result.

use std::sync::Arc;

use family_api_core::calendar::Zone;
use family_api_core::key::{IntegrationKey, KeyMode};
use family_api_core::storage::{Account, FoundKey, KeyState, Membership, StorageError};
use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{Answer, App, FaultyStorage, NOW};

const CANARY: &str = "canary-of-a-fault";

/// Requests that reach each storage method after authentication.
const REQUESTS: [(bool, &str, &str, &str); 14] = [
    (true, "GET", "/api/v1/me", ""),
    (true, "GET", "/api/v1/read/tasks", ""),
    (true, "GET", "/api/v1/read/events", ""),
    (true, "GET", "/api/mcp/read/shopping", ""),
    (true, "GET", "/api/mcp/read/notes", ""),
    (true, "GET", "/api/v1/read/task_stats", ""),
    (true, "PATCH", "/api/v1/tasks/x", "{}"),
    (true, "PATCH", "/api/v1/notes/x", "{}"),
    (true, "DELETE", "/api/v1/notes/x", ""),
    (false, "GET", "/api/users/me", ""),
    (false, "PATCH", "/api/users/me", "{}"),
    (false, "POST", "/api/users/me/mcp-tokens", r#"{"mode":"mcp_read"}"#),
    (false, "GET", "/api/users/me/mcp-tokens", ""),
    (false, "DELETE", "/api/users/me/mcp-tokens/x", ""),
];

fn account() -> Account {
    Account {
        user: "ann".parse().unwrap(),
        membership: Some(Membership { family: "berg".parse().unwrap(), revision: None }),
        personal_api_enabled: true,
        zone: Zone::utc(),
    }
}

fn found() -> FoundKey {
    let key = IntegrationKey {
        id: "key".parse().unwrap(),
        mode: None,
        scopes: KeyMode::V1ReadWrite.scopes(),
        name: None,
        hint: String::new(),
        created_at: NOW.parse().unwrap(),
        expires_at: None,
        last_used_at: None,
    };
    FoundKey { key, state: KeyState::Active, account: Some(account()) }
}

/// A storage that authenticates every caller, and then fails.
fn failing(fault: fn(&'static str) -> StorageError) -> FaultyStorage {
    let mut storage = FaultyStorage::new();
    storage.expect_find_key().returning(|_| Ok(Some(found())));
    storage.expect_find_account().returning(|_| Ok(Some(account())));
    storage.expect_insert_key().returning(move |_, _| Err(fault(CANARY)));
    storage.expect_list_keys().returning(move |_, _| Err(fault(CANARY)));
    storage.expect_revoke_key().returning(move |_, _, _| Err(fault(CANARY)));
    storage.expect_find_profile().returning(move |_| Err(fault(CANARY)));
    storage.expect_update_profile().returning(move |_, _, _| Err(fault(CANARY)));
    storage.expect_list_tasks().returning(move |_, _| Err(fault(CANARY)));
    storage.expect_list_events().returning(move |_, _| Err(fault(CANARY)));
    storage.expect_list_shopping().returning(move |_| Err(fault(CANARY)));
    storage.expect_list_notes().returning(move |_| Err(fault(CANARY)));
    storage.expect_record_uses().returning(move |_, _| Err(fault(CANARY)));
    storage.expect_find_task_stats().returning(move |_, _| Err(fault(CANARY)));
    storage.expect_update_task().returning(move |_, _, _, _, _, _| Err(fault(CANARY)));
    storage.expect_update_note().returning(move |_, _, _, _, _| Err(fault(CANARY)));
    storage.expect_delete_note().returning(move |_, _, _, _| Err(fault(CANARY)));
    storage
}

/// A storage that fails during authentication.
fn failing_authentication(fault: fn(&'static str) -> StorageError) -> FaultyStorage {
    let mut storage = FaultyStorage::new();
    storage.expect_find_key().returning(move |_| Err(fault(CANARY)));
    storage.expect_find_account().returning(move |_| Err(fault(CANARY)));
    storage
}

async fn answers(app: &App) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (by_token, method, path, body) in REQUESTS {
        let method: Method = method.parse().unwrap();
        answers.push(match (by_token, body) {
            (true, "") => app.with_token("ann-rw", method, path).await,
            (true, body) => app.write_with_token("ann-rw", method, path, body).await,
            (false, "") => app.in_session("ann", method, path).await,
            (false, body) => app.write_in_session("ann", method, path, body).await,
        });
    }
    answers
}

#[track_caller]
fn hides_the_cause(answer: &Answer) {
    assert!(!answer.text().contains("canary"), "{answer:?}");
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    assert_eq!(answer.header("www-authenticate"), None);
    assert!(answer.header("vary").is_some());
}

#[tokio::test]
async fn unreachable_storage_is_unavailable_on_every_route() {
    for storage in [failing_authentication, failing] {
        let app = App::over(Arc::new(storage(StorageError::unavailable)));
        for answer in answers(&app).await {
            hides_the_cause(answer.is(503, "unavailable"));
            assert_eq!(answer.header("retry-after"), Some("1"));
        }
    }
}

#[tokio::test]
async fn other_storage_errors_are_internal_on_every_route() {
    let faults: [fn(&'static str) -> StorageError; 2] = [StorageError::corrupt, StorageError::backend];
    for fault in faults {
        for storage in [failing_authentication, failing] {
            let app = App::over(Arc::new(storage(fault)));
            for answer in answers(&app).await {
                hides_the_cause(answer.is(500, "internal"));
                assert_eq!(answer.header("retry-after"), None);
            }
        }
    }
}

#[tokio::test]
async fn panic_in_the_storage_is_internal() {
    let mut storage = FaultyStorage::new();
    storage.expect_find_key().returning(|_| panic!("{CANARY}"));
    storage.expect_find_account().returning(|_| panic!("{CANARY}"));
    let app = App::over(Arc::new(storage));
    for answer in answers(&app).await {
        hides_the_cause(answer.is(500, "internal"));
    }
}

on_every_storage! {
    async fn panic_in_the_authenticator_is_internal(app: App) {
        let answer = app.in_session("*panic*", Method::GET, "/api/users/me").await;
        hides_the_cause(answer.is(500, "internal"));
    }

    async fn unreachable_session_store_is_unavailable(app: App) {
        let answer = app.in_session("*unreachable*", Method::GET, "/api/users/me").await;
        assert_eq!(answer.is(503, "unavailable").header("retry-after"), Some("1"));
    }
}
