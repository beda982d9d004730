//! 200 connections that send made-up credentials, or half a body. No request with a valid key is refused.

use std::cell::Cell;
use std::iter;
use std::time::{Duration, Instant};

use family_api_core::key::{KeyPrefix, KeySecret};
use futures_util::future::join_all;
use reqwest::RequestBuilder;
use reqwest::header::COOKIE;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::assistant::{VERIFIER, form};
use crate::backend::{Backend, on_each_backend};
use crate::client::{request, send, with_token};
use crate::credential::Credential;
use crate::figures::Figures;
use crate::flood::unknown_secret;
use crate::latencies::Latencies;
use crate::sandbox::{Sandbox, Server};
use crate::session::{Key, create_key, session_cookie};
use crate::short_or_long;

/// The number of connections of the attacker.
const ATTACKERS: usize = 200;
/// The number of valid keys. They are used in turn, so that no key reaches its rate limit.
const VALID_KEYS: usize = 20;
/// The pause between two requests with a valid key: with 20 keys, 200 requests a minute for each.
const PAUSE: Duration = Duration::from_millis(15);
/// The time for which a connection with half a body stays open.
const HALF_BODY: Duration = Duration::from_millis(500);

const CLIENT: &str = "https://client.example/metadata";

on_each_backend! {
    made_up_credentials_refuse_no_valid_key,
    half_bodies_refuse_no_valid_key,
}

/// A kind of made-up credential. Its form is right, so each one must be looked up.
#[derive(Debug, Clone, Copy)]
enum MadeUp {
    RefreshToken,
    Code,
    Revocation,
    AccessToken,
    Key,
    Session,
    Feed,
}

impl MadeUp {
    const ALL: [Self; 7] =
        [Self::RefreshToken, Self::Code, Self::Revocation, Self::AccessToken, Self::Key, Self::Session, Self::Feed];

    fn request(self, server: &Server) -> RequestBuilder {
        let grant = |grant_type, name, secret: String| {
            let fields = [("grant_type", grant_type), ("client_id", CLIENT), (name, secret.as_str())];
            form(server, "/oauth/token", &[&fields[..], &[("code_verifier", VERIFIER)]].concat())
        };
        match self {
            Self::RefreshToken => grant("refresh_token", "refresh_token", unknown_secret("famr_")),
            Self::Code => grant("authorization_code", "code", unknown_secret("famc_")),
            Self::Revocation => form(server, "/oauth/revoke", &[("token", unknown_secret("famr_"))]),
            Self::AccessToken => {
                Credential::Token(unknown_secret("fama_")).request(server, "POST", "/api/v1/mcp", Some(json!({})))
            }
            Self::Key => request(server, "GET", "/api/v1/me").bearer_auth(unknown_secret("fam_")),
            Self::Session => {
                let cookie = format!("family_session={}", unknown_secret("session_"));
                request(server, "GET", "/api/users/me").header(COOKIE, cookie)
            }
            Self::Feed => request(server, "GET", &format!("/calendar/{}.ics", unknown_secret("famcal_"))),
        }
    }
}

/// Where the half bodies go, and the credential that comes with them.
const HALVES: [(&str, &str, Presented); 7] = [
    ("PATCH", "/api/v1/notes/wifi", Presented::ValidKey),
    ("POST", "/api/v1/notes", Presented::MadeUpKey),
    ("POST", "/api/v1/mcp", Presented::ValidKey),
    ("POST", "/api/mcp", Presented::MadeUpKey),
    ("POST", "/oauth/token", Presented::Form),
    ("POST", "/oauth/revoke", Presented::Form),
    ("POST", "/login", Presented::Form),
];

#[derive(Debug, Clone, Copy)]
enum Presented {
    ValidKey,
    MadeUpKey,
    Form,
}

impl Presented {
    fn headers(self, valid: &str) -> String {
        match self {
            Self::ValidKey => format!("authorization: Bearer {valid}\r\ncontent-type: application/json\r\n"),
            Self::MadeUpKey => {
                let made_up = KeySecret::generate(&KeyPrefix::default()).unwrap();
                format!("authorization: Bearer {}\r\ncontent-type: application/json\r\n", made_up.expose())
            }
            Self::Form => "content-type: application/x-www-form-urlencoded\r\n".to_owned(),
        }
    }
}

async fn made_up_credentials_refuse_no_valid_key(backend: Backend) {
    let mut figures = Figures::new(format!("{ATTACKERS} connections with made-up credentials, {backend:?}"));
    let each = MadeUp::ALL.map(|kind| vec![kind]);
    for kinds in each.into_iter().chain(iter::once(MadeUp::ALL.to_vec())) {
        let trial = Trial::new(backend).await;
        let answers = Cell::new(0_u64);
        let unexpected = Cell::new(None);
        let attackers = join_all((0..ATTACKERS).map(async |number| {
            loop {
                let kind = kinds[number % kinds.len()];
                match (kind, send(kind.request(&trial.server)).await.status) {
                    (MadeUp::Feed, 404) | (_, 200 | 400 | 401 | 429) => answers.set(answers.get() + 1),
                    (_, other) => unexpected.set(Some(other)),
                }
            }
        }));
        let latencies = tokio::select! {
            latencies = trial.read_with_valid_keys() => latencies,
            _ = attackers => unreachable!("attackers never stop"),
        };
        assert_eq!(unexpected.get(), None, "the status of a request with {kinds:?}");
        figures.add(format!("{kinds:?}: requests with valid keys, all answered with 200"), latencies);
        figures.add("… refused requests", answers.get());
    }
    figures.print();
}

async fn half_bodies_refuse_no_valid_key(backend: Backend) {
    let trial = Trial::new(backend).await;
    let closed = Cell::new(0_u64);
    let attackers = join_all((0..ATTACKERS).map(async |number| {
        let (method, path, presented) = HALVES[number % HALVES.len()];
        loop {
            let headers = presented.headers(&trial.keys[0].token);
            let head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}content-length: 99\r\n\r\n{{");
            let mut stream = TcpStream::connect(trial.server.address()).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            // Ends early if the server refuses the request.
            let _ = timeout(HALF_BODY, stream.read(&mut [0; 1024])).await;
            closed.set(closed.get() + 1);
        }
    }));
    let latencies = tokio::select! {
        latencies = trial.read_with_valid_keys() => latencies,
        _ = attackers => unreachable!("attackers never stop"),
    };
    let mut figures = Figures::new(format!("{ATTACKERS} connections with half a body, {backend:?}"));
    figures.add("requests with valid keys, all answered with 200", latencies);
    figures.add("connections with half a body", closed.get());
    figures.print();
}

struct Trial {
    server: Server,
    /// The first key belongs to the attacker.
    keys: Vec<Key>,
    _sandbox: Sandbox,
}

impl Trial {
    async fn new(backend: Backend) -> Self {
        let sandbox = Sandbox::with_families(backend).await;
        let server = sandbox.serve_with(&[], &[("FAMILY_API_LOG", "error")]);
        let cookie = session_cookie(&server, "ana").await;
        let mut keys = Vec::new();
        for _ in 0..=VALID_KEYS {
            keys.push(create_key(&server, &cookie).await);
        }
        Self { server, keys, _sandbox: sandbox }
    }

    /// Reads with the valid keys in turn.
    async fn read_with_valid_keys(&self) -> Latencies {
        let mut latencies = Latencies::default();
        let began = Instant::now();
        while began.elapsed() < short_or_long(Duration::from_secs(1), Duration::from_secs(20)) {
            for key in &self.keys[1..] {
                sleep(PAUSE).await;
                let sent = Instant::now();
                let answer = with_token(&self.server, &key.token, "GET", "/api/v1/read/tasks", None).await;
                assert_eq!(answer.status, 200, "{answer:?}");
                latencies.push(sent.elapsed());
            }
        }
        latencies
    }
}
