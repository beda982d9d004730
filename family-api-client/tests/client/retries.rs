//! Calls that are retried, and calls that are not.

use std::future::IntoFuture;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use family_api_client::change::{ProfileChange, TaskChange};
use family_api_client::key::{KeyDraft, KeyMode};
use family_api_client::{Call, Error, FamilyClient, SessionClient};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::service::{attempts, client_of, listener, server_returning, session_of};

/// Starts a server that fails this number of times and then returns an empty list.
async fn failing_server(times: u64, failure: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(failure).up_to_n_times(times).mount(&server).await;
    let success = ResponseTemplate::new(200).set_body_raw("[]", "application/json");
    Mock::given(any()).respond_with(success).mount(&server).await;
    server
}

#[tokio::test]
async fn a_read_is_retried_until_it_succeeds_or_the_limit_is_reached() {
    for status in [429, 503] {
        let server = failing_server(2, ResponseTemplate::new(status)).await;
        assert!(client_of(&server.uri()).read().notes().await.unwrap().is_empty());
        assert_eq!(attempts(&server).await, 3);
        let server = failing_server(9, ResponseTemplate::new(status)).await;
        assert_eq!(client_of(&server.uri()).read().notes().await.unwrap_err().status(), Some(status));
        assert_eq!(attempts(&server).await, 4);
    }
}

#[tokio::test]
async fn permanent_errors_are_not_retried() {
    for status in [400, 401, 403, 404, 409, 422, 500, 502, 504] {
        let server = failing_server(9, ResponseTemplate::new(status)).await;
        assert_eq!(client_of(&server.uri()).read().notes().await.unwrap_err().status(), Some(status));
        assert_eq!(attempts(&server).await, 1, "{status}");
    }
}

#[tokio::test]
async fn retries_can_be_turned_off() {
    let server = failing_server(1, ResponseTemplate::new(503)).await;
    let client = FamilyClient::builder().base_url(server.uri()).token("token").max_retries(0).build().unwrap();
    assert!(client.read().notes().await.unwrap_err().is_temporary());
    assert_eq!(attempts(&server).await, 1);
}

#[tokio::test]
async fn a_retry_waits_for_retry_after() {
    for status in [429, 503] {
        let server = failing_server(1, ResponseTemplate::new(status).insert_header("retry-after", "1")).await;
        let begin = Instant::now();
        assert!(client_of(&server.uri()).read().notes().await.is_ok());
        assert!(begin.elapsed() >= Duration::from_secs(1), "{:?}", begin.elapsed());
        assert_eq!(attempts(&server).await, 2);
    }
}

#[tokio::test]
async fn a_call_fails_at_once_if_retry_after_exceeds_the_timeout() {
    for seconds in [3600, u64::MAX] {
        let failure = ResponseTemplate::new(429).insert_header("retry-after", seconds.to_string());
        let server = failing_server(1, failure).await;
        let error = client_of(&server.uri()).read().notes().await.unwrap_err();
        assert_eq!((error.status(), error.retry_after()), (Some(429), Some(Duration::from_secs(seconds))));
        assert_eq!(attempts(&server).await, 1);
    }
}

#[tokio::test]
async fn unconditional_writes_are_retried_after_429_but_not_after_503() {
    let etag = "\"1\"".parse().unwrap();
    for (status, unconditional) in [(429, 4), (503, 1)] {
        let server = server_returning(ResponseTemplate::new(status)).await;
        let (client, session) = (client_of(&server.uri()), session_of(&server.uri()));
        let update = || client.tasks().update(&"t".parse().unwrap(), TaskChange::new().title("T"));
        let delete = || client.notes().delete(&"n".parse().unwrap());
        let switch = session.profile().update(ProfileChange::new().disable_personal_api());
        let clear = client.shopping_items().delete_checked(&"l".parse().unwrap());
        for (write, call, expected) in [
            ("update", update().raw().into_future(), unconditional),
            ("deletion", delete().raw().into_future(), unconditional),
            ("new key", session.keys().create(KeyDraft::new(KeyMode::McpRead)).raw().into_future(), unconditional),
            ("revocation", session.keys().revoke(&"k".parse().unwrap()).raw().into_future(), unconditional),
            ("profile", switch.raw().into_future(), unconditional),
            ("restoration", client.notes().restore(&"n".parse().unwrap()).raw().into_future(), unconditional),
            ("checked items", clear.raw().into_future(), unconditional),
            ("conditional update", update().if_match(&etag).raw().into_future(), 4),
            ("conditional deletion", delete().if_match(&etag).raw().into_future(), 4),
        ] {
            let before = attempts(&server).await;
            assert_eq!(call.await.unwrap_err().status(), Some(status), "{write}");
            assert_eq!(attempts(&server).await - before, expected, "{write} {status}");
        }
    }
}

/// Starts a server that reads a request and closes the connection. The channel gets a message for each request.
async fn closing_server() -> (String, mpsc::UnboundedReceiver<()>) {
    let (listener, url) = listener().await;
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let read = connection.read(&mut [0; 4096]).await.unwrap();
            assert!(read > 0);
            sender.send(()).unwrap();
        }
    });
    (url, receiver)
}

#[tokio::test]
async fn a_read_but_no_creation_is_retried_after_a_closed_connection() {
    let (url, mut requests) = closing_server().await;
    let is_lost = |error: &Error| error.status().is_none() && error.is_temporary() && !error.is_timeout();
    assert!(is_lost(&client_of(&url).read().notes().await.unwrap_err()));
    for _ in 0..4 {
        requests.recv().await.unwrap();
    }
    assert!(is_lost(&session_of(&url).keys().create(KeyDraft::new(KeyMode::McpRead)).await.unwrap_err()));
    requests.recv().await.unwrap();
    assert!(requests.try_recv().is_err());
}

/// Returns an unused address, and a function that starts a server there. The server returns an empty list.
fn late_server() -> (String, impl FnOnce() -> std::thread::JoinHandle<()>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let start = move || {
        std::thread::spawn(move || {
            let (mut connection, _) = std::net::TcpListener::bind(address).unwrap().accept().unwrap();
            assert!(connection.read(&mut [0; 4096]).unwrap() > 0);
            let response = b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
            connection.write_all(response).unwrap();
        })
    };
    (format!("http://{address}"), start)
}

#[tokio::test]
async fn unconditional_writes_are_retried_until_the_service_has_started() {
    assert_retried_until_started(|session| session.keys().create(KeyDraft::new(KeyMode::McpRead))).await;
    let change = || TaskChange::new().title("T");
    assert_retried_until_started(|session| session.tasks().update(&"t".parse().unwrap(), change())).await;
}

async fn assert_retried_until_started<T: 'static, C: 'static>(call: impl Fn(&SessionClient) -> Call<T, C>) {
    let (url, start) = late_server();
    let once = SessionClient::builder().base_url(&url).cookie("session=s").max_retries(0).build().unwrap();
    let refused = call(&once).await.err().unwrap();
    assert!(refused.was_not_sent() && !refused.is_in_doubt(), "{refused:?}");
    // The first attempt is refused before the server starts. A later attempt reaches it.
    let patient = SessionClient::builder().base_url(&url).cookie("session=s").max_retries(20).build().unwrap();
    let mut pending = call(&patient).into_future();
    let refused = tokio::time::timeout(Duration::from_millis(50), &mut pending).await;
    assert!(refused.is_err(), "a stopped service responded");
    let service = start();
    // The body cannot be decoded, but the status shows that the server got the request.
    assert_eq!(pending.await.err().unwrap().status(), Some(201));
    service.join().unwrap();
}

#[tokio::test]
async fn all_attempts_share_one_timeout() {
    let slow = ResponseTemplate::new(503).set_delay(Duration::from_millis(300));
    let server = failing_server(1_000, slow).await;
    let builder = FamilyClient::builder().base_url(server.uri()).token("token").max_retries(1_000);
    let begin = Instant::now();
    let error = builder.timeout(Duration::from_secs(2)).build().unwrap().read().notes().await.unwrap_err();
    assert!(error.is_temporary());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert!((2..8).contains(&attempts(&server).await));
}
