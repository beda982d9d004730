//! Expired sessions are deleted, and session writes are limited.

use std::time::Instant;

use serde_json::json;

use crate::client::{in_session, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;

/// Adds 1,005 sessions of a user. Three of them are expired.
const INSERT_SESSIONS: &str = "
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1005)
    INSERT INTO sessions
    SELECT unhex(printf('%064x', n)), 'ana', '2026-01-01T00:00:00.000Z',
           strftime('%Y-%m-%dT%H:%M:%fZ', 'now', CASE WHEN n <= 3 THEN '-1 day' ELSE '+1 day' END)
    FROM numbers";

#[tokio::test]
async fn a_sign_in_triggers_the_deletion_of_old_sessions() {
    let sandbox = Sandbox::on_sqlite().import_families();
    sandbox.execute(INSERT_SESSIONS).await;
    let server = sandbox.serve();
    let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
    sandbox.wait_for_rows("sessions", 1_000).await;
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
}

#[tokio::test]
async fn a_session_has_60_writes_a_minute_unless_limits_are_off() {
    let sandbox = Sandbox::on_sqlite().import_families();
    for (arguments, last) in [(&[][..], 429), (&["--rate-limit", "off"][..], 200)] {
        let server = sandbox.serve_with(arguments, &[]);
        let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
        let write = async || in_session(&server, &cookie, "PATCH", "/api/users/me", Some(json!({}))).await;
        let started = Instant::now();
        for _ in 0..60 {
            assert_eq!(write().await.status, 200);
        }
        // The limit refills by one write per second, so a slow machine may make more than 60.
        let mut answer = write().await;
        for _ in 0..=started.elapsed().as_secs() {
            if answer.status != 429 {
                answer = write().await;
            }
        }
        assert_eq!(answer.status, last);
        assert_eq!(answer.header("retry-after"), (last == 429).then_some("1"));
    }
}
