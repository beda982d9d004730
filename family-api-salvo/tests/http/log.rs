//! Faults of the session store, and the log: it contains the cause and the request id of an error, and never a secret.

use std::sync::{Arc, LazyLock};

use family_api_core::storage::StorageError;
use salvo::http::Method;

use crate::fault_sweep::assert_cause_is_hidden;
use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, LOG, MockStorage, anonymous, session, token};

#[tokio::test]
async fn error_cause_is_logged_with_the_request_id() {
    LazyLock::force(&LOG);
    for (fault, level, code) in [
        (StorageError::backend as fn(&'static str) -> StorageError, "ERROR", "internal"),
        (StorageError::unavailable, "WARN", "unavailable"),
    ] {
        let mut storage = MockStorage::new();
        storage.expect_find_account().returning(move |_| Err(fault("test cause")));
        let app = App::with_storage(Arc::new(storage));
        let id = format!("fault-{code}");
        let request = session("ann", Method::GET, "/api/users/me").add_header("x-request-id", &id, true);
        assert_eq!(app.send(request).await.problem_code(), code);
        LOG.assert_line_with(&[level, &id, "test cause"]);
    }
}

#[tokio::test]
async fn a_session_of_an_unknown_user_is_named_in_the_log_once_a_minute() {
    LazyLock::force(&LOG);
    let app = App::on(StorageKind::Memory).await;
    for _ in 0..3 {
        let response = app.send_in_session("unknown-41", Method::GET, "/api/users/me").await;
        response.assert_problem(401, "not_signed_in");
    }
    let log = LOG.text();
    let warnings: Vec<_> = log.lines().filter(|line| line.contains("names user unknown-41")).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(" WARN "), "{warnings:?}");
    assert!(warnings[0].ends_with("the session names user unknown-41, whom the storage does not have"), "{warnings:?}");
}

on_every_storage! {
    async fn unreachable_session_store_gets_503(app: App) {
        let response = app.send_in_session("*unreachable*", Method::GET, "/api/users/me").await;
        assert_eq!(response.assert_problem(503, "unavailable").header("retry-after"), Some("1"));
    }

    async fn panic_is_logged_with_the_request_id_but_no_message(app: App) {
        LazyLock::force(&LOG);
        let response = app.send_in_session("*panic*", Method::GET, "/api/users/me").await;
        assert_cause_is_hidden(&response);
        let id = response.assert_problem(500, "internal").header("x-request-id").unwrap();
        LOG.assert_line_with(&["ERROR", id, "panicked"]);
        assert!(!LOG.text().contains("canary-of-a-panic"));
    }

    async fn key_plaintext_is_never_logged(app: App) {
        LazyLock::force(&LOG);
        let keys = "/api/users/me/mcp-tokens";
        let created = app.send_json_in_session("ann", Method::POST, keys, r#"{"mode":"v1_read"}"#).await;
        let created = created.json()["token"].as_str().unwrap().to_owned();
        let altered = format!("{created}x");
        for secret in [created, token("ann-rw"), token("ann-revoked"), altered, "never-seen-before".to_owned()] {
            app.send(anonymous(Method::GET, "/api/v1/me").bearer_auth(&secret)).await;
            app.send(anonymous(Method::GET, "/api/v1/unknown").bearer_auth(&secret)).await;
            assert!(!LOG.text().contains(&secret));
        }
        tracing::trace!("the subscriber is active");
        LOG.assert_line_with(&["TRACE", "the subscriber is active"]);
    }
}
