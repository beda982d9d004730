//! The app under test.

use std::sync::Arc;

use family_api_core::storage::Storage;
use family_api_core::{FamilyApi, FamilyApiBuilder, ManualClock};
use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Router, Service};
use serde_json::Value;

use crate::storages::{OnStorage, StorageKind, StorageLocation};
use crate::support::{Answer, CookieUser, fixture, send, token};

pub(crate) const NOW: &str = "2026-11-20T10:15:30.123Z";

pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) api: FamilyApi,
    /// Held until the end of the test.
    place: Option<StorageLocation>,
}

impl OnStorage for App {
    async fn on(kind: StorageKind) -> Self {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        Self { place: Some(place), ..Self::over(storage) }
    }
}

impl App {
    /// Creates an app on a storage as it is.
    pub(crate) fn over(storage: Arc<dyn Storage>) -> Self {
        Self::of(api(storage).build(), None)
    }

    /// Creates an app without the document cache, so every read queries the storage.
    pub(crate) fn uncached(storage: Arc<dyn Storage>) -> Self {
        Self::of(api(storage).without_document_cache().build(), None)
    }

    /// Creates an app with the fixture, for tests with more than 60 session writes.
    pub(crate) async fn without_write_limit(kind: StorageKind) -> Self {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        Self::of(api(storage).without_session_write_limit().build(), place)
    }

    /// Creates an app from a configured API.
    pub(crate) fn of(api: FamilyApi, place: impl Into<Option<StorageLocation>>) -> Self {
        let routes = FamilyRoutes::new(api.clone()).session(CookieUser);
        Self { service: Service::new(Router::new().push(routes.into_router())), api, place: place.into() }
    }

    /// Mounts the same API with other routes.
    pub(crate) fn mounted(&self, mount: impl FnOnce(FamilyApi) -> Router) -> Self {
        let service = Service::new(mount(self.api.clone()));
        Self { service, api: self.api.clone(), place: self.place.clone() }
    }

    /// Sends a request with the token of a fixture key.
    pub(crate) async fn with_token(&self, key: &str, method: Method, path: &str) -> Answer {
        send(&self.service, bearer(key, method, path)).await
    }

    /// Sends a JSON body with the token of a fixture key.
    pub(crate) async fn write_with_token(
        &self,
        key: &str,
        method: Method,
        path: &str,
        body: impl Into<String>,
    ) -> Answer {
        send(&self.service, bearer(key, method, path).raw_json(body)).await
    }

    /// Sends a request in a user's session.
    pub(crate) async fn in_session(&self, user: &str, method: Method, path: &str) -> Answer {
        send(&self.service, session(user, method, path)).await
    }

    /// Sends a JSON body in a user's session.
    pub(crate) async fn write_in_session(
        &self,
        user: &str,
        method: Method,
        path: &str,
        body: impl Into<String>,
    ) -> Answer {
        send(&self.service, session(user, method, path).raw_json(body)).await
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        send(&self.service, request).await
    }

    /// Returns everything that Ann can read.
    pub(crate) async fn snapshot(&self) -> Vec<String> {
        let mut all = Vec::new();
        for resource in ["tasks?completed=all", "events", "shopping", "notes", "task_stats"] {
            let answer = self.with_token("ann-read", Method::GET, &format!("/api/v1/read/{resource}")).await;
            assert_eq!(answer.status, 200, "{resource}");
            all.push(answer.text());
        }
        all
    }

    pub(crate) async fn read(&self, resource: &str) -> Value {
        self.with_token("ann-read", Method::GET, &format!("/api/v1/read/{resource}")).await.json()
    }
}

fn api(storage: Arc<dyn Storage>) -> FamilyApiBuilder {
    FamilyApi::builder(storage).clock(ManualClock::new(NOW.parse().unwrap())).key_limit(12)
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
