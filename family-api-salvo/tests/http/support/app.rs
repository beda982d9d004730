//! The service under test.

use std::sync::Arc;

use family_api_core::storage::Storage;
use family_api_core::{FamilyApi, FamilyApiBuilder, ManualClock};
use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Router, Service};
use serde_json::Value;

use crate::storages::{OnStorage, Place, StorageKind};
use crate::support::{Answer, CookieUser, fixture, send, token};

pub(crate) const NOW: &str = "2026-11-20T10:15:30.123Z";

pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) api: FamilyApi,
    /// Kept until the test is over.
    place: Option<Place>,
}

impl OnStorage for App {
    async fn on(kind: StorageKind) -> Self {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        Self { place: Some(place), ..Self::over(storage) }
    }
}

impl App {
    /// Over a storage that nothing is put into.
    pub(crate) fn over(storage: Arc<dyn Storage>) -> Self {
        Self::of(api(storage).build(), None)
    }

    /// Over such a storage, asked for every document.
    pub(crate) fn uncached(storage: Arc<dyn Storage>) -> Self {
        Self::of(api(storage).without_document_cache().build(), None)
    }

    /// With the records of the fixture, for tests that write more than 60 times in a session.
    pub(crate) async fn without_write_limit(kind: StorageKind) -> Self {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        Self::of(api(storage).without_session_write_limit().build(), place)
    }

    /// Of an API that is configured otherwise, over what lies in that place.
    pub(crate) fn of(api: FamilyApi, place: impl Into<Option<Place>>) -> Self {
        let routes = FamilyRoutes::new(api.clone()).session(CookieUser);
        Self { service: Service::new(Router::new().push(routes.into_router())), api, place: place.into() }
    }

    /// The same storage behind other routes.
    pub(crate) fn mounted(&self, mount: impl FnOnce(FamilyApi) -> Router) -> Self {
        let service = Service::new(mount(self.api.clone()));
        Self { service, api: self.api.clone(), place: self.place.clone() }
    }

    /// Sends a request with the token of a fixture's key.
    pub(crate) async fn with_token(&self, key: &str, method: Method, path: &str) -> Answer {
        send(&self.service, bearer(key, method, path)).await
    }

    /// Sends a JSON body with the token of a fixture's key.
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

    /// Everything that Ann may read, as it comes.
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
