//! The secret stays where it belongs.

use std::io;
use std::sync::{Arc, Mutex};

use family_api_client::{FamilyClient, SessionClient};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::service::Service;

async fn answering(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

/// A server that sends everybody to another host, and that other host.
async fn redirecting() -> (MockServer, MockServer) {
    let elsewhere = answering(ResponseTemplate::new(200).set_body_raw("[]", "application/json")).await;
    let target = elsewhere.uri().replace("127.0.0.1", "localhost");
    let server = answering(ResponseTemplate::new(307).insert_header("location", target)).await;
    (server, elsewhere)
}

#[tokio::test]
async fn a_redirect_is_a_failure_and_the_other_host_hears_nothing() {
    let (server, elsewhere) = redirecting().await;
    let client = FamilyClient::builder().base_url(server.uri()).token("canary-token").build().unwrap();
    assert_eq!(client.read().notes().await.unwrap_err().status(), Some(307));
    let session = SessionClient::builder().base_url(server.uri()).header("x-session", "canary").build().unwrap();
    assert_eq!(session.keys().list().await.unwrap_err().status(), Some(307));
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_callers_own_client_may_follow_redirects_but_takes_no_token_along() {
    let (server, elsewhere) = redirecting().await;
    let own = reqwest::Client::builder().user_agent("mine").build().unwrap();
    let builder = FamilyClient::builder().base_url(server.uri()).token("canary-token").http_client(own);
    assert!(builder.build().unwrap().read().notes().await.unwrap().is_empty());
    let heard = elsewhere.received_requests().await.unwrap();
    assert_eq!(heard[0].headers["user-agent"], "mine");
    assert!(!heard[0].headers.contains_key("authorization"), "{:?}", heard[0].headers);
    assert!(server.received_requests().await.unwrap()[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn the_secret_is_in_no_debug_output_and_no_error() {
    let service = Service::start().await;
    let builder = FamilyClient::builder().base_url(&service.url).token("canary-token");
    let mut shown = vec![format!("{builder:?}")];
    let client = builder.build().unwrap();
    let call = client.read().notes();
    shown.push(format!("{client:?} {:?} {:?} {call:?}", client.read(), client.tasks()));
    let error = call.await.unwrap_err();
    shown.push(format!("{error:?} {error}"));
    assert_eq!(error.code(), Some("invalid_token"));

    let builder = SessionClient::builder().base_url(&service.url).cookie("session=canary-session");
    shown.push(format!("{builder:?}"));
    let session = builder.build().unwrap();
    let sign_in = session.sign_in("ana@example.org", "canary-password");
    shown.push(format!("{session:?} {:?} {sign_in:?}", session.keys()));
    let error = sign_in.await.unwrap_err();
    shown.push(format!("{error:?} {error}"));
    assert!(error.is_not_found());
    assert!(!shown.concat().contains("canary"), "{shown:?}");
}

/// Everything that this process logs, at every level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_secret_is_in_no_log() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).init();
    let service = Service::start().await;
    let client = FamilyClient::builder().base_url(&service.url).token("canary-token").build().unwrap();
    assert!(client.read().notes().await.unwrap_err().is_unauthorized());
    let session = SessionClient::builder().base_url(&service.url).cookie("session=canary-session").build().unwrap();
    assert!(session.sign_in("ana@example.org", "canary-password").await.is_err());
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("starting new connection"), "{log}");
    assert!(!log.contains("canary-"), "{log}");
}

#[test]
fn clients_are_shared_between_tasks() {
    fn is_shared<T: Clone + Send + Sync + 'static>() {}
    is_shared::<FamilyClient>();
    is_shared::<SessionClient>();
}

#[tokio::test]
async fn a_token_travels_in_its_header_only() {
    let server = answering(ResponseTemplate::new(200).set_body_raw("[]", "application/json")).await;
    let client = FamilyClient::builder().base_url(server.uri()).token("canary-token").build().unwrap();
    client.read().notes().await.unwrap();
    let heard = &server.received_requests().await.unwrap()[0];
    assert_eq!(heard.headers["authorization"], "Bearer canary-token");
    assert!(heard.headers["user-agent"].to_str().unwrap().starts_with("family-api-client/"));
    let elsewhere = heard.headers.iter().filter(|(name, _)| *name != "authorization");
    assert!(!format!("{} {:?}", heard.url, elsewhere.collect::<Vec<_>>()).contains("canary"));
}

#[test]
fn plain_http_to_another_machine_must_be_allowed() {
    let builder = || FamilyClient::builder().base_url("http://family.example").token("token");
    let refused = builder().build().unwrap_err();
    assert!(refused.status().is_none() && refused.to_string().contains("plain http"), "{refused}");
    assert!(builder().allow_plain_http().build().is_ok());
    let session = SessionClient::builder().base_url("http://family.example");
    assert!(session.clone().build().is_err() && session.allow_plain_http().build().is_ok());
}
