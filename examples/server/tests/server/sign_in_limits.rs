//! Rate limits of sign-ins.

use std::sync::Arc;

use serde_json::Value;
use tokio::task::JoinSet;

use crate::backend::Backend;
use crate::client::{in_session, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

const ANA: &str = "ana@family.example";
const NOBODY: &str = "nobody@family.example";

#[tokio::test]
async fn ten_failures_block_one_address_even_if_no_user_has_it() {
    let (_sandbox, server) = Sandbox::with_families(Backend::Sqlite).await.served();
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    let mut responses = Vec::new();
    for email in [ANA, NOBODY] {
        // The limit refills by one attempt in six seconds, so a slow machine may make more than ten.
        let mut failed = 0;
        let refused = loop {
            let answer = sign_in(&server, email, "wrong").await;
            if answer.status == 429 {
                break answer;
            }
            assert_eq!(answer.problem(), (401, "not_signed_in".to_owned()));
            failed += 1;
            assert!(failed < 30);
        };
        assert!(failed >= 10, "{failed}");
        assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=6).contains(&wait), "{wait}");
        assert_eq!((refused.header("cache-control"), refused.header("vary")), (Some("no-store"), Some("Cookie")));
        responses.push(refused.text.replace(refused.header("x-request-id").unwrap(), ""));
    }
    assert_eq!(responses[0], responses[1]);
    // Open sessions continue, and other users can sign in from the same address.
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
    assert_eq!(sign_in(&server, "chidi@family.example", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn concurrent_attempts_are_limited_and_successes_not_counted() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let server = Arc::new(sandbox.serve());
    for _ in 0..15 {
        assert_eq!(sign_in(&server, ANA, PASSWORD).await.status, 200);
    }
    let attempt = |_| {
        let server = Arc::clone(&server);
        async move { sign_in(&server, ANA, "wrong").await.status }
    };
    let mut attempts: JoinSet<u16> = (0..30).map(attempt).collect();
    let mut statuses = Vec::new();
    while let Some(status) = attempts.join_next().await {
        statuses.push(status.unwrap());
    }
    let failed = statuses.iter().filter(|status| **status == 401).count();
    assert!((10..20).contains(&failed), "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 401 | 429)), "{statuses:?}");
}

#[tokio::test]
async fn a_throttled_or_refused_request_has_one_line_of_log() {
    let sandbox = Sandbox::on_sqlite().import_families();
    for (filter, options, message) in [
        ("info", &[][..], "audit"),
        ("info", &["--metrics", "127.0.0.1:0"], "audit"),
        ("info,family_api_server::audit=off", &[], "request"),
        ("info,family_api_server::audit=off", &["--metrics", "127.0.0.1:0"], "request"),
        ("family_api_server::audit=info", &[], "audit"),
    ] {
        let arguments = [&["--log", "json", "--rate-limit", "1"], options].concat();
        let server = sandbox.serve_with(&arguments, &[("FAMILY_API_LOG", filter)]);
        let throttled = loop {
            let answer = sign_in(&server, NOBODY, "wrong").await;
            if answer.status == 429 {
                break answer.header("x-request-id").unwrap().to_owned();
            }
        };
        // The second request with the key exceeds its rate limit.
        let key = create_key(&server, &session_cookie(&server, "ana").await).await.token;
        assert_eq!(with_token(&server, &key, "GET", "/api/v1/me", None).await.status, 200);
        let mut refused = vec![throttled];
        for (token, status) in [(key.as_str(), 429), ("fam_malformed", 401), ("unknown", 401)] {
            let answer = with_token(&server, token, "GET", "/api/v1/me", None).await;
            assert_eq!(answer.status, status, "{token}");
            refused.push(answer.header("x-request-id").unwrap().to_owned());
        }
        assert!(server.stop().success());
        let log = sandbox.log();
        for id in refused {
            let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let of_request = lines.filter(|line| line["request_id"] == id.as_str());
            let messages: Vec<Value> = of_request.map(|mut line| line["message"].take()).collect();
            assert_eq!(messages, [message], "{filter} {options:?}: {log}");
        }
    }
}
