//! The limit of unread responses: responses that the client has not received completely. In these tests, a response is
//! unread until the test drops it.

use family_api_salvo::{FamilyRoutes, UnreadResponseLimit};
use salvo::http::Method;
use serde_json::json;

use crate::storages::{OnStorage, StorageKind};
use crate::support::{App, TestResponse, anonymous, bearer};

const NOTE: &str = "/api/v1/notes/note-berg";
const NOTES: &str = "/api/v1/read/notes";

async fn app_with(configure: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> App {
    App::on(StorageKind::Memory).await.configured(configure)
}

async fn app_with_limit(bytes: usize) -> App {
    app_with(|routes| routes.unread_response_limit(UnreadResponseLimit::of_bytes(bytes))).await
}

/// Sets the note's content to this many bytes.
async fn patch_to_length(app: &App, bytes: usize) -> TestResponse {
    patch_content(app, &"x".repeat(bytes)).await
}

/// Sets the note's content to the maximum size, 800 KB. 200 reads then reach the default limit before the key's rate
/// limit of 300 requests.
async fn patch_longest(app: &App) -> TestResponse {
    patch_content(app, &"😀".repeat(200_000)).await
}

async fn patch_content(app: &App, content: &str) -> TestResponse {
    let body = json!({ "content": content });
    app.send_json_with_token("ann-rw", Method::PATCH, NOTE, body.to_string()).await
}

async fn read(app: &App) -> TestResponse {
    app.send_with_token("ann-read", Method::GET, NOTES).await
}

#[tokio::test]
async fn reads_are_refused_until_a_response_is_read() {
    let app = app_with_limit(250_000).await;
    patch_to_length(&app, 100_000).await.assert_ok();
    let (first, second) = (read(&app).await, read(&app).await);
    first.assert_ok();
    second.assert_ok();
    let refused = read(&app).await;
    refused.assert_problem(503, "unavailable");
    for (name, value) in [("retry-after", "1"), ("cache-control", "private, no-cache")] {
        assert_eq!(refused.header(name), Some(value), "{name}");
    }
    assert!(refused.header("etag").is_none() && refused.header("content-encoding").is_none());
    app.send_with_token("ann-mcp", Method::GET, "/api/mcp/read/notes").await.assert_problem(503, "unavailable");
    drop(first);
    read(&app).await.assert_ok();
    drop(second);
    read(&app).await.assert_ok();
}

#[tokio::test]
async fn refused_patch_does_not_change_the_note() {
    let app = app_with_limit(400_000).await;
    let unread = patch_to_length(&app, 100_000).await;
    unread.assert_ok();
    patch_to_length(&app, 0).await.assert_problem(503, "unavailable");
    let body = json!({ "content": "" }).to_string();
    app.send_json_in_session("ann", Method::PATCH, "/api/notes/note-berg", body)
        .await
        .assert_problem(503, "unavailable");
    drop(unread);
    assert!(read(&app).await.text().contains(&"x".repeat(100_000)));
    patch_to_length(&app, 0).await.assert_ok();
}

#[tokio::test]
async fn unread_documents_do_not_prevent_changes() {
    let app = app_with_limit(100_000).await;
    patch_to_length(&app, 100_000).await.assert_ok();
    let _unread = read(&app).await;
    read(&app).await.assert_problem(503, "unavailable");
    patch_to_length(&app, 10).await.assert_ok();
}

#[tokio::test]
async fn small_responses_are_neither_counted_nor_refused() {
    let app = app_with_limit(20_000).await;
    let mut small = Vec::new();
    for _ in 0..100 {
        small.push(read(&app).await);
    }
    patch_to_length(&app, 20_000).await.assert_ok();
    let large = read(&app).await;
    large.assert_ok();
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
    app.send_with_token("ann-read", Method::GET, "/api/v1/read/events").await.assert_ok();
    let known = bearer("ann-read", Method::GET, NOTES).add_header("if-none-match", large.header("etag").unwrap(), true);
    assert_eq!(app.send(known).await.status, 304);
    let coded = app.send(bearer("ann-read", Method::GET, NOTES).add_header("accept-encoding", "zstd", true)).await;
    assert_eq!((coded.status, coded.header("content-encoding")), (200, Some("zstd")));
    let body = r#"{"mode":"mcp_read"}"#;
    let key = app.send_json_in_session("ann", Method::POST, "/api/users/me/mcp-tokens", body).await;
    assert_eq!(key.status, 201);
    assert!(small.iter().map(|response| response.body.len()).sum::<usize>() > 20_000);
    read(&app).await.assert_problem(503, "unavailable");
}

#[tokio::test]
async fn response_above_the_limit_is_sent_if_it_is_the_only_one() {
    let app = app_with_limit(1).await;
    patch_to_length(&app, 100_000).await.assert_ok();
    let unread = read(&app).await;
    unread.assert_ok();
    read(&app).await.assert_problem(503, "unavailable");
}

#[tokio::test]
async fn host_can_share_or_remove_the_unread_limit() {
    let limit = UnreadResponseLimit::of_bytes(100_000);
    let one = app_with(|routes| routes.unread_response_limit(limit.clone())).await;
    let other = app_with(|routes| routes.unread_response_limit(limit)).await;
    patch_to_length(&one, 100_000).await.assert_ok();
    patch_to_length(&other, 100_000).await.assert_ok();
    let unread = read(&one).await;
    read(&other).await.assert_problem(503, "unavailable");
    drop(unread);
    read(&other).await.assert_ok();

    let unlimited = app_with(|routes| routes.without_unread_response_limit().without_body_limit()).await;
    let mut unread = vec![patch_longest(&unlimited).await];
    for _ in 0..100 {
        unread.push(read(&unlimited).await);
    }
    assert!(unread.iter().all(|response| response.status == 200));
}

#[tokio::test]
async fn default_unread_limit_is_64_mib() {
    let app = app_with(FamilyRoutes::without_body_limit).await;
    patch_longest(&app).await.assert_ok();
    let mut unread = vec![];
    while unread.len() < 200 {
        let response = read(&app).await;
        if response.status != 200 {
            response.assert_problem(503, "unavailable");
            break;
        }
        unread.push(response);
    }
    let bytes: usize = unread.iter().map(|response| response.body.len()).sum();
    assert!(((64 << 20) - 810_000..=64 << 20).contains(&bytes), "{bytes}");
}

#[tokio::test]
async fn openapi_responses_share_their_bytes() {
    let app = app_with(|routes| routes).await;
    let first = app.send(anonymous(Method::GET, "/openapi.json")).await;
    let second = app.send(anonymous(Method::GET, "/openapi.json")).await;
    assert_eq!(first.assert_ok().body.as_ptr(), second.assert_ok().body.as_ptr());
}
