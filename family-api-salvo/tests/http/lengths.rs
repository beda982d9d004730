//! Bodies with a wrong or unclear length, over a socket.

use family_api_salvo::FamilyRoutes;
use salvo::Router;

use crate::storages::on_every_storage;
use crate::support::{App, Socket, token};

async fn served(app: &App) -> Socket {
    Socket::serve(app.mounted(|api| Router::new().push(FamilyRoutes::new(api).into_router())).service).await
}

/// A PATCH of a note that keeps its connection open.
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
        let socket = served(&app).await;
        for (headers, body) in [
            ("content-length: 100", r#"{"title":"half"}"#),
            ("transfer-encoding: chunked", "10\r\n{\"title\":\"half\"}"),
            ("transfer-encoding: chunked", "10\r\n{\"title\":\"half\"}\r\n"),
            ("transfer-encoding: chunked", "ff\r\n{\"title\":\"half\"}\r\n"),
        ] {
            let mut connection = socket.open().await;
            connection.write_bytes(&patch(headers, body)).await;
            connection.shutdown().await;
            // If the client has only closed its sending side, it may still receive the error.
            let answer = connection.head().await;
            assert!(answer.as_ref().is_none_or(|head| head.starts_with("http/1.1 400")), "{headers}: {answer:?}");
        }
        assert_eq!(app.snapshot().await, before);
    }

    async fn bytes_after_content_length_are_not_part_of_the_body(app: App) {
        let socket = served(&app).await;
        let mut connection = socket.open().await;
        connection.write_bytes(&patch("content-length: 16", r#"{"title":"whole"}"#)).await;
        assert!(connection.head().await.unwrap().starts_with("http/1.1 400"));
        let mut connection = socket.open().await;
        connection.write_bytes(&patch("content-length: 2", "{}, \"title\": \"smuggled\"}\r\n\r\n")).await;
        assert!(connection.head().await.unwrap().starts_with("http/1.1 200"));
        assert!(connection.head().await.is_none_or(|head| head.starts_with("http/1.1 400")));
        assert_eq!(app.read("notes").await[0]["title"], "Wifi");
    }

    async fn invalid_or_repeated_content_length_is_refused(app: App) {
        let socket = served(&app).await;
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
            let mut connection = socket.open().await;
            connection.write_bytes(&patch(headers, "{}")).await;
            let answer = connection.head().await.unwrap_or_default();
            assert!(answer.starts_with("http/1.1 400") && answer.contains("\r\nconnection: close"), "{headers}: {answer}");
        }
    }

    async fn chunked_wins_over_content_length_and_closes(app: App) {
        let socket = served(&app).await;
        let next = "GET /api/v1/me HTTP/1.1\r\nhost: family.example\r\n\r\n";
        for (headers, ends) in [
            ("content-length: 5\r\ntransfer-encoding: chunked", true),
            ("transfer-encoding: chunked\r\ncontent-length: 5", true),
            ("content-length: 14\r\ntransfer-encoding: chunked", true),
            // Without `Content-Length`, the bytes after the chunks are the next request.
            ("transfer-encoding: chunked", false),
        ] {
            let mut connection = socket.open().await;
            connection.write_bytes(&patch(headers, &format!("2\r\n{{}}\r\n0\r\n\r\n{next}"))).await;
            let answer = connection.head().await.unwrap();
            assert!(answer.starts_with("http/1.1 200"), "{headers}: {answer}");
            assert_eq!(answer.contains("\r\nconnection: close"), ends, "{headers}: {answer}");
            let second = connection.head().await;
            assert_eq!(second.is_none(), ends, "{headers}: {second:?}");
        }
    }

    async fn invalid_chunk_size_ends_the_request(app: App) {
        let before = app.snapshot().await;
        let socket = served(&app).await;
        for size in ["fffffffffffffffff", "-1", "0x2", "g", ""] {
            let mut connection = socket.open().await;
            connection.write_bytes(&patch("transfer-encoding: chunked", &format!("{size}\r\n{{}}\r\n0\r\n\r\n"))).await;
            let answer = connection.head().await;
            assert!(answer.as_ref().is_none_or(|head| head.starts_with("http/1.1 400")), "{size}: {answer:?}");
        }
        assert_eq!(app.snapshot().await, before);
    }
}
