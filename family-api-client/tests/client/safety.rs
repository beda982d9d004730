//! The secret stays where it belongs.

use std::io;
use std::sync::{Arc, Mutex};

use family_api_client::{FamilyClient, SessionClient};
use wiremock::matchers::{any, path};
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
    let own = reqwest::Client::builder().user_agent("mine");
    let session =
        SessionClient::builder().base_url(server.uri()).header("x-session", "canary").http_client_builder(own);
    let session = session.build().unwrap();
    assert_eq!(session.keys().list().await.unwrap_err().status(), Some(307));
    assert_eq!(session.sign_in("ana@example.org", "canary-password").await.unwrap_err().status(), Some(307));
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
    let heard = server.received_requests().await.unwrap();
    assert_eq!((heard.len(), &heard[1].headers["user-agent"]), (3, &"mine".parse().unwrap()));
}

#[tokio::test]
async fn the_callers_own_client_may_follow_redirects_but_takes_no_token_along() {
    let (server, elsewhere) = redirecting().await;
    let own = reqwest::Client::builder().user_agent("mine").build().unwrap();
    let builder = FamilyClient::builder().base_url(server.uri()).token("canary-token").http_client(own);
    // It may lead to a proxy.
    assert!(builder.clone().build().unwrap_err().is_configuration());
    assert!(builder.allow_plain_http().build().unwrap().read().notes().await.unwrap().is_empty());
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

/// A server that answers with what it was sent, in every place that an error shows.
async fn echoing(secret: &str) -> [MockServer; 3] {
    let problem = format!(
        r#"{{"type":"{secret}","title":"{secret}","status":422,"code":"{secret}","detail":"{secret}","errors":[{{"pointer":"/{secret}","detail":"{secret}"}}],"requestId":"{secret}"}}"#
    );
    let problem = ResponseTemplate::new(422).set_body_raw(problem, "application/problem+json");
    let text = ResponseTemplate::new(502).set_body_raw(format!("you sent {secret}"), "text/plain");
    let cut =
        ResponseTemplate::new(502).set_body_raw(format!("you sent {}", &secret[..secret.len() - 1]), "text/plain");
    let answers = [problem, text, cut].map(|answer| answer.insert_header("x-request-id", secret));
    let [problem, text, cut] = answers;
    [answering(problem).await, answering(text).await, answering(cut).await]
}

fn assert_silent(error: &family_api_client::Error) {
    let asked = format!(
        "{:?} {:?} {:?} {:?} {:?}",
        error.code(),
        error.detail(),
        error.text(),
        error.request_id(),
        error.field_errors()
    );
    let shown = format!("{error} {error:?} {asked}");
    assert!(!shown.contains("canary") && shown.contains("[redacted]"), "{shown}");
}

#[tokio::test]
async fn an_answer_that_repeats_the_secret_is_shown_without_it() {
    for server in echoing("canary-token-1234").await {
        let client = FamilyClient::builder().base_url(server.uri()).token("canary-token-1234").build().unwrap();
        assert_silent(&client.read().notes().await.unwrap_err());
        for (name, value) in [("x-session", "canary-token-1234"), ("authorization", "Bearer canary-token-1234")] {
            let session = SessionClient::builder().base_url(server.uri()).header(name, value).build().unwrap();
            assert_silent(&session.keys().list().await.unwrap_err());
        }
        let session =
            SessionClient::builder().base_url(server.uri()).cookie("a=b; s=canary-token-1234").build().unwrap();
        assert_silent(&session.keys().list().await.unwrap_err());
    }
}

#[tokio::test]
async fn an_answer_that_repeats_the_password_is_shown_without_it() {
    for (password, echo) in
        [("canary", "canary"), (r#"can"ary"#, r#"can\"ary"#), (r#"canary""#, r#"canary\""#), ("cn", "cn")]
    {
        let body = format!(r#"{{"email":"a@b","password":"{echo}"}}"#);
        let server = answering(ResponseTemplate::new(400).set_body_raw(body, "text/plain")).await;
        let session = SessionClient::builder().base_url(server.uri()).build().unwrap();
        let error = session.sign_in("a@b", password).await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(echo) && shown.contains("[redacted]"), "{shown}");
    }
}

#[tokio::test]
async fn a_session_carries_every_cookie_that_signing_in_has_set_and_none_that_it_took_away() {
    let profile = r#"{"id":"u","name":"Ana","email":"a@b","image":null,"color":null,"emoji":null,"familyId":null,"displayCurrency":"EUR","timeZone":"UTC","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false}"#;
    let signed_in = ResponseTemplate::new(200).set_body_raw(profile, "application/json");
    let cookies = ["old=; Max-Age=0", "lb=1; Path=/", "session=canary-session; HttpOnly"];
    let signed_in = cookies.into_iter().fold(signed_in, |answer, cookie| answer.append_header("set-cookie", cookie));
    let server = MockServer::start().await;
    Mock::given(path("/login")).respond_with(signed_in).mount(&server).await;
    let tokens = ResponseTemplate::new(200).set_body_raw(r#"{"tokens":[]}"#, "application/json");
    Mock::given(any()).respond_with(tokens).mount(&server).await;
    let session = SessionClient::builder().base_url(server.uri()).build().unwrap();
    session.sign_in("a@b", "password").await.unwrap();
    session.keys().list().await.unwrap();
    session.sign_out().await.unwrap_err();
    session.keys().list().await.unwrap();
    let heard = server.received_requests().await.unwrap();
    let sent: Vec<_> =
        heard.iter().map(|request| request.headers.get("cookie").map(|value| value.to_str().unwrap())).collect();
    let both = Some("lb=1; session=canary-session");
    // The answer to signing out could not be read, so whether the session is there is not known.
    assert_eq!(sent, [None, both, both, both]);
}

#[tokio::test]
async fn signing_in_without_a_cookie_is_no_success_and_keeps_what_there_was() {
    let server = answering(ResponseTemplate::new(200).set_body_raw("{}", "application/json")).await;
    let session = SessionClient::builder().base_url(server.uri()).header("x-session", "canary").build().unwrap();
    let error = session.sign_in("a@b", "password").await.unwrap_err();
    assert!(error.to_string().ends_with("no session's cookie; the call may have taken effect"), "{error}");
    session.keys().list().await.unwrap_err();
    assert_eq!(server.received_requests().await.unwrap()[1].headers["x-session"], "canary");
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
    let session = || SessionClient::builder().base_url("http://family.example");
    assert!(session().build().is_err() && session().allow_plain_http().build().is_ok());
}
