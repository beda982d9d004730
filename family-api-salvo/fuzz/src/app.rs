//! The mounted router on an in-memory storage, without a socket.

#[path = "../../tests/http/support/response.rs"]
#[expect(dead_code, reason = "the tests of the routes use the other methods")]
mod response;

use std::cell::RefCell;
use std::sync::Arc;

use family_api_core::calendar::EventRange;
use family_api_core::key::{EnvironmentTokens, KeyPrefix};
use family_api_core::resource::TaskFilter;
use family_api_core::storage::SignedIn;
use family_api_core::storage::{BulkLoad, LoadError, Member, ReadStorage, Record};
use family_api_core::{Error, FamilyApi, ManualClock, id::UserId};
use family_api_memory::MemoryStorage;
use family_api_salvo::{ClientDocuments, FamilyRoutes, NotFound, OAuth, SessionAuthenticator};
use futures_util::FutureExt;
use salvo::http::{HeaderMap, Method};
use salvo::test::RequestBuilder;
use salvo::{Depot, Request, Router, Service, async_trait};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

pub(crate) use response::TestResponse;

/// The fixed time of the API clock.
pub(crate) const NOW: &str = "2026-11-20T10:15:30.123Z";

/// The creation time of generated records.
const CREATED_AT: &str = "2026-11-01T08:00:00.000Z";

thread_local! {
    static RUNTIME: RefCell<Runtime> =
        RefCell::new(tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap());
}

/// An API on a storage with given records.
pub(crate) struct App {
    pub(crate) api: FamilyApi,
    pub(crate) storage: MemoryStorage,
    service: Service,
}

/// Authenticates by a `cookie` header that is exactly `user=ID`.
struct CookieUser;

#[async_trait]
impl SessionAuthenticator for CookieUser {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        Ok(cookie_user(req.headers()).and_then(|id| id.parse::<UserId>().ok()).map(SignedIn::from))
    }
}

/// Returns the user id in the `cookie` header.
pub(crate) fn cookie_user(headers: &HeaderMap) -> Option<&str> {
    headers.get("cookie")?.to_str().ok()?.strip_prefix("user=")
}

impl App {
    /// Creates an app with these records. Building the OpenAPI document is slow, so the document is
    /// optional.
    pub(crate) fn new(records: Vec<Record>, with_openapi: bool) -> Self {
        let tokens = "ann|environment-token-of-ann,cid|environment-token-of-cid,nobody|environment-token-of-nobody";
        let tokens = EnvironmentTokens::parse(tokens, &KeyPrefix::default()).unwrap();
        let storage = storage_with(records);
        let api = FamilyApi::builder(Arc::new(storage.clone()))
            .clock(ManualClock::new(NOW.parse().unwrap()))
            .environment_tokens(tokens)
            .key_limit(3)
            .full_access(true)
            .without_rate_limit()
            .without_session_write_limit()
            .build();
        let routes = FamilyRoutes::new(api.clone()).session(CookieUser).without_invalid_credential_limit().mcp();
        let routes = if with_openapi { routes } else { routes.without_openapi() };
        let rest = Router::with_path("{**rest}").goal(NotFound);
        Self { api, storage, service: Service::new(Router::new().push(routes.into_router()).push(rest)) }
    }

    /// Creates an app with the authorization server and the users `user-0` to `user-<users - 1>`.
    pub(crate) fn with_oauth(users: usize, documents: impl ClientDocuments + 'static) -> Self {
        let storage =
            storage_with((0..users).flat_map(|user| family(&format!("f-{user}"), &format!("user-{user}"))).collect());
        let grants = Arc::new(storage.clone());
        let api =
            FamilyApi::builder(grants.clone()).grants(grants).clock(ManualClock::new(NOW.parse().unwrap())).build();
        let oauth = OAuth::new("https://family.example".parse().unwrap()).client_documents(documents);
        let routes = FamilyRoutes::new(api.clone()).session(CookieUser).without_openapi().oauth(oauth);
        Self { api, storage, service: Service::new(Router::new().push(routes.into_router())) }
    }

    /// Sends an authorization request of a user. It is valid except for what the parameters say.
    pub(crate) fn authorize(
        &self,
        user: &str,
        client_id: &str,
        redirect_uri: &str,
        response_type: &str,
    ) -> TestResponse {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", response_type)
            .append_pair("client_id", client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            .append_pair("code_challenge_method", "S256")
            .finish();
        let request = RequestBuilder::new(format!("http://family.example/oauth/authorize?{query}"), Method::GET);
        self.send(request.add_header("cookie", format!("user={user}"), true).build())
    }

    pub(crate) fn send(&self, request: Request) -> TestResponse {
        TestResponse::of(RUNTIME.with_borrow(|runtime| runtime.block_on(Box::pin(self.service.handle(request)))))
    }
}

/// Creates a storage with these records.
pub(crate) fn storage_with(records: Vec<Record>) -> MemoryStorage {
    let storage = MemoryStorage::new();
    load_into(&storage, records).unwrap();
    storage
}

/// Loads the records into the storage, all or none.
pub(crate) fn load_into(storage: &MemoryStorage, records: Vec<Record>) -> Result<(), LoadError> {
    let load = async {
        let mut load = storage.begin_load().await?;
        for record in records {
            load.insert(record).await?;
        }
        load.commit().await
    };
    load.now_or_never().expect("the in-memory storage never waits")
}

/// Returns the documents of tasks, notes, shopping lists and events that a family member can read.
pub(crate) fn documents(storage: &MemoryStorage, user: &str, family: &str) -> [Vec<u8>; 4] {
    let member = Member { user: user.parse().unwrap(), family: family.parse().unwrap() };
    let read = async {
        [
            storage.list_tasks(&member, TaskFilter::All).await.unwrap().into_bytes(),
            storage.list_notes(&member).await.unwrap().into_bytes(),
            storage.list_shopping(&member).await.unwrap().into_bytes(),
            storage.list_events(&member, &EventRange::default()).await.unwrap().into_bytes(),
        ]
    };
    read.now_or_never().expect("the in-memory storage never waits").map(Vec::from)
}

/// Returns a family with one user.
pub(crate) fn family(family: &str, user: &str) -> Vec<Record> {
    let family =
        json!({ "type": "family", "id": family, "name": family, "createdAt": CREATED_AT, "updatedAt": CREATED_AT });
    let user = json!({ "type": "user", "id": user, "familyId": family["id"], "name": user, "email": user,
        "image": null, "color": null, "emoji": null, "displayCurrency": "NOK", "timeZone": "Europe/Oslo",
        "personalApiEnabled": true, "llmModel": null, "llmKeyConfigured": false,
        "createdAt": CREATED_AT, "updatedAt": CREATED_AT });
    vec![record_from_json(&family), record_from_json(&user)]
}

pub(crate) fn record_from_json(record: &Value) -> Record {
    Record::from_json(record.to_string().as_bytes()).unwrap()
}

/// Parses a file with one JSON record per line.
pub(crate) fn parse_records(file: &str) -> Vec<Record> {
    file.lines()
        .map(|line| Record::from_json(line.as_bytes()).unwrap_or_else(|fault| panic!("{fault}: {line}")))
        .collect()
}
