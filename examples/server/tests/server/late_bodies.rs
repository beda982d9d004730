//! Requests whose last byte arrives after their credential has ended, over a real socket.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::backend::{Backend, on_each_backend};
use crate::client::{Answer, in_session, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};

on_each_backend! {
    a_session_that_ended_during_the_body_creates_no_key,
    a_password_change_during_the_body_ends_the_session,
    a_key_revoked_during_the_body_writes_nothing,
}

const ANA: &str = "ana@family.example";
const KEYS: &str = "/api/users/me/mcp-tokens";

/// A request whose body lacks its last byte.
struct HeldBack {
    stream: TcpStream,
    last: u8,
}

impl HeldBack {
    /// Sends all but the last byte after `100 Continue`, when the server has authenticated the request.
    async fn send(server: &Server, method: &str, path: &str, credential: &str, body: &str) -> Self {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{credential}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
            server.address()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut asked = [0; 25];
        stream.read_exact(&mut asked).await.unwrap();
        assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
        let (last, first) = body.as_bytes().split_last().unwrap();
        stream.write_all(first).await.unwrap();
        Self { stream, last: *last }
    }

    /// Sends the last byte, and returns the status line and the rest of the response.
    async fn finish(mut self) -> String {
        self.stream.write_all(&[self.last]).await.unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

async fn key(server: &Server, cookie: &str) -> Answer {
    in_session(server, cookie, "POST", KEYS, Some(json!({ "mode": "v1_read_write" }))).await
}

fn assert_refused(answer: &str, code: &str) {
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert!(answer.contains(&format!(r#""code":"{code}""#)), "{answer}");
}

async fn a_session_that_ended_during_the_body_creates_no_key(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    let header = format!("Cookie: {cookie}");
    let held = HeldBack::send(&server, "POST", KEYS, &header, r#"{"mode": "v1_read_write"}"#).await;
    assert_eq!(in_session(&server, &cookie, "POST", "/logout", None).await.status, 200);
    assert_refused(&held.finish().await, "not_signed_in");
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    assert_eq!(in_session(&server, &cookie, "GET", KEYS, None).await.json(), json!({ "tokens": [] }));
}

async fn a_password_change_during_the_body_ends_the_session(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    let header = format!("Cookie: {cookie}");
    let held = HeldBack::send(&server, "POST", KEYS, &header, r#"{"mode": "v1_read_write"}"#).await;
    assert!(sandbox.run(&["user", "set-password", ANA], "another password\n").status.success());
    assert_refused(&held.finish().await, "not_signed_in");
}

async fn a_key_revoked_during_the_body_writes_nothing(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    let on = Some(json!({ "personalApiEnabled": true }));
    assert_eq!(in_session(&server, &cookie, "PATCH", "/api/users/me", on).await.status, 200);
    let reader = key(&server, &cookie).await.json();
    let read = async || with_token(&server, reader["token"].as_str().unwrap(), "GET", "/api/v1/read/notes", None).await;
    let notes = read().await;
    let path = format!("/api/v1/notes/{}", notes.json()[0]["id"].as_str().unwrap());
    // The second request changes nothing, but its response would contain the record.
    for body in [r#"{"title": "late"}"#, "{}"] {
        let writer = key(&server, &cookie).await.json();
        let header = format!("Authorization: Bearer {}", writer["token"].as_str().unwrap());
        let held = HeldBack::send(&server, "PATCH", &path, &header, body).await;
        let revocation = format!("{KEYS}/{}", writer["id"].as_str().unwrap());
        assert_eq!(in_session(&server, &cookie, "DELETE", &revocation, None).await.status, 200);
        assert_refused(&held.finish().await, "invalid_token");
    }
    assert_eq!(read().await.text, notes.text);
}
