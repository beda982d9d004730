//! Requests whose session or key ends before the last byte of their body arrives.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, create_key, session_cookie};

on_each_backend! {
    a_session_that_ended_during_the_body_creates_no_key,
    a_key_revoked_during_the_body_writes_nothing,
}

/// A request whose body lacks its last byte.
struct UnfinishedRequest {
    stream: TcpStream,
    last_byte: u8,
}

impl UnfinishedRequest {
    /// Waits for `100 Continue`, which the server sends after authentication, and then sends all but the last byte.
    async fn send(server: &Server, method: &str, path: &str, credential: &str, body: &str) -> Self {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{credential}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
            server.address()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut interim = [0; 25];
        stream.read_exact(&mut interim).await.unwrap();
        assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
        let (last, first) = body.as_bytes().split_last().unwrap();
        stream.write_all(first).await.unwrap();
        Self { stream, last_byte: *last }
    }

    /// Sends the last byte, and returns the status line and the rest of the response.
    async fn finish(mut self) -> String {
        self.stream.write_all(&[self.last_byte]).await.unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

fn assert_refused(answer: &str, code: &str) {
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert!(answer.contains(&format!(r#""code":"{code}""#)), "{answer}");
}

async fn a_session_that_ended_during_the_body_creates_no_key(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    for is_sign_out in [true, false] {
        let session = session_cookie(&server, "ana").await;
        let header = format!("Cookie: {session}");
        let unfinished = UnfinishedRequest::send(&server, "POST", KEYS, &header, r#"{"mode": "v1_read_write"}"#).await;
        if is_sign_out {
            assert_eq!(in_session(&server, &session, "POST", "/logout", None).await.status, 200);
        } else {
            assert!(sandbox.run(&["user", "set-password", "ana@family.example"], PASSWORD).status.success());
        }
        assert_refused(&unfinished.finish().await, "not_signed_in");
    }
    let session = session_cookie(&server, "ana").await;
    assert_eq!(in_session(&server, &session, "GET", KEYS, None).await.json(), json!({ "tokens": [] }));
}

async fn a_key_revoked_during_the_body_writes_nothing(backend: Backend) {
    let (_sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let reader = create_key(&server, &cookie).await;
    let read = async || with_token(&server, &reader.token, "GET", "/api/v1/read/notes", None).await;
    let notes = read().await;
    // The second request changes nothing, but its response would contain the record.
    for body in [r#"{"title": "late"}"#, "{}"] {
        let writer = create_key(&server, &cookie).await;
        let header = format!("Authorization: Bearer {}", writer.token);
        let unfinished = UnfinishedRequest::send(&server, "PATCH", "/api/v1/notes/wifi", &header, body).await;
        let revocation = format!("{KEYS}/{}", writer.id);
        assert_eq!(in_session(&server, &cookie, "DELETE", &revocation, None).await.status, 200);
        assert_refused(&unfinished.finish().await, "invalid_token");
    }
    assert_eq!(read().await.text, notes.text);
}
