//! Apps with other options of the authorization server.

use std::sync::Arc;

use family_api_core::FamilyApi;
use family_api_core::storage::memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, Issuer, OAuth};
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Router, Service};

use crate::harness::ISSUER;
use crate::support::{CookieAuthenticator, TestResponse, fixture, send};

pub(crate) fn issuer() -> Issuer {
    ISSUER.parse().unwrap()
}

/// Creates an API with the fixture, which stores grants.
pub(crate) async fn api() -> FamilyApi {
    let storage = Arc::new(MemoryStorage::new());
    fixture::seed(&*storage).await;
    FamilyApi::builder(storage.clone()).grants(storage).build()
}

/// Mounts the session routes and the authorization server.
pub(crate) async fn routes(oauth: OAuth) -> FamilyRoutes {
    FamilyRoutes::new(api().await).session(CookieAuthenticator).oauth(oauth)
}

pub(crate) async fn app(oauth: OAuth) -> Service {
    service(routes(oauth).await)
}

pub(crate) fn service(routes: FamilyRoutes) -> Service {
    Service::new(Router::new().push(routes.into_router()))
}

/// Sends a request to a path of [`ISSUER`]'s host, or to a URL.
pub(crate) async fn get(service: &Service, url: &str) -> TestResponse {
    send(service, request(Method::GET, url)).await
}

pub(crate) fn request(method: Method, url: &str) -> RequestBuilder {
    let url = if url.starts_with('/') { format!("http://family.example{url}") } else { url.to_owned() };
    RequestBuilder::new(url, method)
}
