//! The response cache and its revalidation.

use family_api_client::{Date, FamilyClient};
use wiremock::matchers::{header, method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::service::{A_NOTE, received_headers};

const NOTES: &str = "/api/v1/read/notes";

fn client(server: &MockServer, cache: Option<usize>) -> FamilyClient {
    let builder = FamilyClient::builder().base_url(server.uri()).token("token").max_retries(0);
    match cache {
        Some(bytes) => builder.cache(bytes),
        None => builder,
    }
    .build()
    .unwrap()
}

fn json(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body.to_owned(), "application/json")
}

/// Returns a list of one note.
fn a_note() -> ResponseTemplate {
    json(&format!("[{A_NOTE}]"))
}

/// Starts a server with notes at version 1. It returns 304 if the client has this version.
async fn server() -> MockServer {
    let server = MockServer::start().await;
    let unchanged = Mock::given(path(NOTES)).and(header("if-none-match", "\"1\""));
    unchanged.respond_with(ResponseTemplate::new(304).insert_header("etag", "\"1\"")).mount(&server).await;
    let whole = a_note().insert_header("etag", "\"1\"");
    Mock::given(method("GET")).and(path(NOTES)).respond_with(whole).mount(&server).await;
    server
}

#[tokio::test]
async fn an_unchanged_response_comes_from_the_cache() {
    let server = server().await;
    let client = client(&server, Some(100_000));
    for _ in 0..2 {
        assert_eq!(client.read().notes().await.unwrap()[0].title, "N");
    }
    assert_eq!(client.clone().read().notes().await.unwrap().len(), 1);
    let tag = Some("\"1\"".to_owned());
    assert_eq!(received_headers(&server, "if-none-match").await, [None, tag.clone(), tag]);
}

#[tokio::test]
async fn a_cached_body_has_the_state_of_the_new_response() {
    let server = MockServer::start().await;
    let unchanged = ResponseTemplate::new(304).insert_header("etag", "\"1\"").insert_header("family-state", "second");
    Mock::given(header("if-none-match", "\"1\"")).respond_with(unchanged).mount(&server).await;
    let whole = a_note().insert_header("etag", "\"1\"").insert_header("family-state", "first");
    Mock::given(path(NOTES)).respond_with(whole).mount(&server).await;
    let client = client(&server, Some(100_000));
    for state in ["first", "second"] {
        let notes = client.read().notes().versioned().await.unwrap();
        assert_eq!((notes[0].title.as_str(), notes.state()), ("N", Some(state)));
    }
}

#[tokio::test]
async fn nothing_is_cached_without_a_cache_or_above_its_limit() {
    for cache in [None, Some(100)] {
        let server = server().await;
        let client = client(&server, cache);
        for _ in 0..2 {
            assert_eq!(client.read().notes().await.unwrap().len(), 1);
        }
        assert_eq!(received_headers(&server, "if-none-match").await, [None, None]);
    }
}

#[tokio::test]
async fn a_read_of_the_version_that_the_caller_has_returns_nothing() {
    for cache in [None, Some(100_000)] {
        let server = server().await;
        let client = client(&server, cache);
        let read = || client.read().notes().versioned();
        let etag = read().await.unwrap().etag().unwrap().clone();
        assert_eq!(read().if_changed_since(&etag).await.unwrap(), None);
        let changed = read().if_changed_since(&"\"0\"".parse().unwrap()).await.unwrap().unwrap();
        assert_eq!((changed[0].title.as_str(), changed.etag()), ("N", Some(&etag)));
        assert!(read().if_changed_since(&etag).raw().await.unwrap().is_none());
        let raw = read().if_changed_since(&"\"0\"".parse().unwrap()).raw().await.unwrap().unwrap();
        assert_eq!((raw.as_str(), raw.etag()), (format!("[{A_NOTE}]").as_str(), Some(&etag)));
        // The cache still has the body.
        assert_eq!(client.read().notes().await.unwrap()[0].title, "N");
        let tag = |text: &str| Some(text.to_owned());
        let last = cache.and(tag("\"1\""));
        let sent = received_headers(&server, "if-none-match").await;
        assert_eq!(sent, [None, tag("\"1\""), tag("\"0\""), tag("\"1\""), tag("\"0\""), last]);
    }
}

#[tokio::test]
async fn a_new_version_replaces_the_cached_one() {
    let server = MockServer::start().await;
    for (tag, response) in [("\"1\"", json("[]")), ("\"2\"", a_note())] {
        let mock = Mock::given(path(NOTES)).respond_with(response.insert_header("etag", tag));
        mock.up_to_n_times(1).mount(&server).await;
    }
    let unchanged = Mock::given(header("if-none-match", "\"2\"")).respond_with(ResponseTemplate::new(304));
    unchanged.mount(&server).await;
    let client = client(&server, Some(100_000));
    let mut found = Vec::new();
    for _ in 0..3 {
        found.push(client.read().notes().await.unwrap().len());
    }
    assert_eq!(found, [0, 1, 1]);
}

#[tokio::test]
async fn each_query_is_cached_separately() {
    let server = MockServer::start().await;
    for day in ["2026-11-20", "2026-11-21"] {
        let response = json("[]").insert_header("etag", format!("\"{day}\""));
        Mock::given(query_param("from", day)).respond_with(response).mount(&server).await;
    }
    let client = client(&server, Some(100_000));
    for day in ["2026-11-20", "2026-11-21", "2026-11-20"] {
        client.read().events().from(day.parse::<Date>().unwrap()).await.unwrap();
    }
    assert_eq!(received_headers(&server, "if-none-match").await, [None, None, Some("\"2026-11-20\"".to_owned())]);
}

#[tokio::test]
async fn invalid_and_no_store_responses_are_not_cached() {
    let no_store = a_note().insert_header("etag", "\"1\"").insert_header("cache-control", "private, no-store");
    for (response, is_valid) in [(json("<html>").insert_header("etag", "\"1\""), false), (no_store, true)] {
        let server = MockServer::start().await;
        Mock::given(path(NOTES)).respond_with(response).mount(&server).await;
        let client = client(&server, Some(100_000));
        for _ in 0..2 {
            assert_eq!(client.read().notes().await.is_ok(), is_valid);
        }
        assert_eq!(received_headers(&server, "if-none-match").await, [None, None]);
    }
}

#[tokio::test]
async fn an_unexpected_304_is_an_error() {
    let server = MockServer::start().await;
    Mock::given(path(NOTES)).respond_with(ResponseTemplate::new(304)).mount(&server).await;
    let error = client(&server, Some(100_000)).read().notes().await.unwrap_err();
    assert_eq!((error.status(), error.code()), (Some(304), None));
}

#[tokio::test]
async fn truncated_occurrences_say_so_and_are_not_cached() {
    let server = MockServer::start().await;
    let truncated = json("[]").insert_header("etag", "\"1\"").insert_header("family-api-truncated", "true");
    Mock::given(path("/api/v1/read/events"))
        .and(query_param("expand", "true"))
        .respond_with(truncated)
        .mount(&server)
        .await;
    let client = client(&server, Some(100_000));
    let day = |text: &str| text.parse::<Date>().unwrap();
    let occurrences = || client.read().occurrences(day("2026-11-20"), day("2026-11-27"));
    assert!(occurrences().await.unwrap().is_truncated());
    assert!(occurrences().raw().await.unwrap().is_truncated());
    assert_eq!(received_headers(&server, "if-none-match").await, [None, None]);
}
