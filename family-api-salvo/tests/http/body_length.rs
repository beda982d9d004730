//! Bodies whose length is wrong or ambiguous, sent over a socket.

use crate::storages::on_every_storage;
use crate::support::{App, TestServer, token};

async fn start_server(app: &App) -> TestServer {
    TestServer::start(app.configured(|routes| routes).service).await
}

/// Returns a raw PATCH of a note that keeps its connection open.
fn patch(headers: &str, body: &str) -> Vec<u8> {
    let token = token("ann-rw");
    let head = format!(
        "PATCH /api/v1/notes/note-berg HTTP/1.1\r\nhost: family.example\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\n{headers}\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

on_every_storage! {
    async fn truncated_body_changes_nothing(app: App) {
        let before = app.snapshot().await;
        let server = start_server(&app).await;
        for (headers, body) in [
            ("content-length: 100", r#"{"title":"half"}"#),
            ("transfer-encoding: chunked", "10\r\n{\"title\":\"half\"}"),
            ("transfer-encoding: chunked", "10\r\n{\"title\":\"half\"}\r\n"),
            ("transfer-encoding: chunked", "ff\r\n{\"title\":\"half\"}\r\n"),
        ] {
            let mut connection = server.open().await;
            connection.write_bytes(&patch(headers, body)).await;
            connection.shutdown().await;
            // The client has closed only its sending side, so the server can still send the error.
            let response = connection.read_head().await;
            assert!(response.as_ref().is_none_or(|head| head.starts_with("http/1.1 400")), "{headers}: {response:?}");
        }
        assert_eq!(app.snapshot().await, before);
    }

    async fn bytes_after_content_length_are_not_part_of_the_body(app: App) {
        let server = start_server(&app).await;
        let mut connection = server.open().await;
        connection.write_bytes(&patch("content-length: 16", r#"{"title":"whole"}"#)).await;
        assert!(connection.read_head().await.unwrap().starts_with("http/1.1 400"));
        let mut connection = server.open().await;
        connection.write_bytes(&patch("content-length: 2", "{}, \"title\": \"smuggled\"}\r\n\r\n")).await;
        assert!(connection.read_head().await.unwrap().starts_with("http/1.1 200"));
        assert!(connection.read_head().await.is_none_or(|head| head.starts_with("http/1.1 400")));
        assert_eq!(app.read("notes").await[0]["title"], "Wifi");
    }

    async fn invalid_or_repeated_content_length_is_refused(app: App) {
        let server = start_server(&app).await;
        for headers in [
            "content-length: -1",
            "content-length: +2",
            "content-length: 0x2",
            "content-length: 2 2",
            "content-length: 99999999999999999999",
            "content-length: 2\r\ncontent-length: 3",
            "content-length: 2, 3",
            "transfer-encoding: gzip",
            "transfer-encoding: chunked, gzip",
        ] {
            let mut connection = server.open().await;
            connection.write_bytes(&patch(headers, "{}")).await;
            let response = connection.read_head().await.unwrap_or_default();
            assert!(
                response.starts_with("http/1.1 400") && response.contains("\r\nconnection: close"),
                "{headers}: {response}"
            );
        }
    }

    async fn chunked_overrides_content_length_and_closes_connection(app: App) {
        let server = start_server(&app).await;
        let next = "GET /api/v1/me HTTP/1.1\r\nhost: family.example\r\n\r\n";
        for (headers, closes) in [
            ("content-length: 5\r\ntransfer-encoding: chunked", true),
            ("transfer-encoding: chunked\r\ncontent-length: 5", true),
            ("content-length: 14\r\ntransfer-encoding: chunked", true),
            // Without `Content-Length`, the bytes after the chunks are the next request.
            ("transfer-encoding: chunked", false),
        ] {
            let mut connection = server.open().await;
            connection.write_bytes(&patch(headers, &format!("2\r\n{{}}\r\n0\r\n\r\n{next}"))).await;
            let response = connection.read_head().await.unwrap();
            assert!(response.starts_with("http/1.1 200"), "{headers}: {response}");
            assert_eq!(response.contains("\r\nconnection: close"), closes, "{headers}: {response}");
            let second = connection.read_head().await;
            assert_eq!(second.is_none(), closes, "{headers}: {second:?}");
        }
    }

    async fn invalid_chunk_size_ends_the_request(app: App) {
        let before = app.snapshot().await;
        let server = start_server(&app).await;
        for size in ["fffffffffffffffff", "-1", "0x2", "g", ""] {
            let mut connection = server.open().await;
            connection.write_bytes(&patch("transfer-encoding: chunked", &format!("{size}\r\n{{}}\r\n0\r\n\r\n"))).await;
            let response = connection.read_head().await;
            assert!(response.as_ref().is_none_or(|head| head.starts_with("http/1.1 400")), "{size}: {response:?}");
        }
        assert_eq!(app.snapshot().await, before);
    }
}
