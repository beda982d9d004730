//! Sign-out during another sign-in.

use family_api_client::SessionClient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::service::listener;

/// Accepts a connection and reads the head of its request.
async fn accept(listener: &TcpListener) -> (TcpStream, String) {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    (stream, String::from_utf8(head).unwrap())
}

async fn respond(stream: &mut TcpStream, cookie: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{cookie}content-type: application/json\r\ncontent-length: {length}\r\n");
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await.unwrap();
}

#[tokio::test]
async fn sign_out_keeps_a_session_that_began_during_the_call() {
    let (listener, url) = listener().await;
    let session = SessionClient::builder().base_url(url).cookie("session=former").build().unwrap();
    let signing_out = tokio::spawn(session.sign_out().into_future());
    let (mut logout, _) = accept(&listener).await;
    let signing_in = tokio::spawn(session.sign_in("a@b", "password").into_future());
    let (mut login, _) = accept(&listener).await;
    respond(&mut login, "set-cookie: session=canary-session\r\n", "{}").await;
    // The profile cannot be decoded, but the session exists.
    signing_in.await.unwrap().unwrap_err();
    respond(&mut logout, "", r#"{"ok":true}"#).await;
    signing_out.await.unwrap().unwrap();

    let listing = tokio::spawn(session.keys().list().into_future());
    let (_, head) = accept(&listener).await;
    assert!(head.contains("session=canary-session"), "{head}");
    listing.abort();
}
