//! Serves the real routes on a real socket, with a small family as data.

use std::sync::{Arc, Mutex};

use family_api_client::{FamilyClient, SessionClient};
use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::SignedIn;
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{BulkLoad, Record};
use family_api_core::{Error, FamilyApi};
use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Server, async_trait};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

const RECORDS: [&str; 9] = [
    r#"{"type":"family","id":"f","name":"F","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"user","id":"u","familyId":"f","name":"Ana","email":"ana@example.org","image":null,"color":null,"emoji":null,"displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"board","id":"b","familyId":"f","name":"Home","description":null,"emoji":null,"color":null,"order":0,"isPrivate":false,"ownerUserId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"column","id":"c","familyId":"f","boardId":"b","name":"To do","emoji":null,"color":null,"order":0,"createdAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"task","id":"open","familyId":"f","columnId":"c","title":"Open","description":null,"priority":"LOW","dueDate":null,"completedAt":null,"order":0,"labels":[],"isPrivate":false,"assigneeId":"u","creatorId":"u","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"task","id":"done","familyId":"f","columnId":"c","title":"Done","description":null,"priority":"LOW","dueDate":null,"completedAt":"2026-11-20T00:00:00Z","order":1,"labels":[],"isPrivate":false,"assigneeId":"u","creatorId":"u","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"shoppingList","id":"l","familyId":"f","name":"L","emoji":null,"sortOrder":0,"isPrivate":false,"ownerUserId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"event","id":"e","familyId":"f","title":"E","description":null,"emoji":null,"color":null,"startDate":"2026-11-20T10:00:00Z","endDate":"2026-11-20T11:00:00Z","allDay":false,"location":null,"recurrence":null,"assigneeId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"note","id":"n","familyId":"f","title":"N","content":"","emoji":null,"color":null,"pinned":false,"tags":[],"authorId":"u","categoryId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
];

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
    for record in RECORDS {
        loader.insert(Record::from_json(record.as_bytes()).unwrap()).await.unwrap();
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

/// Starts a server that returns the same response to every request.
pub(crate) async fn server_returning(response: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(response).mount(&server).await;
    server
}
