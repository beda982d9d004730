//! Faults below the authorization server, and limits. A fault is never an answer about the client, a code or a token.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::limit::Rate;
use family_api_core::storage::{
    FoundAccessToken, GrantInsert, GrantLookup, GrantRevocation, GrantStorage, NewGrant, SignedIn, StorageError,
    StoredGrant, TokenIssue,
};
use family_api_core::{FamilyApi, Timestamp};
use family_api_salvo::{FamilyRoutes, OAuth};
use salvo::http::Method;
use salvo::{Router, Service};

use crate::harness::{
    Parameters, VERIFIER, assert_page, assert_token_error, consent_form, form, request, revocation_request,
    token_request,
};
use crate::mounted;
use crate::storages::StorageKind;
use crate::support::{CookieAuthenticator, TestServer, fixture, send};
use crate::unknown_credentials::Lookups;

pub(crate) const CODE: &str = "famc_16qJFWMMHFy3xDdLmvUeyc2S6FrWRhJP51HsvDYdz9d1FsYG";
pub(crate) const REFRESH: &str = "famr_16qJFWMMHFy3xDdLmvUeyc2S6FrWRhJP51HsvDYdz9d1FsYG";

/// A storage of grants for tests of faults and limits.
pub(crate) enum Grants {
    /// It cannot be reached.
    Unreachable,
    /// It finds no grant. Everything else cannot be reached.
    Empty(Lookups),
}

impl Grants {
    async fn find<T>(&self) -> Result<Option<T>, StorageError> {
        match self {
            Self::Unreachable => unreachable(),
            Self::Empty(lookups) => {
                lookups.run().await;
                Ok(None)
            }
        }
    }
}

fn unreachable<T>() -> Result<T, StorageError> {
    Err(StorageError::unavailable("test fault"))
}

#[async_trait]
impl GrantStorage for Grants {
    async fn insert_grant(&self, _: &NewGrant, _: u32) -> Result<GrantInsert, StorageError> {
        unreachable()
    }
    async fn find_grant(&self, _: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError> {
        self.find().await
    }
    async fn issue_tokens(&self, _: &TokenIssue) -> Result<bool, StorageError> {
        unreachable()
    }
    async fn find_access_token(&self, _: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        self.find().await
    }
    async fn list_grants(&self, _: &UserId, _: Timestamp) -> Result<Vec<Connection>, StorageError> {
        unreachable()
    }
    async fn revoke_grant(&self, _: &SignedIn, _: &GrantId, _: Timestamp) -> Result<GrantRevocation, StorageError> {
        unreachable()
    }
    async fn end_grant(&self, _: &GrantId, _: Timestamp, _: Option<Misuse>) -> Result<bool, StorageError> {
        unreachable()
    }
    async fn list_misused_grants(
        &self,
        _: &UserId,
        _: Timestamp,
        _: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError> {
        unreachable()
    }
    async fn record_grant_uses(&self, _: &[GrantId], _: Timestamp) -> Result<(), StorageError> {
        unreachable()
    }
    async fn delete_ended_grants(&self, _: Timestamp, _: Timestamp, _: u32) -> Result<u64, StorageError> {
        unreachable()
    }
    async fn signing_key(&self, _: [u8; 32]) -> Result<[u8; 32], StorageError> {
        unreachable()
    }
}

async fn app_with_unreachable_grants() -> Service {
    let (storage, _) = fixture::seeded(StorageKind::Memory).await;
    let api = FamilyApi::builder(storage).grants(Arc::new(Grants::Unreachable)).build();
    mounted::service(FamilyRoutes::new(api).session(CookieAuthenticator).oauth(OAuth::new(mounted::issuer())))
}

#[tokio::test]
async fn unreachable_storage_is_503_for_the_client() {
    let app = app_with_unreachable_grants().await;
    for fields in [
        &[("grant_type", "authorization_code"), ("client_id", "c"), ("code", CODE), ("code_verifier", VERIFIER)][..],
        &[("grant_type", "refresh_token"), ("client_id", "c"), ("refresh_token", REFRESH)],
    ] {
        let response = send(&app, token_request(fields)).await;
        assert_token_error(&response, 503, "temporarily_unavailable");
        assert_eq!(response.header("retry-after"), Some("1"));
    }
    assert_token_error(&send(&app, revocation_request(&[("token", REFRESH)])).await, 503, "temporarily_unavailable");
}

#[tokio::test]
async fn unreachable_storage_is_a_page_for_the_user() {
    let app = app_with_unreachable_grants().await;
    let path = Parameters::of("registered.client").path();
    let authorization = request(Method::GET, &path).add_header("cookie", "user=ann", true);
    let consent = consent_form("ann").body("request=x&decision=deny");
    for request in [authorization, consent] {
        let response = send(&app, request).await;
        assert_page(&response, 503, "The service is not available now");
        assert_eq!(response.header("retry-after"), Some("1"));
    }
}

#[tokio::test]
async fn unreachable_sessions_are_a_page() {
    let app = mounted::app(OAuth::new(mounted::issuer())).await;
    let consent = consent_form("*unreachable*").body("request=x&decision=deny");
    assert_page(&send(&app, consent).await, 503, "The service is not available now");
}

#[tokio::test]
async fn invalid_codes_of_one_address_are_limited() {
    let routes = mounted::routes(OAuth::new(mounted::issuer())).await;
    let routes = routes.invalid_credential_limit(Rate::per_minute(2.try_into().unwrap()));
    let server = TestServer::start(Service::new(Router::new().push(routes.into_router()))).await;
    let client = "https://client.example/metadata";
    let body = form(&[("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", REFRESH)]);
    let request = format!(
        "POST /oauth/token HTTP/1.1\r\nhost: family.example\r\nconnection: close\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    for (status, error) in [("400", "invalid_grant"), ("400", "invalid_grant"), ("429", "temporarily_unavailable")] {
        let (head, body) = server.send(request.as_bytes()).await;
        assert!(head.starts_with(&format!("http/1.1 {status} ")), "{head}");
        assert_eq!(head.contains("retry-after: "), status == "429", "{head}");
        assert!(body.contains(error), "{body}");
    }
}

#[tokio::test]
async fn refusal_of_a_limit_is_a_page_for_people_and_readable_for_clients() {
    let routes = mounted::routes(OAuth::new(mounted::issuer())).await.header_limit(100);
    let app = mounted::service(routes);
    let large = |method, path| request(method, path).add_header("x-large", "x".repeat(200), true);
    for (method, path) in [(Method::GET, "/oauth/authorize"), (Method::POST, "/oauth/consent")] {
        assert_page(&send(&app, large(method, path)).await, 431, "The app’s request is not valid");
    }
    let refused = send(&app, large(Method::POST, "/oauth/token")).await;
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (431, Some("*")));
    assert!(refused.header("access-control-expose-headers").unwrap().contains("Retry-After"));
}

#[tokio::test]
async fn page_at_another_address_than_the_issuers_is_a_page() {
    let app = mounted::app(OAuth::on_loopback()).await;
    assert_page(&send(&app, request(Method::GET, "/oauth/authorize")).await, 404, "The app’s request is not valid");
}
