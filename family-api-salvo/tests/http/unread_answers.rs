//! The limit of unread responses. Here, a response is unread until the test drops it.

use family_api_salvo::{FamilyRoutes, UnreadAnswers};
use salvo::Router;
use salvo::http::Method;
use serde_json::json;

use crate::storages::{OnStorage, StorageKind};
use crate::support::{Answer, App, CookieUser, anonymous, bearer};

const NOTE: &str = "/api/v1/notes/note-berg";
const NOTES: &str = "/api/v1/read/notes";

async fn app(mount: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> App {
    let app = App::on(StorageKind::Memory).await;
    app.mounted(|api| Router::new().push(mount(FamilyRoutes::new(api).session(CookieUser)).into_router()))
}

async fn limited(bytes: usize) -> App {
    app(|routes| routes.unread_answers(UnreadAnswers::of_bytes(bytes))).await
}

/// Sets the note's content to this many bytes.
async fn patch(app: &App, bytes: usize) -> Answer {
    write(app, &"x".repeat(bytes)).await
}

/// Sets the note's content to the maximum, 800 KB. The default limit is then reached before the key's rate limit.
async fn patch_longest(app: &App) -> Answer {
    write(app, &"😀".repeat(200_000)).await
}

async fn write(app: &App, content: &str) -> Answer {
    let body = json!({ "content": content });
    app.write_with_token("ann-rw", Method::PATCH, NOTE, body.to_string()).await
}

async fn read(app: &App) -> Answer {
    app.with_token("ann-read", Method::GET, NOTES).await
}

#[tokio::test]
async fn reads_are_refused_until_a_response_is_read() {
    let app = limited(150_000).await;
    let patched = patch(&app, 100_000).await;
    let first = read(&app).await;
    patched.is_ok();
    first.is_ok();
    let refused = read(&app).await;
    refused.is(503, "unavailable");
    for (name, value) in [("retry-after", "1"), ("cache-control", "private, no-cache")] {
        assert_eq!(refused.header(name), Some(value), "{name}");
    }
    assert!(refused.header("etag").is_none() && refused.header("content-encoding").is_none());
    app.with_token("ann-mcp", Method::GET, "/api/mcp/read/notes").await.is(503, "unavailable");
    drop(patched);
    read(&app).await.is_ok();
    drop(first);
    read(&app).await.is_ok();
}

#[tokio::test]
async fn change_is_refused_before_it_is_made() {
    let app = limited(100_000).await;
    patch(&app, 100_000).await.is_ok();
    let unread = read(&app).await;
    patch(&app, 0).await.is(503, "unavailable");
    let body = json!({ "content": "" }).to_string();
    app.write_in_session("ann", Method::PATCH, "/api/notes/note-berg", body).await.is(503, "unavailable");
    drop(unread);
    assert!(read(&app).await.text().contains(&"x".repeat(100_000)));
    patch(&app, 0).await.is_ok();
}

#[tokio::test]
async fn small_responses_are_neither_counted_nor_refused() {
    let app = limited(20_000).await;
    let mut small = Vec::new();
    for _ in 0..100 {
        small.push(read(&app).await);
    }
    patch(&app, 20_000).await.is_ok();
    let large = read(&app).await;
    large.is_ok();
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is_ok();
    app.with_token("ann-read", Method::GET, "/api/v1/read/events").await.is_ok();
    let known = bearer("ann-read", Method::GET, NOTES).add_header("if-none-match", large.header("etag").unwrap(), true);
    assert_eq!(app.send(known).await.status, 304);
    let coded = app.send(bearer("ann-read", Method::GET, NOTES).add_header("accept-encoding", "zstd", true)).await;
    assert_eq!((coded.status, coded.header("content-encoding")), (200, Some("zstd")));
    let body = r#"{"mode":"mcp_read"}"#;
    let key = app.write_in_session("ann", Method::POST, "/api/users/me/mcp-tokens", body).await;
    assert_eq!(key.status, 201);
    assert!(small.iter().map(|answer| answer.body.len()).sum::<usize>() > 20_000);
    read(&app).await.is(503, "unavailable");
}

#[tokio::test]
async fn response_above_the_limit_is_sent_if_no_other_is_unread() {
    let app = limited(1).await;
    patch(&app, 100_000).await.is_ok();
    let unread = read(&app).await;
    unread.is_ok();
    read(&app).await.is(503, "unavailable");
}

#[tokio::test]
async fn host_can_share_or_remove_the_limit() {
    let limit = UnreadAnswers::of_bytes(100_000);
    let one = app(|routes| routes.unread_answers(limit.clone())).await;
    let other = app(|routes| routes.unread_answers(limit)).await;
    patch(&one, 100_000).await.is_ok();
    patch(&other, 100_000).await.is_ok();
    let unread = read(&one).await;
    read(&other).await.is(503, "unavailable");
    drop(unread);
    read(&other).await.is_ok();

    let unlimited = app(|routes| routes.without_unread_limit().without_body_limit()).await;
    let mut unread = vec![patch_longest(&unlimited).await];
    for _ in 0..100 {
        unread.push(read(&unlimited).await);
    }
    assert!(unread.iter().all(|answer| answer.status == 200));
}

#[tokio::test]
async fn default_limit_is_64_mib() {
    let app = app(FamilyRoutes::without_body_limit).await;
    let mut unread = vec![patch_longest(&app).await];
    while unread.len() < 200 {
        let answer = read(&app).await;
        if answer.status != 200 {
            answer.is(503, "unavailable");
            break;
        }
        unread.push(answer);
    }
    let bytes: usize = unread.iter().map(|answer| answer.body.len()).sum();
    assert!((64 << 20..(64 << 20) + 810_000).contains(&bytes), "{bytes}");
}

#[tokio::test]
async fn openapi_responses_share_their_bytes() {
    let app = app(|routes| routes).await;
    let first = app.send(anonymous(Method::GET, "/openapi.json")).await;
    let second = app.send(anonymous(Method::GET, "/openapi.json")).await;
    assert_eq!(first.is_ok().body.as_ptr(), second.is_ok().body.as_ptr());
}
