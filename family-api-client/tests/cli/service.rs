//! Serves the real routes in this process, with in-memory storage and the sign-in of the standalone server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use family_api_core::access::Caller;
use family_api_core::grant::{Approval, CodeChallenge, OAuthClient};
use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::{BulkLoad, Record};
use family_api_core::{FamilyApi, Surface};
use family_api_memory::MemoryStorage;
use family_api_salvo::FamilyRoutes;
use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::http::{Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Server, async_trait};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::sign_in::{Login, Logout, Sessions, UnreadableLogin};

pub(crate) struct Service {
    runtime: Runtime,
    api: FamilyApi,
    pub(crate) sessions: Sessions,
    pub(crate) url: String,
}

impl Service {
    pub(crate) fn start(records: &[Value]) -> Self {
        let runtime = Runtime::new().unwrap();
        let storage = Arc::new(runtime.block_on(storage(records)));
        let api = FamilyApi::builder(storage.clone())
            .grants(storage.clone())
            .calendar_feeds(storage)
            .full_access(true)
            .build();
        let sessions = Sessions::default();
        let hosted = || {
            Router::new()
                .push(FamilyRoutes::new(api.clone()).session(sessions.clone()).mcp().into_router())
                .push(Router::with_path("login").post(Login { api: api.clone(), sessions: sessions.clone() }))
        };
        let unreadable = Router::new()
            .push(Router::with_path("login").post(UnreadableLogin(sessions.clone())))
            .push(Router::with_path("logout").post(Logout { sessions: sessions.clone() }));
        let router = hosted()
            .push(Router::with_path("logout").post(Logout { sessions: sessions.clone() }))
            .push(Router::with_path("without-logout").push(hosted()))
            .push(Router::with_path("unreadable").push(unreadable))
            .push(Router::with_path("null/{**rest}").goal(Null))
            .push(Router::with_path("one-deletion").hoop(OneDeletion::default()).push(hosted()))
            .push(Router::with_path("status/{code}/{**rest}").goal(Proxy));
        let acceptor = runtime.block_on(TcpListener::new("127.0.0.1:0").try_bind()).unwrap();
        let address = acceptor.holdings()[0].local_addr.clone().into_std().unwrap();
        runtime.spawn(Server::new(acceptor).try_serve(router));
        Self { runtime, api, sessions, url: format!("http://{address}") }
    }

    /// Creates a key and returns its plaintext.
    pub(crate) fn key(&self, mode: KeyMode) -> String {
        self.runtime.block_on(async {
            let user = self.caller().await;
            let key = self.api.keys(&user).unwrap().create(KeyDraft::new(mode)).await.unwrap();
            key.token.expose().to_owned()
        })
    }

    /// Connects an assistant without a key. The form of the consent has this id.
    pub(crate) fn connect(&self, request: &str) {
        let client = OAuthClient::new("client".to_owned(), Some("Claude".to_owned()), "claude.example".to_owned());
        let approval = Approval {
            request: request.parse().unwrap(),
            client: client.unwrap(),
            redirect_uri: "https://claude.example/callback".to_owned(),
            surface: Surface::V1,
            scopes: KeyMode::V1Read.scopes(),
            challenge: CodeChallenge::from_bytes([7; 32]),
        };
        let approved =
            self.runtime.block_on(async { self.api.grants().unwrap().approve(&self.caller().await, approval).await });
        approved.unwrap();
    }

    async fn caller(&self) -> Caller {
        self.api.session_caller(&"ana".parse::<UserId>().unwrap().into()).await.unwrap()
    }
}

async fn storage(records: &[Value]) -> MemoryStorage {
    let storage = MemoryStorage::default();
    let mut loader = storage.begin_load().await.unwrap();
    for record in records {
        loader.insert(Record::from_json(record.to_string().as_bytes()).unwrap()).await.unwrap();
    }
    loader.commit().await.unwrap();
    storage
}

/// A success whose body is `null`.
struct Null;

#[async_trait]
impl Handler for Null {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render("null");
    }
}

/// Refuses all deletions but the first.
#[derive(Default)]
struct OneDeletion(AtomicBool);

#[async_trait]
impl Handler for OneDeletion {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if req.method() == Method::DELETE && self.0.swap(true, Relaxed) {
            res.status_code(StatusCode::INTERNAL_SERVER_ERROR);
            ctrl.skip_rest();
        }
    }
}

/// A proxy in front of the service, which returns the status in the path `/status/{code}`.
struct Proxy;

#[async_trait]
impl Handler for Proxy {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.status_code(StatusCode::from_u16(req.param("code").unwrap()).unwrap());
        res.render("<h1>\u{1b}[31mproxy</h1>");
    }
}
