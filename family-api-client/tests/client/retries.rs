//! Calls that are made again, and calls that are not.

use std::future::IntoFuture;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use family_api_client::change::{ProfileChange, TaskChange};
use family_api_client::key::{KeyDraft, KeyMode};
use family_api_client::{Call, Error, FamilyClient, SessionClient};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

fn client(url: &str) -> FamilyClient {
    FamilyClient::builder().base_url(url).token("token").build().unwrap()
}

fn session(url: &str) -> SessionClient {
    SessionClient::builder().base_url(url).cookie("session=s").build().unwrap()
}

/// A server that answers like that so many times, and with an empty list from then on.
async fn failing(times: u64, failure: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(failure).up_to_n_times(times).mount(&server).await;
    let answer = ResponseTemplate::new(200).set_body_raw("[]", "application/json");
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

async fn tries(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

#[tokio::test]
async fn a_read_is_made_again_until_it_succeeds_or_has_been_tried_enough() {
    for status in [429, 503] {
        let server = failing(2, ResponseTemplate::new(status)).await;
        assert!(client(&server.uri()).read().notes().await.unwrap().is_empty());
        assert_eq!(tries(&server).await, 3);
        let server = failing(9, ResponseTemplate::new(status)).await;
        assert_eq!(client(&server.uri()).read().notes().await.unwrap_err().status(), Some(status));
        assert_eq!(tries(&server).await, 4);
    }
}

#[tokio::test]
async fn what_another_try_does_not_change_is_tried_once() {
    for status in [400, 401, 403, 404, 409, 422, 500, 502, 504] {
        let server = failing(9, ResponseTemplate::new(status)).await;
        assert_eq!(client(&server.uri()).read().notes().await.unwrap_err().status(), Some(status));
        assert_eq!(tries(&server).await, 1, "{status}");
    }
}

#[tokio::test]
async fn retries_can_be_switched_off() {
    let server = failing(1, ResponseTemplate::new(503)).await;
    let client = FamilyClient::builder().base_url(server.uri()).token("token").max_retries(0).build().unwrap();
    assert!(client.read().notes().await.unwrap_err().is_temporary());
    assert_eq!(tries(&server).await, 1);
}

#[tokio::test]
async fn the_service_says_when_to_come_back() {
    for status in [429, 503] {
        let server = failing(1, ResponseTemplate::new(status).insert_header("retry-after", "1")).await;
        let begin = Instant::now();
        assert!(client(&server.uri()).read().notes().await.is_ok());
        assert!(begin.elapsed() >= Duration::from_secs(1), "{:?}", begin.elapsed());
        assert_eq!(tries(&server).await, 2);
    }
}

#[tokio::test]
async fn a_pause_beyond_the_whole_time_of_the_call_is_the_callers_to_make() {
    for seconds in [3600, u64::MAX] {
        let failure = ResponseTemplate::new(429).insert_header("retry-after", seconds.to_string());
        let server = failing(1, failure).await;
        let error = client(&server.uri()).read().notes().await.unwrap_err();
        assert_eq!((error.status(), error.retry_after()), (Some(429), Some(Duration::from_secs(seconds))));
        assert_eq!(tries(&server).await, 1);
    }
}

/// How often a call is tried that fails like that each time.
async fn tries_of<T: 'static>(status: u16, call: impl FnOnce(&str) -> Call<T>) -> usize {
    let server = failing(9, ResponseTemplate::new(status)).await;
    let error = call(&server.uri()).await.err().unwrap();
    assert_eq!(error.status(), Some(status));
    tries(&server).await
}

#[tokio::test]
async fn after_429_every_call_is_repeated_and_after_503_no_write_without_a_condition() {
    let update = |url: &str| client(url).tasks().update(&"t".parse().unwrap(), TaskChange::new().title("T"));
    let delete = |url: &str| client(url).notes().delete(&"n".parse().unwrap());
    let create = |url: &str| session(url).keys().create(KeyDraft::new(KeyMode::McpRead));
    let revoke = |url: &str| session(url).keys().revoke(&"k".parse().unwrap());
    assert_eq!((tries_of(429, update).await, tries_of(503, update).await), (4, 1));
    assert_eq!((tries_of(429, delete).await, tries_of(503, delete).await), (4, 1));
    assert_eq!((tries_of(429, create).await, tries_of(503, create).await), (4, 1));
    assert_eq!((tries_of(429, revoke).await, tries_of(503, revoke).await), (4, 1));
    let switch = |url: &str| session(url).profile().update(ProfileChange::new().disable_personal_api());
    assert_eq!((tries_of(429, switch).await, tries_of(503, switch).await), (4, 1));
    let etag = "\"1\"".parse().unwrap();
    let update = |url: &str| update(url).if_match(&etag);
    let delete = |url: &str| delete(url).if_match(&etag);
    assert_eq!((tries_of(429, update).await, tries_of(503, update).await), (4, 4));
    assert_eq!((tries_of(429, delete).await, tries_of(503, delete).await), (4, 4));
}

/// A server that reads a request and then hangs up; it tells of each.
async fn closing() -> (String, mpsc::UnboundedReceiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (told, heard) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let read = connection.read(&mut [0; 4096]).await.unwrap();
            assert!(read > 0);
            told.send(()).unwrap();
        }
    });
    (url, heard)
}

#[tokio::test]
async fn a_connection_that_is_closed_ends_a_read_after_all_tries_and_a_creation_after_one() {
    let (url, mut heard) = closing().await;
    let is_lost = |error: &Error| error.status().is_none() && error.is_temporary() && !error.is_timeout();
    assert!(is_lost(&client(&url).read().notes().await.unwrap_err()));
    for _ in 0..4 {
        heard.recv().await.unwrap();
    }
    assert!(is_lost(&session(&url).keys().create(KeyDraft::new(KeyMode::McpRead)).await.unwrap_err()));
    heard.recv().await.unwrap();
    assert!(heard.try_recv().is_err());
}

/// An address where nobody listens yet, and what begins to, once it is asked for, with an empty list of keys.
fn coming_up() -> (String, impl FnOnce() -> std::thread::JoinHandle<()>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let come_up = move || {
        std::thread::spawn(move || {
            let (mut connection, _) = std::net::TcpListener::bind(address).unwrap().accept().unwrap();
            assert!(connection.read(&mut [0; 4096]).unwrap() > 0);
            let answer = b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
            connection.write_all(answer).unwrap();
        })
    };
    (format!("http://{address}"), come_up)
}

#[tokio::test]
async fn a_service_that_comes_up_meanwhile_is_reached_also_by_a_creation() {
    reach_late(|session| session.keys().create(KeyDraft::new(KeyMode::McpRead))).await;
}

#[tokio::test]
async fn a_service_that_comes_up_meanwhile_is_reached_also_by_an_update_without_a_condition() {
    reach_late(|session| session.tasks().update(&"t".parse().unwrap(), TaskChange::new().title("T"))).await;
}

async fn reach_late<T: 'static>(call: impl Fn(&SessionClient) -> Call<T>) {
    let (url, come_up) = coming_up();
    let once = SessionClient::builder().base_url(&url).cookie("session=s").max_retries(0).build().unwrap();
    let refused = call(&once).await.err().unwrap();
    assert!(refused.was_not_sent() && !refused.is_in_doubt(), "{refused:?}");
    // The first try is refused before this thread goes on; a later one finds the service.
    let patient = SessionClient::builder().base_url(&url).cookie("session=s").max_retries(20).build().unwrap();
    let mut pending = call(&patient).into_future();
    let refused = tokio::time::timeout(Duration::from_millis(50), &mut pending).await;
    assert!(refused.is_err(), "a service that is not there has answered");
    let service = come_up();
    // What it says is not what was asked for, but it was asked.
    assert_eq!(pending.await.err().unwrap().status(), Some(201));
    service.join().unwrap();
}

#[tokio::test]
async fn all_tries_together_take_no_longer_than_the_call_may() {
    let slow = ResponseTemplate::new(503).set_delay(Duration::from_millis(300));
    let server = failing(1_000, slow).await;
    let builder = FamilyClient::builder().base_url(server.uri()).token("token").max_retries(1_000);
    let begin = Instant::now();
    let error = builder.timeout(Duration::from_secs(2)).build().unwrap().read().notes().await.unwrap_err();
    assert!(error.is_temporary());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert!((2..8).contains(&tries(&server).await));
}
