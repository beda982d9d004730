//! Serves the real routes on a real socket, with a small family as data.

use std::sync::{Arc, Mutex};

use family_api_client::{FamilyClient, SessionClient};
use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::SignedIn;
use family_api_core::storage::{BulkLoad, Record};
use family_api_core::{Error, FamilyApi};
use family_api_memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
use family_api_testing::{line, with};
use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Server, async_trait};
use serde_json::{Value, json};
use tokio::net;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

/// A note in a response.
pub(crate) const A_NOTE: &str = r#"{"id":"n","title":"N","content":"","emoji":null,"color":null,"pinned":false,"tags":[],"authorId":null,"author":null,"categoryId":null,"category":null,"createdAt":"2026-11-20T00:00:00.000Z","updatedAt":"2026-11-20T00:00:00.000Z"}"#;

/// Returns a family of one user.
fn lines() -> [Value; 9] {
    let task = json!({ "familyId": "f", "columnId": "c", "assigneeId": "u", "creatorId": "u" });
    let done_at = "2026-11-20T00:00:00Z";
    [
        line!("family", "f", {}),
        line!("user", "u", { "familyId": "f", "name": "Ana", "email": "ana@example.org" }),
        line!("board", "b", { "familyId": "f", "name": "Home" }),
        line!("column", "c", { "familyId": "f", "boardId": "b", "name": "To do" }),
        with(line!("task", "open", { "title": "Open" }), task.clone()),
        with(line!("task", "done", { "title": "Done", "completedAt": done_at, "order": 1 }), task),
        line!("shoppingList", "l", { "familyId": "f", "name": "L" }),
        line!("event", "e", {
            "familyId": "f", "title": "E", "startDate": "2026-11-20T10:00:00Z", "endDate": "2026-11-20T11:00:00Z",
        }),
        line!("note", "n", { "familyId": "f", "title": "N", "authorId": "u" }),
    ]
}

/// The method and path template of every route that was called.
pub(crate) type CalledRoutes = Arc<Mutex<Vec<(String, String)>>>;

pub(crate) struct Service {
    pub(crate) url: String,
    pub(crate) called: CalledRoutes,
    api: FamilyApi,
}

impl Service {
    /// Starts an API below a path of its host. The header `x-user` identifies the signed-in user.
    pub(crate) async fn start() -> Self {
        let api = FamilyApi::builder(Arc::new(storage().await)).full_access(true).build();
        let acceptor = TcpListener::new("127.0.0.1:0").try_bind().await.unwrap();
        let address = acceptor.holdings()[0].local_addr.clone().into_std().unwrap();
        let routes = FamilyRoutes::new(api.clone()).session(UserHeader);
        let called = CalledRoutes::default();
        let host = Router::with_path("family").hoop(Recorder(called.clone())).push(routes.into_router());
        tokio::spawn(Server::new(acceptor).try_serve(host));
        Self { url: format!("http://{address}/family/"), called, api }
    }

    /// Creates a key and returns its plaintext.
    pub(crate) async fn token(&self, mode: KeyMode) -> String {
        let user = self.api.session_caller(&"u".parse::<UserId>().unwrap().into()).await.unwrap();
        let key = self.api.keys(&user).unwrap().create(KeyDraft::new(mode)).await.unwrap();
        key.token.expose().to_owned()
    }

    pub(crate) async fn client(&self, mode: KeyMode) -> FamilyClient {
        FamilyClient::builder().base_url(&self.url).token(self.token(mode).await).build().unwrap()
    }

    pub(crate) fn session(&self) -> SessionClient {
        SessionClient::builder().base_url(&self.url).header("x-user", "u").build().unwrap()
    }
}

async fn storage() -> MemoryStorage {
    let storage = MemoryStorage::default();
    let mut loader = storage.begin_load().await.unwrap();
    for line in lines() {
        loader.insert(Record::from_json(line.to_string().as_bytes()).unwrap()).await.unwrap();
    }
    loader.commit().await.unwrap();
    storage
}

struct UserHeader;

#[async_trait]
impl SessionAuthenticator for UserHeader {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        Ok(req.headers().get("x-user").map(|user| user.to_str().unwrap().parse::<UserId>().unwrap().into()))
    }
}

struct Recorder(CalledRoutes);

#[async_trait]
impl Handler for Recorder {
    async fn handle(&self, req: &mut Request, _: &mut Depot, _: &mut Response, _: &mut FlowCtrl) {
        let template = req.matched_path().trim_start_matches('/').trim_start_matches("family");
        self.0.lock().unwrap().push((req.method().to_string(), template.to_owned()));
    }
}

pub(crate) fn client_of(url: &str) -> FamilyClient {
    FamilyClient::builder().base_url(url).token("token").build().unwrap()
}

pub(crate) fn session_of(url: &str) -> SessionClient {
    SessionClient::builder().base_url(url).cookie("session=s").build().unwrap()
}

/// Starts a server that returns each of these responses once, in turn.
pub(crate) async fn server_returning_each(responses: impl IntoIterator<Item = ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    for response in responses {
        Mock::given(any()).respond_with(response).up_to_n_times(1).mount(&server).await;
    }
    server
}

pub(crate) async fn attempts(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

/// Returns a header of each request that the server received.
pub(crate) async fn received_headers(server: &MockServer, name: &str) -> Vec<Option<String>> {
    let requests = server.received_requests().await.unwrap();
    let header = |request: &wiremock::Request| Some(request.headers.get(name)?.to_str().unwrap().to_owned());
    requests.iter().map(header).collect()
}

/// Returns a problem document of the service.
pub(crate) fn problem(status: u16, code: &str) -> ResponseTemplate {
    let body = json!({
        "type": "about:blank", "title": "T", "status": status, "code": code, "detail": "Short.", "requestId": "r",
    });
    ResponseTemplate::new(status).set_body_raw(body.to_string(), "application/problem+json")
}

/// Opens a socket of this machine. Returns it and its URL.
pub(crate) async fn listener() -> (net::TcpListener, String) {
    let listener = net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

/// Starts a server that returns the same response to every request.
pub(crate) async fn server_returning(response: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(response).mount(&server).await;
    server
}
