//! Media type and size of bodies (HTTP reference, "Media types").

use std::num::NonZeroUsize;

use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, TestServer, bearer, token};

const NOTE: &str = "/api/v1/notes/note-berg";
const LIMIT: usize = 1_280 * 1024;
/// The largest body that needs no permit while it arrives.
const SMALL: usize = 256 * 1024;

/// Returns a valid body of exactly this many bytes.
fn of_size(bytes: usize) -> String {
    format!("{{{}}}", " ".repeat(bytes - 2))
}

/// Returns the raw head of a PATCH request for a note.
fn head(headers: &str) -> String {
    let token = token("ann-rw");
    format!(
        "PATCH {NOTE} HTTP/1.1\r\nhost: family.example\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\nconnection: close\r\n{headers}\r\n\r\n"
    )
}

on_every_storage! {
    async fn body_at_the_limit_is_read_and_one_byte_more_is_refused(app: App) {
        app.send_json_with_token("ann-rw", Method::PATCH, NOTE, of_size(LIMIT)).await.assert_ok();
        let response = app.send_json_with_token("ann-rw", Method::PATCH, NOTE, of_size(LIMIT + 1)).await;
        response.assert_problem(413, "payload_too_large");
        assert_eq!(response.json()["detail"], "The request body is larger than 1310720 bytes.");
    }

    async fn longest_note_fits_even_if_each_letter_is_escaped(app: App) {
        let body = format!(r#"{{"content":"{}"}}"#, r"\u0429".repeat(200_000));
        let response = app.send_json_with_token("ann-rw", Method::PATCH, NOTE, body).await;
        assert_eq!(response.assert_ok().json()["content"], "Щ".repeat(200_000));
    }

    async fn only_some_large_bodies_arrive_at_once(app: App) {
        let routes = |api| Router::new().push(FamilyRoutes::new(api).max_in_flight(NonZeroUsize::MIN).into_router());
        let app = app.with_routes(routes);
        app.send_with_token("ann-rw", Method::GET, "/api/v1/me").await.assert_ok();
        let server = TestServer::start(app.service).await;
        let whole = format!("{}{}", head(&format!("content-length: {}", SMALL + 1)), of_size(SMALL + 1));
        let chunk = format!("{:x}\r\n{}", SMALL + 1, of_size(SMALL + 1));
        for (fields, part) in [
            (format!("content-length: {}", SMALL + 2), of_size(SMALL + 1)),
            ("transfer-encoding: chunked".to_owned(), chunk.clone()),
        ] {
            // What a client only promises takes no permit. The only place of a request in progress can be taken for a
            // moment.
            let begin = async || {
                let mut upload = server.open().await;
                upload.write_bytes(head(&fields).as_bytes()).await;
                while !server.send(whole.as_bytes()).await.0.starts_with("http/1.1 200") {}
                if !upload.is_answered() {
                    upload.write_bytes(part.as_bytes()).await;
                }
                upload
            };
            let mut upload = begin().await;
            while !server.send(whole.as_bytes()).await.0.starts_with("http/1.1 503") {
                // Refused, because another request had the only place.
                if upload.is_answered() {
                    upload = begin().await;
                }
            }
            let small = format!("{}{}", head(&format!("content-length: {SMALL}")), of_size(SMALL));
            while !server.send(small.as_bytes()).await.0.starts_with("http/1.1 200") {}
            let chunked = format!("{}{chunk}", head("transfer-encoding: chunked"));
            let (refused, body) = server.send(chunked.as_bytes()).await;
            assert!(refused.starts_with("http/1.1 503") && body.contains("unavailable"), "{refused} {body}");
            drop(upload);
            // The permit is free when the server has noticed the end of the connection.
            while !server.send(whole.as_bytes()).await.0.starts_with("http/1.1 200") {}
        }
    }

    async fn json_content_type_is_accepted_in_any_case_or_quoted(app: App) {
        for media_type in ["Application/Json ; Charset=\"Utf-8\"", "application/merge-patch+json; charset=utf-8"] {
            let request = bearer("ann-rw", Method::PATCH, NOTE).add_header("content-type", media_type, true);
            app.send(request.body("{}")).await.assert_ok();
        }
    }

    async fn other_content_types_are_unsupported_even_without_a_body(app: App) {
        for media_type in ["", "text/plain", "application/json; charset=latin1"] {
            for body in ["{}", ""] {
                let request = bearer("ann-rw", Method::PATCH, NOTE).add_header("content-type", media_type, true);
                app.send(request.body(body)).await.assert_problem(415, "unsupported_media_type");
            }
        }
        let request = bearer("ann-rw", Method::PATCH, NOTE).add_header("content-type", "application/json", true);
        let twice = request.add_header("content-type", "application/json", false).body("{}");
        app.send(twice).await.assert_problem(415, "unsupported_media_type");
    }

    async fn missing_content_type_requires_an_empty_body(app: App) {
        app.send(bearer("ann-rw", Method::PATCH, NOTE)).await.assert_problem(400, "invalid_json");
        app.send(bearer("ann-rw", Method::PATCH, NOTE).body("{}")).await.assert_problem(415, "unsupported_media_type");
        let large = bearer("ann-rw", Method::PATCH, NOTE).body(of_size(LIMIT + 1));
        app.send(large).await.assert_problem(415, "unsupported_media_type");
    }

    async fn delete_ignores_its_body(app: App) {
        let request = bearer("ann-rw", Method::DELETE, NOTE).text(of_size(LIMIT + 1));
        app.send(request).await.assert_ok();
    }

    async fn too_large_content_length_is_refused_before_the_body_is_sent(app: App) {
        let server = TestServer::start(app.service).await;
        let (head, body) = server.send(head(&format!("content-length: {}", LIMIT + 1)).as_bytes()).await;
        assert!(head.starts_with("http/1.1 413"), "{head}");
        assert!(body.contains("payload_too_large"), "{body}");
    }

    async fn refused_request_drains_its_body_and_keeps_the_connection(app: App) {
        let server = TestServer::start(app.service).await;
        let refused = |method: &str, path: &str, length: usize| {
            format!(
                "{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                 content-length: {length}\r\n\r\n"
            )
        };
        let body = of_size(100_000);
        for _ in 0..20 {
            let heads = [
                refused("PATCH", NOTE, body.len()),
                refused("DELETE", NOTE, body.len()),
                refused("PUT", "/api/tasks/t", 2),
            ];
            let requests: [&[&[u8]]; 4] = [
                &[heads[0].as_bytes(), body.as_bytes()],
                &[heads[1].as_bytes(), body.as_bytes()],
                &[heads[2].as_bytes(), b"{}"],
                &[b"GET /api/v1/me HTTP/1.1\r\nhost: x\r\n\r\n"],
            ];
            let responses = server.send_all(&requests).await;
            assert_eq!(responses.len(), 4, "the connection closed after {responses:?}");
            for response in responses {
                assert!(response.starts_with("http/1.1 401") && !response.contains("connection: close"), "{response}");
            }
        }
    }

    async fn refusal_of_a_too_large_body_closes_the_connection(app: App) {
        let server = TestServer::start(app.service).await;
        for head in [
            "PATCH /api/v1/notes/n HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n".to_owned(),
            head(&format!("content-length: {}", LIMIT + 1)).replace("connection: close\r\n", "") + &of_size(LIMIT + 1),
        ] {
            let responses = server.send_all(&[&[head.as_bytes()]]).await;
            assert_eq!(responses.len(), 1);
            assert!(responses[0].contains("connection: close"), "{responses:?}");
        }
    }

    async fn size_limit_applies_to_chunked_bodies(app: App) {
        let server = TestServer::start(app.service).await;
        let first_chunk = format!("{}{LIMIT:x}\r\n{}", head("transfer-encoding: chunked"), of_size(LIMIT));
        let (response, _) = server.send(format!("{first_chunk}\r\n0\r\n\r\n").as_bytes()).await;
        assert!(response.starts_with("http/1.1 200"), "{response}");
        // The server responds after the first byte above the limit. The test sends no further bytes: the server would
        // not read them, and unread bytes reset the connection.
        let (response, _) = server.send(format!("{first_chunk}\r\n1\r\n ").as_bytes()).await;
        assert!(response.starts_with("http/1.1 413"), "{response}");
    }

    async fn host_can_change_or_remove_the_body_limit(app: App) {
        let small = app.configured(|routes| routes.body_limit(8));
        small.send_json_with_token("ann-rw", Method::PATCH, NOTE, of_size(8)).await.assert_ok();
        small
            .send_json_with_token("ann-rw", Method::PATCH, NOTE, of_size(9))
            .await
            .assert_problem(413, "payload_too_large");
        let none = app.configured(FamilyRoutes::without_body_limit);
        none.send_json_with_token("ann-rw", Method::PATCH, NOTE, of_size(4 * LIMIT)).await.assert_ok();
    }
}
