//! Made-up credentials take no permits of requests with known ones, and cost no work above the limit of their address.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use async_trait::async_trait;
use family_api_core::access::VerifiedToken;
use family_api_core::limit::Rate;
use family_api_core::storage::SignedIn;
use family_api_core::{Error, FamilyApi, Surface, TokenVerifier};
use family_api_salvo::{FamilyRoutes, OAuth, SessionAuthenticator, TrustedProxies};
use futures_util::future::{join_all, poll_immediate};
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Depot, Request, Router, Service};
use tokio::join;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use crate::faults::{CODE, Grants, REFRESH};
use crate::harness::{Parameters, VERIFIER, consent_form, form, request, revocation_request, token_request};
use crate::mounted;
use crate::storages::StorageKind;
use crate::support::{CookieAuthenticator, TestResponse, TestServer, fixture, send, token};

const ACCESS: &str = "fama_16qJFWMMHFy3xDdLmvUeyc2S6FrWRhJP51HsvDYdz9d1FsYG";
const KEY: &str = "fam_16qJFWMMHFy3xDdLmvUeyc2S6FrWRhJP51HsvDYdz9d1FsYG";
const CLIENT: &str = "https://client.example/metadata";

/// More requests than the default maximum of concurrent requests.
const FLOOD: usize = 100;

/// Lookups of credentials that find nothing, and wait until the test opens the gate.
#[derive(Clone)]
pub(crate) struct Lookups(Arc<State>);

struct State {
    gate: Semaphore,
    begun: AtomicUsize,
    running: AtomicUsize,
    most: AtomicUsize,
    begins: Notify,
}

impl Lookups {
    fn held() -> Self {
        Self(Arc::new(State {
            gate: Semaphore::new(0),
            begun: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            begins: Notify::new(),
        }))
    }

    fn open() -> Self {
        let lookups = Self::held();
        lookups.release();
        lookups
    }

    fn release(&self) {
        self.0.gate.close();
    }

    pub(crate) async fn run(&self) {
        self.0.begun.fetch_add(1, SeqCst);
        self.0.most.fetch_max(self.0.running.fetch_add(1, SeqCst) + 1, SeqCst);
        self.0.begins.notify_one();
        // An error means that the gate is open.
        let _ = self.0.gate.acquire().await;
        self.0.running.fetch_sub(1, SeqCst);
    }

    fn begun(&self) -> usize {
        self.0.begun.load(SeqCst)
    }

    /// Returns the highest number of lookups at the same time.
    fn most(&self) -> usize {
        self.0.most.load(SeqCst)
    }
}

#[async_trait]
impl TokenVerifier for Lookups {
    async fn verify(&self, _: &str, _: Surface) -> Result<Option<VerifiedToken>, Error> {
        self.run().await;
        Ok(None)
    }
}

/// Finds the sessions of the fixture's users. A session of another user is looked up slowly.
#[async_trait]
impl SessionAuthenticator for Lookups {
    async fn user(&self, req: &Request, depot: &Depot) -> Result<Option<SignedIn>, Error> {
        if req.cookie("user").is_some_and(|cookie| cookie.value() == "made-up") {
            self.run().await;
            return Ok(None);
        }
        CookieAuthenticator.user(req, depot).await
    }
}

/// Mounts all routes. Only the keys and the sessions of the fixture are found.
async fn routes(lookups: &Lookups) -> FamilyRoutes {
    let (storage, _) = fixture::seeded(StorageKind::Memory).await;
    let api = FamilyApi::builder(storage).grants(Arc::new(Grants::Empty(lookups.clone())));
    let api = api.token_verifier(Arc::new(lookups.clone())).build();
    FamilyRoutes::new(api).session(lookups.clone()).oauth(OAuth::new(mounted::issuer()))
}

/// Serves the routes, and takes the address of a client from the header of the test.
async fn serve(routes: FamilyRoutes) -> TestServer {
    let service = Service::new(Router::new().push(routes.into_router()));
    TestServer::start(service.hoop(TrustedProxies::new(vec!["127.0.0.1".parse().unwrap()]))).await
}

async fn read_with(app: &Service, key: &str) -> TestResponse {
    send(app, request(Method::GET, "/api/v1/read/notes").bearer_auth(token(key))).await
}

fn refresh() -> RequestBuilder {
    token_request(&[("grant_type", "refresh_token"), ("client_id", CLIENT), ("refresh_token", REFRESH)])
}

fn redemption() -> RequestBuilder {
    let code = [("grant_type", "authorization_code"), ("client_id", CLIENT), ("code", CODE)];
    token_request(&[&code[..], &[("code_verifier", VERIFIER)]].concat())
}

fn revocation(token: &str) -> RequestBuilder {
    revocation_request(&[("token", token)])
}

fn call(token: &str) -> RequestBuilder {
    request(Method::POST, "/api/v1/mcp").bearer_auth(token).raw_json("{}")
}

fn in_made_up_session(path: &str) -> RequestBuilder {
    request(Method::GET, path).add_header("cookie", "user=made-up", true)
}

#[tokio::test]
async fn made_up_credentials_do_not_refuse_valid_keys() {
    type MadeUp = fn() -> RequestBuilder;
    let floods: [(&str, bool, MadeUp); 9] = [
        ("refresh token", false, refresh),
        ("code", false, redemption),
        ("revocation of a refresh token", false, || revocation(REFRESH)),
        ("revocation of an access token", false, || revocation(ACCESS)),
        ("key", true, || call(KEY)),
        ("access token", true, || call(ACCESS)),
        ("session", false, || in_made_up_session("/api/users/me")),
        ("session of an authorization", false, || in_made_up_session(&Parameters::of("registered.client").path())),
        ("session of a consent", false, || consent_form("made-up").body("request=x&decision=deny")),
    ];
    for (name, is_token, made_up) in floods {
        let lookups = Lookups::held();
        let app = mounted::service(routes(&lookups).await);
        assert_eq!(read_with(&app, "ann-read").await.status, 200, "{name}");
        let mut flood: Vec<_> = (0..FLOOD).map(|_| Box::pin(send(&app, made_up()))).collect();
        for request in &mut flood {
            let refused = poll_immediate(request).await;
            assert!(refused.is_none(), "{name}: {refused:?}");
        }
        assert_eq!(read_with(&app, "ann-read").await.status, 200, "{name}");
        // A key that was not used before waits behind other tokens only.
        if !is_token {
            assert_eq!(read_with(&app, "ann-rw").await.status, 200, "{name}");
        }
        lookups.release();
        let new_key = async { assert_eq!(read_with(&app, "ann-full").await.status, 200, "{name}") };
        let (answers, ()) = join!(join_all(flood), new_key);
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert!(!statuses.contains(&503), "{name}: {statuses:?}");
        assert!((1..=8).contains(&lookups.most()), "{name}: {} lookups at the same time", lookups.most());
    }
}

fn raw(method: &str, path: &str, address: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: family.example\r\nconnection: close\r\nx-forwarded-for: {address}\r\n\
         content-length: {length}\r\n{more}\r\n{body}"
    )
}

fn with_token(address: &str, method: &str, path: &str, token: &str) -> String {
    let more = format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
    raw(method, path, address, &more, if method == "GET" { "" } else { "{}" })
}

fn with_form(address: &str, path: &str, fields: &[(&str, &str)]) -> String {
    raw("POST", path, address, "content-type: application/x-www-form-urlencoded\r\n", &form(fields))
}

async fn status(server: &TestServer, request: &str) -> String {
    server.send(request.as_bytes()).await.0.split(' ').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn address_above_the_limit_waits_in_its_own_queue() {
    const ATTACKER: &str = "192.0.2.1";
    const OTHER: &str = "198.51.100.1";
    let lookups = Lookups::held();
    let routes = routes(&lookups).await.invalid_credential_limit(Rate::per_minute(1.try_into().unwrap()));
    let server = serve(routes).await;
    let made_up = with_token(ATTACKER, "POST", "/api/v1/mcp", KEY);
    assert_eq!(status(&server, &with_token(ATTACKER, "GET", "/api/v1/me", "fam_x")).await, "401");
    let flood = join_all((0..20).map(|_| status(&server, &made_up)));
    let others = async {
        lookups.0.begins.notified().await;
        // One lookup of the attacker is held. The tokens of all other addresses are looked up beside it.
        for key in ["ann-read", "ann-rw", "ann-mcp"] {
            let read = with_token(OTHER, "GET", "/api/mcp/read/notes", &token(key));
            assert_eq!(status(&server, &read).await, "200", "{key}");
        }
        // The key is known now, so it also works at once from the attacker's address.
        let read = with_token(ATTACKER, "GET", "/api/v1/read/notes", &token("ann-read"));
        assert_eq!(status(&server, &read).await, "200");
        lookups.release();
        // A valid token waits for its turn, and is never refused.
        let read = with_token(ATTACKER, "GET", "/api/v1/read/notes", &token("ann-full"));
        assert_eq!(status(&server, &read).await, "200");
    };
    let (statuses, ()) = join!(flood, others);
    assert_eq!((statuses, lookups.most()), (vec!["429".to_owned(); 20], 1));
}

#[tokio::test]
async fn address_with_invalid_sessions_waits_in_its_own_queue() {
    const ATTACKER: &str = "192.0.2.1";
    const OTHER: &str = "198.51.100.1";
    let lookups = Lookups::held();
    let routes = routes(&lookups).await.invalid_credential_limit(Rate::per_minute(1.try_into().unwrap()));
    let server = serve(routes).await;
    let in_session = |address, user| raw("GET", "/api/users/me", address, &format!("cookie: user={user}\r\n"), "");
    assert_eq!(status(&server, &in_session(ATTACKER, "nobody")).await, "401");
    let made_up = in_session(ATTACKER, "made-up");
    let flood = join_all((0..20).map(|_| status(&server, &made_up)));
    let other = async {
        lookups.0.begins.notified().await;
        // One lookup of the attacker is held. The sessions of all other addresses are looked up beside it.
        let read = timeout(Duration::from_secs(10), status(&server, &in_session(OTHER, "ann"))).await;
        lookups.release();
        assert_eq!(read.as_deref(), Ok("200"));
    };
    let (statuses, ()) = join!(flood, other);
    assert_eq!((statuses, lookups.most()), (vec!["401".to_owned(); 20], 1));
}

#[tokio::test]
async fn invalid_credentials_above_the_limit_cost_at_most_one_lookup() {
    let lookups = Lookups::open();
    let server = serve(routes(&lookups).await.invalid_credential_limit(Rate::per_minute(2.try_into().unwrap()))).await;
    // The id of a registered client is verified with a key that the storage holds.
    let malformed = |address: &str| {
        let refresh = [("grant_type", "refresh_token"), ("client_id", "c"), ("refresh_token", "famr_x")];
        let code = [("grant_type", "authorization_code"), ("client_id", "c"), ("code", "famc_x")];
        [
            with_form(address, "/oauth/token", &refresh),
            with_form(address, "/oauth/token", &[&code[..], &[("code_verifier", VERIFIER)]].concat()),
            with_form(address, "/oauth/revoke", &[("token", "famr_x")]),
            with_token(address, "GET", "/api/v1/me", "fam_x"),
            with_token(address, "POST", "/api/mcp", "fama_x"),
        ]
    };
    let well_formed = |address: &str| {
        let refresh = [("grant_type", "refresh_token"), ("client_id", CLIENT), ("refresh_token", REFRESH)];
        let code = [("grant_type", "authorization_code"), ("client_id", CLIENT), ("code", CODE)];
        [
            with_form(address, "/oauth/token", &refresh),
            with_form(address, "/oauth/token", &[&code[..], &[("code_verifier", VERIFIER)]].concat()),
            with_form(address, "/oauth/revoke", &[("token", ACCESS)]),
            with_token(address, "POST", "/api/v1/mcp", ACCESS),
        ]
    };
    // Each kind of credential has the same limit, and uses it up for all others.
    for (number, first) in malformed("").iter().enumerate() {
        let address = format!("192.0.2.{number}");
        let first = first.replace("x-forwarded-for: \r\n", &format!("x-forwarded-for: {address}\r\n"));
        for _ in 0..2 {
            assert_ne!(status(&server, &first).await, "429", "{first}");
        }
        for refused in malformed(&address) {
            assert_eq!(status(&server, &refused).await, "429", "{refused}");
        }
        assert_eq!(lookups.begun(), 0);
    }
    for (number, refused) in well_formed("192.0.2.0").iter().enumerate() {
        assert_eq!(status(&server, refused).await, "429", "{refused}");
        assert_eq!(lookups.begun(), number + 1, "{refused}");
    }
}

#[tokio::test]
async fn half_bodies_hold_no_permit() {
    let routes = routes(&Lookups::open()).await.max_in_flight(std::num::NonZeroUsize::MIN);
    let server = TestServer::start(Service::new(Router::new().push(routes.into_router()))).await;
    let read = with_token("192.0.2.1", "GET", "/api/v1/read/notes", &token("ann-read"));
    let mut uploads = Vec::new();
    for (method, path, token) in [
        ("PATCH", "/api/v1/notes/note-berg", token("ann-rw")),
        ("POST", "/api/v1/notes", token("ann-rw")),
        ("PATCH", "/api/v1/notes/note-berg", KEY.to_owned()),
        ("POST", "/api/v1/mcp", token("ann-read")),
        ("POST", "/api/mcp", token("ann-read")),
        ("POST", "/oauth/token", String::new()),
        ("POST", "/oauth/revoke", String::new()),
    ] {
        let media_type =
            if path.starts_with("/oauth") { "application/x-www-form-urlencoded" } else { "application/json" };
        let half = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: {media_type}\r\n\
             content-length: 9\r\n\r\n{{"
        );
        for _ in 0..10 {
            let mut upload = server.open().await;
            upload.write_bytes(half.as_bytes()).await;
            uploads.push(upload);
            assert_eq!(status(&server, &read).await, "200", "{method} {path}");
        }
    }
}
