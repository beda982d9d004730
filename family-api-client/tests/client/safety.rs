//! Secrets are sent only to their host, and are absent from logs and errors.

use std::io;
use std::sync::{Arc, Mutex};

use family_api_client::{FamilyClient, SessionClient};
use wiremock::matchers::{any, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::service::{Service, server_returning};

/// Starts a server that redirects to another host. Returns both servers.
async fn redirecting_server() -> (MockServer, MockServer) {
    let elsewhere = server_returning(ResponseTemplate::new(200).set_body_raw("[]", "application/json")).await;
    let target = elsewhere.uri().replace("127.0.0.1", "localhost");
    let server = server_returning(ResponseTemplate::new(307).insert_header("location", target)).await;
    (server, elsewhere)
}

#[tokio::test]
async fn a_redirect_is_an_error_and_is_not_followed() {
    let (server, elsewhere) = redirecting_server().await;
    let client = FamilyClient::builder().base_url(server.uri()).token("canary-token").build().unwrap();
    assert_eq!(client.read().notes().await.unwrap_err().status(), Some(307));
    let own = reqwest::Client::builder().user_agent("mine");
    let session =
        SessionClient::builder().base_url(server.uri()).header("x-session", "canary").http_client_builder(own);
    let session = session.build().unwrap();
    assert_eq!(session.keys().list().await.unwrap_err().status(), Some(307));
    assert_eq!(session.sign_in("ana@example.org", "canary-password").await.unwrap_err().status(), Some(307));
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
    let received = server.received_requests().await.unwrap();
    assert_eq!((received.len(), &received[1].headers["user-agent"]), (3, &"mine".parse().unwrap()));
}

#[tokio::test]
async fn a_custom_client_follows_redirects_without_the_token() {
    let (server, elsewhere) = redirecting_server().await;
    let own = reqwest::Client::builder().user_agent("mine").build().unwrap();
    let builder = FamilyClient::builder().base_url(server.uri()).token("canary-token").http_client(own);
    // A custom client may use a proxy, so plain http must be allowed explicitly.
    assert!(builder.clone().build().unwrap_err().is_configuration());
    assert!(builder.allow_plain_http().build().unwrap().read().notes().await.unwrap().is_empty());
    let received = elsewhere.received_requests().await.unwrap();
    assert_eq!(received[0].headers["user-agent"], "mine");
    assert!(!received[0].headers.contains_key("authorization"), "{:?}", received[0].headers);
    assert!(server.received_requests().await.unwrap()[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn secrets_are_absent_from_debug_output_and_errors() {
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

/// The log of this process, at every level.
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
async fn secrets_are_absent_from_logs() {
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

/// Starts servers that return the secret in every field that an error shows.
async fn echoing_servers(secret: &str) -> [MockServer; 3] {
    let problem = format!(
        r#"{{"type":"{secret}","title":"{secret}","status":422,"code":"{secret}","detail":"{secret}","errors":[{{"pointer":"/{secret}","detail":"{secret}"}}],"requestId":"{secret}"}}"#
    );
    let problem = ResponseTemplate::new(422).set_body_raw(problem, "application/problem+json");
    let text = ResponseTemplate::new(502).set_body_raw(format!("you sent {secret}"), "text/plain");
    let truncated =
        ResponseTemplate::new(502).set_body_raw(format!("you sent {}", &secret[..secret.len() - 1]), "text/plain");
    let responses = [problem, text, truncated].map(|response| response.insert_header("x-request-id", secret));
    let [problem, text, truncated] = responses;
    [server_returning(problem).await, server_returning(text).await, server_returning(truncated).await]
}

fn assert_redacted(error: &family_api_client::Error) {
    let fields = format!(
        "{:?} {:?} {:?} {:?} {:?}",
        error.code(),
        error.detail(),
        error.text(),
        error.request_id(),
        error.field_errors()
    );
    let shown = format!("{error} {error:?} {fields}");
    assert!(!shown.contains("canary") && shown.contains("[redacted]"), "{shown}");
}

#[tokio::test]
async fn a_secret_in_a_response_is_redacted() {
    for server in echoing_servers("canary-token-1234").await {
        let client = FamilyClient::builder().base_url(server.uri()).token("canary-token-1234").build().unwrap();
        assert_redacted(&client.read().notes().await.unwrap_err());
        for (name, value) in [("x-session", "canary-token-1234"), ("authorization", "Bearer canary-token-1234")] {
            let session = SessionClient::builder().base_url(server.uri()).header(name, value).build().unwrap();
            assert_redacted(&session.keys().list().await.unwrap_err());
        }
        let session =
            SessionClient::builder().base_url(server.uri()).cookie("a=b; s=canary-token-1234").build().unwrap();
        assert_redacted(&session.keys().list().await.unwrap_err());
    }
}

#[tokio::test]
async fn a_password_in_a_response_is_redacted() {
    for (password, echo) in
        [("canary", "canary"), (r#"can"ary"#, r#"can\"ary"#), (r#"canary""#, r#"canary\""#), ("cn", "cn")]
    {
        let body = format!(r#"{{"email":"a@b","password":"{echo}"}}"#);
        let server = server_returning(ResponseTemplate::new(400).set_body_raw(body, "text/plain")).await;
        let session = SessionClient::builder().base_url(server.uri()).build().unwrap();
        let error = session.sign_in("a@b", password).await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(echo) && shown.contains("[redacted]"), "{shown}");
    }
}

#[tokio::test]
async fn a_session_sends_the_cookies_that_sign_in_has_set() {
    let profile = r#"{"id":"u","name":"Ana","email":"a@b","image":null,"color":null,"emoji":null,"familyId":null,"displayCurrency":"EUR","timeZone":"UTC","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false}"#;
    let signed_in = ResponseTemplate::new(200).set_body_raw(profile, "application/json");
    let cookies = ["old=; Max-Age=0", "lb=1; Path=/", "session=canary-session; HttpOnly"];
    let signed_in =
        cookies.into_iter().fold(signed_in, |response, cookie| response.append_header("set-cookie", cookie));
    let server = MockServer::start().await;
    Mock::given(path("/login")).respond_with(signed_in).mount(&server).await;
    let tokens = ResponseTemplate::new(200).set_body_raw(r#"{"tokens":[]}"#, "application/json");
    Mock::given(any()).respond_with(tokens).mount(&server).await;
    let session = SessionClient::builder().base_url(server.uri()).build().unwrap();
    session.sign_in("a@b", "password").await.unwrap();
    session.keys().list().await.unwrap();
    session.sign_out().await.unwrap_err();
    session.keys().list().await.unwrap();
    let received = server.received_requests().await.unwrap();
    let sent: Vec<_> =
        received.iter().map(|request| request.headers.get("cookie").map(|value| value.to_str().unwrap())).collect();
    let both = Some("lb=1; session=canary-session");
    // The response to sign-out could not be decoded, so the session may still exist.
    assert_eq!(sent, [None, both, both, both]);
}

#[tokio::test]
async fn sign_in_without_a_cookie_fails_and_keeps_the_credential() {
    let server = server_returning(ResponseTemplate::new(200).set_body_raw("{}", "application/json")).await;
    let session = SessionClient::builder().base_url(server.uri()).header("x-session", "canary").build().unwrap();
    let error = session.sign_in("a@b", "password").await.unwrap_err();
    assert!(error.to_string().ends_with("no session cookie; the call may have taken effect"), "{error}");
    session.keys().list().await.unwrap_err();
    assert_eq!(server.received_requests().await.unwrap()[1].headers["x-session"], "canary");
}

#[test]
fn clients_can_be_shared_between_tasks() {
    fn is_shared<T: Clone + Send + Sync + 'static>() {}
    is_shared::<FamilyClient>();
    is_shared::<SessionClient>();
}

#[tokio::test]
async fn the_token_is_sent_only_in_its_header() {
    let server = server_returning(ResponseTemplate::new(200).set_body_raw("[]", "application/json")).await;
    let client = FamilyClient::builder().base_url(server.uri()).token("canary-token").build().unwrap();
    client.read().notes().await.unwrap();
    let received = &server.received_requests().await.unwrap()[0];
    assert_eq!(received.headers["authorization"], "Bearer canary-token");
    assert!(received.headers["user-agent"].to_str().unwrap().starts_with("family-api-client/"));
    let others = received.headers.iter().filter(|(name, _)| *name != "authorization");
    assert!(!format!("{} {:?}", received.url, others.collect::<Vec<_>>()).contains("canary"));
}

#[test]
fn plain_http_to_another_machine_is_refused_by_default() {
    let builder = || FamilyClient::builder().base_url("http://family.example").token("token");
    let refused = builder().build().unwrap_err();
    assert!(refused.status().is_none() && refused.to_string().contains("plain http"), "{refused}");
    assert!(builder().allow_plain_http().build().is_ok());
    let session = || SessionClient::builder().base_url("http://family.example");
    assert!(session().build().is_err() && session().allow_plain_http().build().is_ok());
}
