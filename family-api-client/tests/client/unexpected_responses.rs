//! Unexpected responses from servers and proxies, and failures of the connection.

use std::time::Duration;

use family_api_client::FamilyClient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wiremock::ResponseTemplate;

use crate::service::{listener, problem, server_returning, session_of};

fn client(url: &str) -> FamilyClient {
    let builder = FamilyClient::builder().base_url(url).token("canary-token").max_retries(0);
    builder.timeout(Duration::from_secs(5)).build().unwrap()
}

/// Returns the error of a read from a server with this response.
async fn error_of(response: ResponseTemplate) -> family_api_client::Error {
    let server = server_returning(response).await;
    let error = client(&server.uri()).read().notes().await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
    error
}

#[tokio::test]
async fn a_502_from_a_proxy_has_its_status_and_the_first_part_of_its_text() {
    let page = format!("<html>\n<h1>Bad Gateway</h1>{}</html>", "é".repeat(5_000));
    let error = error_of(ResponseTemplate::new(502).set_body_raw(page, "text/html")).await;
    assert_eq!((error.status(), error.code(), error.request_id()), (Some(502), None, None));
    let text = error.text().unwrap();
    assert!(text.starts_with("<html>\n<h1>Bad Gateway</h1>") && text.chars().count() == 1_024);
    assert!(error.to_string().starts_with("the service returned 502: <html> <h1>Bad Gateway</h1>"), "{error}");
    assert!(error.is_temporary() && !error.is_not_found() && error.field_errors().is_empty());
}

#[tokio::test]
async fn omitted_field_errors_are_counted() {
    for (count, expected) in [(r#","errorCount":70"#, 70), ("", 1)] {
        let body = format!(
            r#"{{"type":"about:blank","title":"Unprocessable Content","status":422,"code":"invalid_field","detail":"d","errors":[{{"pointer":"/a","detail":"d"}}]{count},"requestId":"r"}}"#
        );
        let error = error_of(ResponseTemplate::new(422).set_body_raw(body, "application/problem+json")).await;
        assert_eq!((error.field_errors().len(), error.field_error_count()), (1, expected));
    }
}

#[tokio::test]
async fn an_empty_500_has_its_status_and_request_id() {
    let error = error_of(ResponseTemplate::new(500).insert_header("x-request-id", "r-1")).await;
    assert_eq!((error.status(), error.code(), error.request_id()), (Some(500), None, Some("r-1")));
    assert!(!error.is_temporary());
    assert_eq!(error.to_string(), "the service returned 500: empty body");
}

#[tokio::test]
async fn invalid_json_is_an_error_that_does_not_quote_it() {
    for (body, place) in [
        (r#"[{"id":"n""#, "unexpected end"),
        (r#"[{"id":"n","title":"#, "unexpected end"),
        (r#"[{"id":{"canary":1}}]"#, "unexpected shape at [0].id"),
        (r#"{"canary":[]}"#, "unexpected shape at ."),
        ("<html>canary</html>", "not JSON"),
        ("[] canary", "not JSON"),
        ("", "unexpected end"),
    ] {
        let error = error_of(ResponseTemplate::new(200).set_body_raw(body, "application/json")).await;
        assert_eq!((error.status(), error.code()), (Some(200), None));
        assert_eq!(error.to_string(), format!("the response cannot be decoded: {place}"));
        assert!(!error.is_temporary());
    }
}

#[tokio::test]
async fn an_unknown_error_code_is_kept() {
    let problem = r#"{"type":"about:blank","title":"T","status":418,"code":"teapot","detail":"Short.","requestId":"r","newer":[1]}"#;
    let error = error_of(ResponseTemplate::new(418).set_body_raw(problem, "application/problem+json")).await;
    assert_eq!((error.status(), error.code(), error.detail()), (Some(418), Some("teapot"), Some("Short.")));
    assert_eq!(error.to_string(), "the service returned 418: Short. (teapot)");
    assert_eq!(error.text(), None);
}

#[tokio::test]
async fn unknown_fields_and_scopes_are_accepted() {
    let note = r#"[{"id":"n","title":"N","newer":{"a":1},"content":"","emoji":null,"color":null,"pinned":false,"tags":[],"authorId":null,"author":null,"categoryId":null,"category":null,"createdAt":"2026-11-20T00:00:00.000Z","updatedAt":"2026-11-20T00:00:00.000Z"}]"#;
    let server = server_returning(ResponseTemplate::new(200).set_body_raw(note, "application/json")).await;
    assert_eq!(client(&server.uri()).read().notes().await.unwrap()[0].title, "N");

    let keys = r#"{"newer":1,"tokens":[{"id":"k","mode":"v2_everything","scopes":["v2.everything"],"name":null,"hint":"h","createdAt":"2026-11-20T00:00:00.000Z","expiresAt":null,"lastUsedAt":null,"newer":1}]}"#;
    let server = server_returning(ResponseTemplate::new(200).set_body_raw(keys, "application/json")).await;
    let session = session_of(&server.uri());
    let keys = session.keys().list().await.unwrap();
    let scopes: Vec<&str> = keys.tokens[0].scopes.iter().map(family_api_client::key::Scope::as_str).collect();
    assert_eq!((scopes, keys.tokens[0].mode), (vec!["v2.everything"], None));
}

#[tokio::test]
async fn a_new_key_with_control_characters_cannot_be_decoded() {
    let created = r#"{"id":"k","token":"fam_\u001b[31m\nx","mode":"v1_read","scopes":[],"name":null,"hint":"h","createdAt":"2026-11-20T00:00:00.000Z","expiresAt":null,"lastUsedAt":null}"#;
    let server = server_returning(ResponseTemplate::new(201).set_body_raw(created, "application/json")).await;
    let session = session_of(&server.uri());
    let draft = family_api_client::key::KeyDraft::new(family_api_client::key::KeyMode::V1Read);
    let error = session.keys().create(draft).await.unwrap_err();
    assert!(error.is_in_doubt(), "{error:?}");
    let expected = "the response cannot be decoded: unexpected shape at token; the call may have taken effect";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn text_from_a_proxy_is_shortened_and_has_no_control_characters() {
    let error = error_of(ResponseTemplate::new(502).set_body_raw("\u{1b}[2Jgone\u{202e}\r\n", "text/plain")).await;
    assert_eq!(error.to_string(), "the service returned 502: [2Jgone");
    let long = format!(
        r#"{{"type":"t","title":"t","status":422,"code":"c","detail":"{}","requestId":"r"}}"#,
        "é".repeat(9_000)
    );
    let error = error_of(ResponseTemplate::new(422).set_body_raw(long, "application/problem+json")).await;
    assert!(error.to_string().chars().count() < 1_100, "{}", error.to_string().len());
}

#[tokio::test]
async fn an_endless_response_is_cut_off_at_64_mib() {
    let (listener, url) = listener().await;
    let sent = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let _ = connection.read(&mut [0; 4096]).await.unwrap();
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[").await.unwrap();
        let mut sent = 0;
        let blanks = vec![b' '; 64 * 1024];
        while connection.write_all(&blanks).await.is_ok() {
            sent += 64 * 1024;
        }
        sent
    });
    let error = client(&url).read().notes().await.unwrap_err();
    assert!(error.to_string().ends_with("more than 64 MiB"), "{error}");
    // The socket buffers take some more bytes until the connection is closed.
    assert!((64..100 * 1024 * 1024).contains(&sent.await.unwrap()));
}

/// Starts a server that responds to every request with these bytes and leaves the connection open.
async fn stalling_server(response: &'static str) -> String {
    let (listener, url) = listener().await;
    tokio::spawn(async move {
        let mut open = Vec::new();
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let _ = connection.read(&mut [0; 4096]).await.unwrap();
            connection.write_all(response.as_bytes()).await.unwrap();
            open.push(connection);
        }
    });
    url
}

#[tokio::test]
async fn a_missing_head_or_body_is_a_timeout() {
    for response in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n["] {
        let url = stalling_server(response).await;
        let builder = FamilyClient::builder().base_url(url).token("token").timeout(Duration::from_millis(200));
        let error = builder.build().unwrap().read().notes().await.unwrap_err();
        assert!(error.is_timeout() && error.is_temporary() && error.status().is_none(), "{response:?}: {error:?}");
        assert_eq!(error.to_string(), "the service did not respond in time");
    }
}

#[tokio::test]
async fn an_error_with_an_incomplete_body_keeps_its_status() {
    let url = stalling_server("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 9\r\n\r\nBad").await;
    let builder = FamilyClient::builder().base_url(url).token("token").timeout(Duration::from_millis(300));
    let error = builder.build().unwrap().read().notes().await.unwrap_err();
    assert_eq!((error.status(), error.text()), (Some(502), Some("Bad")));
}

#[tokio::test]
async fn an_error_with_a_stalled_body_is_retried_before_the_timeout() {
    let url = stalling_server("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 9\r\n\r\n").await;
    let builder = FamilyClient::builder().base_url(url).token("token").timeout(Duration::from_mins(10)).max_retries(1);
    assert_eq!(builder.build().unwrap().read().notes().await.unwrap_err().status(), Some(503));
}

#[tokio::test]
async fn a_truncated_body_is_a_lost_connection() {
    let (listener, url) = listener().await;
    let served = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let _ = connection.read(&mut [0; 4096]).await.unwrap();
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n[{").await.unwrap();
    });
    let error = client(&url).read().notes().await.unwrap_err();
    served.await.unwrap();
    assert!(error.status().is_none() && error.is_temporary() && !error.is_timeout(), "{error:?}");
    // A read is never in doubt.
    assert!(!error.was_not_sent() && !error.is_in_doubt(), "{error}");
    assert_eq!(error.to_string(), "the connection was lost before the response was complete");
    assert!(!format!("{error:?}").contains("http://"), "{error:?}");
}

#[tokio::test]
async fn a_refused_connection_means_that_nothing_was_sent() {
    let (listener, url) = listener().await;
    drop(listener);
    let error = client(&url).read().notes().await.unwrap_err();
    assert!(error.was_not_sent() && error.is_temporary() && !error.is_configuration(), "{error:?}");
    assert_eq!(error.to_string(), "could not connect to the service");
    assert!(format!("{error:?}").starts_with(r#"Error { message: "could not connect to the service", "#), "{error:?}");
}

#[tokio::test]
async fn temporary_statuses_are_distinguished_from_permanent_ones() {
    for (status, is_temporary) in
        [(400, false), (404, false), (429, true), (500, false), (502, true), (503, true), (504, true)]
    {
        assert_eq!(error_of(ResponseTemplate::new(status)).await.is_temporary(), is_temporary, "{status}");
    }
    for (code, is_temporary) in [("idempotency_running", true), ("not_empty", false)] {
        let error = error_of(problem(409, code)).await;
        assert_eq!((error.code(), error.is_temporary()), (Some(code), is_temporary));
    }
}
