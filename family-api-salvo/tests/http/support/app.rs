//! The app under test.

use std::sync::Arc;

use family_api_core::grant::{Approval, CodeChallenge, OAuthClient};
use family_api_core::id::UserId;
use family_api_core::key::KeyMode;
use family_api_core::storage::Storage;
use family_api_core::{FamilyApi, FamilyApiBuilder, ManualClock, Surface};
use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Router, Service};
use serde_json::Value;

use crate::storages::{OnStorage, StorageKind, StorageLocation};
use crate::support::{CookieAuthenticator, TestResponse, fixture, send, token};

pub(crate) const NOW: &str = "2026-11-20T10:15:30.123Z";

pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) api: FamilyApi,
    /// Keeps the directory or database of the storage until the end of the test.
    location: Option<StorageLocation>,
}

impl OnStorage for App {
    async fn on(kind: StorageKind) -> Self {
        Self::with_api(kind, |api| api).await
    }
}

impl App {
    /// Creates an app on a storage, without loading the fixture.
    pub(crate) fn with_storage(storage: Arc<dyn Storage>) -> Self {
        Self::from_api(api(storage).build(), None)
    }

    /// Creates an app without the document cache, so every read queries the storage.
    pub(crate) fn without_document_cache(storage: Arc<dyn Storage>) -> Self {
        Self::from_api(api(storage).without_document_cache().build(), None)
    }

    /// Creates an app with the fixture and other options of the API.
    pub(crate) async fn with_api(
        kind: StorageKind,
        configure: impl FnOnce(FamilyApiBuilder) -> FamilyApiBuilder,
    ) -> Self {
        let (storage, location) = fixture::seeded(kind).await;
        Self::from_api(
            configure(api(storage.clone()).grants(storage.clone()).calendar_feeds(storage)).build(),
            location,
        )
    }

    fn from_api(api: FamilyApi, location: impl Into<Option<StorageLocation>>) -> Self {
        let routes = FamilyRoutes::new(api.clone()).session(CookieAuthenticator);
        Self { service: Service::new(Router::new().push(routes.into_router())), api, location: location.into() }
    }

    /// Creates an app with the same API and another router.
    pub(crate) fn with_routes(&self, router: impl FnOnce(FamilyApi) -> Router) -> Self {
        let service = Service::new(router(self.api.clone()));
        Self { service, api: self.api.clone(), location: self.location.clone() }
    }

    /// Creates an app with the same API and other options of the routes.
    pub(crate) fn configured(&self, configure: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> Self {
        self.with_routes(|api| {
            Router::new().push(configure(FamilyRoutes::new(api).session(CookieAuthenticator)).into_router())
        })
    }

    /// Sends a request with the token of a fixture key.
    pub(crate) async fn send_with_token(&self, key: &str, method: Method, path: &str) -> TestResponse {
        send(&self.service, bearer(key, method, path)).await
    }

    /// Sends a JSON body with the token of a fixture key.
    pub(crate) async fn send_json_with_token(
        &self,
        key: &str,
        method: Method,
        path: &str,
        body: impl Into<String>,
    ) -> TestResponse {
        send(&self.service, bearer(key, method, path).raw_json(body)).await
    }

    /// Sends a request in a user's session.
    pub(crate) async fn send_in_session(&self, user: &str, method: Method, path: &str) -> TestResponse {
        send(&self.service, session(user, method, path)).await
    }

    /// Sends a JSON body in a user's session.
    pub(crate) async fn send_json_in_session(
        &self,
        user: &str,
        method: Method,
        path: &str,
        body: impl Into<String>,
    ) -> TestResponse {
        send(&self.service, session(user, method, path).raw_json(body)).await
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> TestResponse {
        send(&self.service, request).await
    }

    /// Connects an assistant with a user, without a key. The form of the consent has this id.
    pub(crate) async fn connect(&self, user: &str, request: &str) {
        let user: UserId = user.parse().unwrap();
        let caller = self.api.session_caller(&user.into()).await.unwrap();
        let client = OAuthClient::new("client".to_owned(), Some("Claude".to_owned()), "claude.example".to_owned());
        let approval = Approval {
            request: request.parse().unwrap(),
            client: client.unwrap(),
            redirect_uri: "https://claude.example/callback".to_owned(),
            surface: Surface::V1,
            scopes: KeyMode::V1Read.scopes(),
            challenge: CodeChallenge::from_bytes([7; 32]),
        };
        self.api.grants().unwrap().approve(&caller, approval).await.unwrap();
    }

    /// Returns the bodies of all resources that Ann can read.
    pub(crate) async fn snapshot(&self) -> Vec<String> {
        let mut all = Vec::new();
        for resource in ["tasks?completed=all", "events", "shopping", "notes", "task_stats"] {
            let response = self.send_with_token("ann-read", Method::GET, &format!("/api/v1/read/{resource}")).await;
            assert_eq!(response.status, 200, "{resource}");
            all.push(response.text());
        }
        all
    }

    pub(crate) async fn read(&self, resource: &str) -> Value {
        self.send_with_token("ann-read", Method::GET, &format!("/api/v1/read/{resource}")).await.json()
    }
}

fn api(storage: Arc<dyn Storage>) -> FamilyApiBuilder {
    FamilyApi::builder(storage).clock(ManualClock::new(NOW.parse().unwrap())).key_limit(12).full_access(true)
}

fn url(path: &str) -> String {
    format!("http://family.example{path}")
}

pub(crate) fn bearer(key: &str, method: Method, path: &str) -> RequestBuilder {
    RequestBuilder::new(url(path), method).bearer_auth(token(key))
}

pub(crate) fn session(user: &str, method: Method, path: &str) -> RequestBuilder {
    RequestBuilder::new(url(path), method).add_header("cookie", format!("user={user}"), true)
}

pub(crate) fn anonymous(method: Method, path: &str) -> RequestBuilder {
    RequestBuilder::new(url(path), method)
}
