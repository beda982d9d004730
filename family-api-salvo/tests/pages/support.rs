//! A host app that mounts the page.

use std::collections::BTreeSet;
use std::sync::Arc;

use family_api_core::FamilyApi;
use family_api_memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, Pages, SessionAuthenticator};
use salvo::test::{ResponseExt, TestClient};
use salvo::{Router, Service};

use crate::session::CookieAuthenticator;

/// Returns the routes of a host with sessions, connections and calendar feeds.
pub(crate) fn routes() -> FamilyRoutes {
    let storage = Arc::new(MemoryStorage::new());
    let api = FamilyApi::builder(storage.clone()).grants(storage.clone()).calendar_feeds(storage).build();
    FamilyRoutes::new(api).session(CookieAuthenticator)
}

/// Returns the routes of a host with sessions and connections, which stores no calendar feeds.
pub(crate) fn routes_without_feeds() -> FamilyRoutes {
    let storage = Arc::new(MemoryStorage::new());
    FamilyRoutes::new(FamilyApi::builder(storage.clone()).grants(storage).build()).session(CookieAuthenticator)
}

/// Returns the routes of a host with other sessions.
pub(crate) fn routes_with(session: impl SessionAuthenticator + 'static) -> FamilyRoutes {
    FamilyRoutes::new(FamilyApi::new(Arc::new(MemoryStorage::new()))).session(session)
}

/// Returns the routes of a host with sessions, which stores no grants.
pub(crate) fn routes_without_grants() -> FamilyRoutes {
    routes_with(CookieAuthenticator)
}

/// Returns an app with the pages at `/keys` and `/deleted`.
pub(crate) fn app() -> Service {
    serve(
        routes()
            .pages(Pages::at("/keys").deleted_at("/deleted").sign_in_at("/login?next={return}").sign_out_at("/logout")),
    )
}

pub(crate) fn serve(routes: FamilyRoutes) -> Service {
    Service::new(Router::new().push(routes.into_router()))
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Sends a `GET` of a signed-in user, with further headers.
pub(crate) async fn get_with(app: &Service, path: &str, headers: &[(&'static str, &str)]) -> Answer {
    let mut request = TestClient::get(format!("http://127.0.0.1{path}"));
    for (name, value) in headers {
        request = request.add_header(*name, *value, true);
    }
    let mut response = request.send(app).await;
    let headers = response.headers().iter();
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    let status = response.status_code.unwrap().as_u16();
    Answer { status, headers, text: response.take_string().await.unwrap() }
}

/// Sends a `GET` of a signed-in user.
pub(crate) async fn get(app: &Service, path: &str) -> Answer {
    get_with(app, path, &[("cookie", "user=ana")]).await
}

/// Returns the values of an attribute in a document.
pub(crate) fn attributes<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    document.split(start.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Returns the scripts that a page loads, one after the other.
pub(crate) async fn scripts(app: &Service, page: &str) -> String {
    let links = [attributes(page, "href"), attributes(page, "src")].concat();
    let mut scripts = String::new();
    for link in links.into_iter().filter(|link| link.rsplit_once('.').is_some_and(|(_, extension)| extension == "js")) {
        scripts += &get(app, &format!("/{link}")).await.text;
    }
    scripts
}

/// Returns the texts between a prefix and a quotation mark.
pub(crate) fn quoted<'a>(script: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    script.split(prefix).skip(1).filter_map(|rest| rest.strip_prefix('"')?.split('"').next()).collect()
}
