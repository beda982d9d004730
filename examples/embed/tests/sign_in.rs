//! Sign-in, sign-out, and the bodies of the app's own routes.

use jiff::SignedDuration;
use salvo::http::Method;
use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use salvo::test::TestClient;
use serde_json::json;

use crate::support::{App, KEYS};

#[tokio::test]
async fn code_is_valid_once_and_for_fifteen_minutes() {
    let app = App::start().await;
    let code = app.issue_code("ines").await;
    let (_, session) = app.redeem_code(&code).await.unwrap();
    assert!(app.redeem_code(&code).await.is_none());
    assert!(app.redeem_code(&session["hearth=".len()..]).await.is_none());
    let code = app.issue_code("ines").await;
    app.clock.advance(SignedDuration::from_mins(15));
    assert!(app.redeem_code(&code).await.is_none());
}

#[tokio::test]
async fn session_expires_after_thirty_days() {
    let app = App::start().await;
    let ines = app.sign_in("ines").await;
    app.clock.advance(SignedDuration::from_hours(30 * 24) - SignedDuration::from_millis(1));
    assert_eq!(app.send(&ines, Method::GET, "household", None).await.0, 200);
    assert_eq!(app.send(&ines, Method::GET, KEYS, None).await.0, 200);
    app.clock.advance(SignedDuration::from_millis(1));
    assert_eq!(app.send(&ines, Method::GET, "household", None).await.0, 401);
    assert_eq!(app.send(&ines, Method::GET, KEYS, None).await.0, 401);
}

#[tokio::test]
async fn sign_out_ends_all_sessions_of_the_caller_only() {
    let app = App::start().await;
    let (here, elsewhere, joao) = (app.sign_in("ines").await, app.sign_in("ines").await, app.sign_in("joao").await);
    assert_eq!(app.send(&here, Method::DELETE, "sign-in", None).await.0, 200);
    for session in [&here, &elsewhere] {
        assert_eq!(app.send(session, Method::GET, "household", None).await.0, 401);
        assert_eq!(app.send(session, Method::GET, KEYS, None).await.0, 401);
        assert_eq!(app.send(session, Method::DELETE, "sign-in", None).await.0, 401);
    }
    assert_eq!(app.send(&joao, Method::GET, "household", None).await.0, 200);
}

#[tokio::test]
async fn creating_a_code_deletes_expired_codes_and_sessions() {
    let app = App::start().await;
    app.sign_in("ines").await;
    app.issue_code("joao").await;
    let count = async || {
        let query = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM ticket");
        query.fetch_one(&app.database.hearth.readers).await.unwrap()
    };
    assert_eq!(count().await, 2);
    app.clock.advance(SignedDuration::from_mins(15));
    app.issue_code("joao").await;
    assert_eq!(count().await, 2);
    app.clock.advance(SignedDuration::from_hours(30 * 24));
    app.issue_code("joao").await;
    assert_eq!(count().await, 1);
}

#[tokio::test]
async fn sign_in_response_is_not_cached() {
    let app = App::start().await;
    for code in [app.issue_code("ines").await, "none".to_owned()] {
        let request = TestClient::post("http://127.0.0.1/sign-in").json(&json!({ "code": code }));
        assert_eq!(request.send(&app.service).await.headers()[CACHE_CONTROL], "no-store");
    }
}

#[tokio::test]
async fn add_chore_refuses_invalid_bodies() {
    let app = App::start().await;
    let ines = app.sign_in("ines").await;
    for (media_type, body, status) in [
        ("application/json", r#"{"title": "Sweep"}"#.to_owned(), 200),
        ("application/json", format!(r#"{{"title": "{}"}}"#, "ß".repeat(500)), 200),
        ("application/json", format!(r#"{{"title": "{}"}}"#, "ß".repeat(501)), 422),
        ("application/json", r#"{"title": " "}"#.to_owned(), 422),
        ("application/json", r#"{"title": "a\u0000b"}"#.to_owned(), 422),
        ("application/json", r#"{"title": 1}"#.to_owned(), 422),
        ("application/json", r#"{"title": "x", "state": "done"}"#.to_owned(), 422),
        ("application/json", "{}".to_owned(), 422),
        ("application/json", r#"{"title": "x", "title": "y"}"#.to_owned(), 400),
        ("application/json", "title".to_owned(), 400),
        ("text/plain", r#"{"title": "x"}"#.to_owned(), 415),
        ("application/json", " ".repeat(64 * 1024 + 1), 413),
    ] {
        let request = TestClient::post("http://127.0.0.1/household/chores").add_header(&ines.0, &ines.1, true);
        let excerpt = body.chars().take(60).collect::<String>();
        let request = request.add_header(CONTENT_TYPE, media_type, true).body(body);
        assert_eq!(request.send(&app.service).await.status_code.unwrap().as_u16(), status, "{excerpt}");
    }
}
