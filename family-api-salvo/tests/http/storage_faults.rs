//! Failures of the session store get 503 or 500, and never 401. For failures of the storage, see `fault_sweep`.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, TestResponse};

#[track_caller]
pub(crate) fn assert_cause_is_hidden(response: &TestResponse) {
    assert!(!response.text().contains("canary"), "{response:?}");
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    assert_eq!(response.header("www-authenticate"), None);
    assert!(response.header("vary").is_some());
}

on_every_storage! {
    async fn panic_in_the_authenticator_gets_500(app: App) {
        let response = app.send_in_session("*panic*", Method::GET, "/api/users/me").await;
        assert_cause_is_hidden(response.assert_problem(500, "internal"));
    }

    async fn unreachable_session_store_gets_503(app: App) {
        let response = app.send_in_session("*unreachable*", Method::GET, "/api/users/me").await;
        assert_eq!(response.assert_problem(503, "unavailable").header("retry-after"), Some("1"));
    }
}
