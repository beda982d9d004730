//! Requests with the headers of proxies, from a trusted proxy and from other senders.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpStream};

use family_api_testing::postgres_tests;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use sqlx::Executor;

use crate::audit::audit_lines;
use crate::backend::{Backend, on_each_backend};
use crate::client::{self, Response, request, send};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};
use crate::tables::SESSIONS;

const ANA: &str = "ana@family.example";
const PUBLIC_URL: &str = "https://family.example";
const FAMILY: &str = "192.0.2.1";
const NEIGHBOUR: &str = "192.0.2.2";

on_each_backend! {
    sign_ins_are_audit_events_with_the_address_of_the_client,
}

/// Returns a client that is no trusted proxy, because it connects from another address.
fn stranger() -> Client {
    client::builder().local_address(IpAddr::from(Ipv4Addr::new(127, 0, 0, 2))).build().unwrap()
}

fn attempt(client: &Client, server: &Server, email: &str, password: &str) -> RequestBuilder {
    let body = json!({ "email": email, "password": password }).to_string();
    client.post(format!("{}/login", server.url)).header("content-type", "application/json").body(body)
}

/// Sends a request whose headers name another host.
async fn evil(client: &Client, server: &Server, path: &str) -> Response {
    let request = client.get(format!("{}{path}", server.url)).header("accept", "text/html, */*");
    let request = request.header("x-forwarded-proto", "https").header("x-forwarded-host", "evil.example");
    send(request.header("forwarded", "proto=https;host=evil.example")).await
}

/// Signs in with the right password, through a proxy that names the client's address.
async fn sign_in(client: &Client, server: &Server, address: &str) -> u16 {
    send(attempt(client, server, "chidi@family.example", PASSWORD).header("x-forwarded-for", address)).await.status
}

/// Guesses passwords of many accounts until a limit refuses the guesses. Returns the number of guesses.
async fn guess(client: &Client, server: &Server, address: impl Fn(usize) -> String) -> usize {
    // The limit refills by one attempt a second, so a slow machine may make more than 60.
    for guesses in 0..1_000 {
        let guess = attempt(client, server, &format!("{guesses}@family.example"), "guess");
        let answer = send(guess.header("x-forwarded-for", address(guesses))).await;
        if answer.status == 429 {
            return guesses;
        }
        assert_eq!(answer.problem(), (401, "not_signed_in".to_owned()));
    }
    panic!("the guesses are not limited");
}

#[tokio::test]
async fn failed_sign_ins_are_counted_by_the_address_of_the_client() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let server = sandbox.serve_with(&["--trusted-proxy", "127.0.0.1/32"], &[]);
    assert!(guess(&server.client, &server, |_| NEIGHBOUR.to_owned()).await >= 60);
    // Neither other clients of the proxy nor the proxy itself are limited.
    assert_eq!(sign_in(&server.client, &server, FAMILY).await, 200);
    assert_eq!(sign_in(&server.client, &server, "unknown").await, 200);
    // A forged address in front of the real one changes nothing: only attempts that were refilled since are left.
    assert!(guess(&server.client, &server, |number| format!("198.51.100.{number}, {NEIGHBOUR}")).await < 30);
}

#[tokio::test]
async fn a_stranger_with_forged_addresses_is_limited() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let server = sandbox.serve_with(&["--trusted-proxy", "127.0.0.1"], &[]);
    let stranger = stranger();
    assert!(guess(&stranger, &server, |number| format!("198.51.100.{}", number % 200)).await >= 60);
    assert!(guess(&stranger, &server, |_| FAMILY.to_owned()).await < 30);
    assert_eq!(sign_in(&server.client, &server, FAMILY).await, 200);
}

#[tokio::test]
async fn only_a_trusted_proxy_names_the_scheme_and_the_host() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let variables = [("FAMILY_API_TRUSTED_PROXIES", "10.0.0.0/8,127.0.0.1")];
    let server = sandbox.serve_with(&[], &variables);
    let sign_in = |client: &Client, headers: &[(&str, &str)]| {
        let attempt = attempt(client, &server, ANA, PASSWORD).header("origin", "https://family.example");
        send(headers.iter().fold(attempt, |attempt, (name, value)| attempt.header(*name, *value)))
    };
    let customary = [("x-forwarded-proto", "https"), ("x-forwarded-host", "family.example")];
    let standard = [("forwarded", r#"for=192.0.2.1;proto=https;host="family.example""#)];
    for headers in [&customary[..], &standard] {
        let trusted = sign_in(&server.client, headers).await;
        assert_eq!(trusted.status, 200, "{trusted:?}");
        assert!(trusted.header("set-cookie").unwrap().ends_with("; Secure"), "{trusted:?}");
        let forged = sign_in(&stranger(), headers).await;
        assert_eq!(forged.problem(), (403, "cross_site_request".to_owned()));
    }
    let forged = send(attempt(&stranger(), &server, ANA, PASSWORD).header("x-forwarded-proto", "https")).await;
    assert!(forged.status == 200 && !forged.header("set-cookie").unwrap().contains("Secure"), "{forged:?}");
}

#[tokio::test]
async fn assistants_are_sent_to_the_public_url_whatever_the_headers_name() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&["--public-url", PUBLIC_URL, "--trusted-proxy", "127.0.0.1"], &[]);
    for client in [server.client.clone(), stranger()] {
        for path in ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/api/v1/mcp"] {
            let answer = evil(&client, &server, path).await;
            assert!(answer.status == 200 && answer.text.contains(PUBLIC_URL), "{answer:?}");
            assert!(!answer.text.contains("evil"), "{answer:?}");
        }
        let challenge = evil(&client, &server, "/api/v1/mcp").await;
        assert!(challenge.header("www-authenticate").unwrap().contains(PUBLIC_URL), "{challenge:?}");
        assert!(!format!("{challenge:?}").contains("evil"), "{challenge:?}");
    }
}

#[tokio::test]
async fn without_a_public_url_no_header_names_the_server_of_assistants() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&["--trusted-proxy", "127.0.0.1"], &[]);
    for client in [server.client.clone(), stranger()] {
        assert_eq!(evil(&client, &server, "/.well-known/oauth-authorization-server").await.status, 404);
        let challenge = evil(&client, &server, "/api/v1/mcp").await;
        assert!(challenge.status == 401 && !format!("{challenge:?}").contains("evil"), "{challenge:?}");
    }
    let home = evil(&stranger(), &server, "/").await;
    assert!(home.status == 200 && !home.text.contains("evil"), "{}", home.text);
}

#[test]
fn a_network_of_all_addresses_is_refused() {
    let sandbox = Sandbox::on_sqlite();
    for network in ["0.0.0.0/0", "::/0", "localhost", "10.0.0.0/33", "127.0.0.1,"] {
        let output = sandbox.run(&["serve", "--trusted-proxy", network], "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{network}");
        assert!(error.contains("expected an address or a network such as 127.0.0.1, 10.0.0.0/8"), "{error}");
    }
}

async fn sign_ins_are_audit_events_with_the_address_of_the_client(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let lines = sign_in_events(&sandbox, "on").await;
    assert_eq!(
        lines[..5],
        [
            json!(["signed_in", "ana", null, FAMILY]),
            json!(["sign_in_failed", "ana", null, "2001:db8::1"]),
            json!(["sign_in_failed", null, null, NEIGHBOUR]),
            json!(["token_refused", null, "unknown", NEIGHBOUR]),
            json!(["sign_in_failed", null, null, "127.0.0.1"]),
        ]
    );
    assert!(lines.len() >= 15, "{lines:?}");
    assert_eq!(lines.last(), Some(&json!(["sign_in_throttled", null, "account_failures", "127.0.0.1"])));

    let without_addresses = sign_in_events(&sandbox, "off").await;
    assert_eq!(without_addresses[0], json!(["signed_in", "ana", null, null]));
    assert!(without_addresses.iter().all(|line| line[3].is_null()), "{without_addresses:?}");
    assert!(!sandbox.log().contains(NEIGHBOUR), "{}", sandbox.log());
}

postgres_tests! {
    async fn attempts_of_clients_that_disconnect_are_in_the_audit() {
        let sandbox = Sandbox::with_families(Backend::Postgres).await;
        let server = sandbox.serve_with(&["--log", "json"], &[]);
        let mut host = sandbox.database().unwrap().connect().await;
        // No password is found while this transaction is open.
        host.execute("BEGIN; LOCK TABLE passwords").await.unwrap();
        let attempts = [(); 2].map(|()| {
            let body = json!({ "email": ANA, "password": "guess" }).to_string();
            let head = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
            let mut stream = TcpStream::connect(server.address()).unwrap();
            write!(stream, "POST /login HTTP/1.1\r\nhost: x\r\n{head}{body}").unwrap();
            stream
        });
        sandbox.wait_for_rows(&format!("{SESSIONS} AND wait_event_type = 'Lock'"), 2).await;
        drop(attempts);
        assert!(server.stop().success());
        let log = sandbox.log();
        let lines: Vec<_> =
            audit_lines(&log).map(|line| json!([line["event"], line["reason"], line["address"]])).collect();
        assert_eq!(lines, [(); 2].map(|()| json!(["sign_in_failed", "unfinished", "127.0.0.1"])), "{log}");
    }
}

/// Signs in, fails to sign in, and is throttled. Returns event, user, reason and address of the audit lines.
async fn sign_in_events(sandbox: &Sandbox, addresses: &str) -> Vec<Value> {
    let options = ["--log", "json", "--trusted-proxy", "127.0.0.1", "--audit-addresses", addresses];
    let server = sandbox.serve_with(&options, &[]);
    let from = |address: &str, email: &str, password: &str| {
        send(attempt(&server.client, &server, email, password).header("x-forwarded-for", address))
    };
    assert_eq!(from(FAMILY, ANA, PASSWORD).await.status, 200);
    assert_eq!(from("[2001:db8::1]:80", ANA, "canary").await.status, 401);
    assert_eq!(from(NEIGHBOUR, "canary@family.example", "canary").await.status, 401);
    let token = request(&server, "GET", "/api/v1/me").bearer_auth("canary").header("x-forwarded-for", NEIGHBOUR);
    assert_eq!(send(token).await.status, 401);
    let throttled: Response = loop {
        let answer = from("unknown", "other@family.example", "canary").await;
        if answer.status != 401 {
            break answer;
        }
    };
    assert_eq!(throttled.problem(), (429, "rate_limited".to_owned()));
    assert!(server.stop().success());
    let log = sandbox.log();
    // An e-mail address that no user has can be a password in the wrong field.
    assert!(!log.contains("canary") && !log.contains('@'), "{log}");
    audit_lines(&log).map(|line| json!([line["event"], line["user"], line["reason"], line["address"]])).collect()
}
