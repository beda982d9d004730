//! A fault of the storage is a 503, and the step can be repeated.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use family_api_core::audit::AuditEvent;
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::grant::TokenError;
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::{
    FoundAccessToken, GrantInsert, GrantLookup, GrantRevocation, GrantStorage, NewGrant, SignedIn, StorageError,
    StoredGrant, TokenIssue,
};
use family_api_core::{Error, FamilyApi, Surface, Timestamp};
use family_api_memory::MemoryStorage;
use futures_util::future::poll_immediate;
use jiff::SignedDuration;

use crate::fixture::{Fixture, authorize, create_key, session};
use crate::grants::client::{approval, approve, connect, connections, present, redeem, refresh};

/// Grants in memory. The method that is named fails before it has an effect. While `issue_lock` is locked, tokens are
/// issued, but the call does not return. The same holds for `find_lock` and grants that are found.
#[derive(Default)]
struct FaultyGrants {
    memory: MemoryStorage,
    failing: Mutex<&'static str>,
    issue_lock: tokio::sync::Mutex<()>,
    find_lock: tokio::sync::Mutex<()>,
}

impl FaultyGrants {
    fn fail(&self, method: &'static str) {
        *self.failing.lock().unwrap() = method;
    }

    fn storage(&self, method: &str) -> Result<&MemoryStorage, StorageError> {
        if *self.failing.lock().unwrap() == method {
            Err(StorageError::unavailable("not now"))
        } else {
            Ok(&self.memory)
        }
    }
}

#[async_trait]
impl GrantStorage for FaultyGrants {
    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
        self.storage("insert_grant")?.insert_grant(new, limit).await
    }

    async fn find_grant(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError> {
        let found = self.storage("find_grant")?.find_grant(by).await;
        drop(self.find_lock.lock().await);
        found
    }

    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError> {
        let issued = self.storage("issue_tokens")?.issue_tokens(issue).await;
        drop(self.issue_lock.lock().await);
        issued
    }

    async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        self.storage("find_access_token")?.find_access_token(digest).await
    }

    async fn list_grants(&self, user: &UserId, now: Timestamp) -> Result<Vec<Connection>, StorageError> {
        self.storage("list_grants")?.list_grants(user, now).await
    }

    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        self.storage("revoke_grant")?.revoke_grant(user, grant, now).await
    }

    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError> {
        self.storage("end_grant")?.end_grant(grant, now, misuse).await
    }

    async fn list_misused_grants(
        &self,
        user: &UserId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError> {
        self.storage("list_misused_grants")?.list_misused_grants(user, since, limit).await
    }

    async fn record_grant_uses(&self, grants: &[GrantId], at: Timestamp) -> Result<(), StorageError> {
        self.storage("record_grant_uses")?.record_grant_uses(grants, at).await
    }

    async fn delete_ended_grants(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.storage("delete_ended_grants")?.delete_ended_grants(until, misused_until, limit).await
    }

    async fn signing_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StorageError> {
        self.storage("signing_key")?.signing_key(fresh).await
    }
}

#[track_caller]
fn assert_unavailable<T>(outcome: Result<T, Error>) {
    assert_eq!(outcome.err().map(|error| error.code().as_str()), Some("unavailable"));
}

#[track_caller]
fn assert_token_unavailable<T>(outcome: Result<T, TokenError>) {
    match outcome {
        Err(TokenError::Api(error)) => assert_eq!(error.code().as_str(), "unavailable"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the step has succeeded"),
    }
}

#[tokio::test]
async fn each_step_reports_a_fault_and_can_be_repeated() {
    let fixture = Fixture::new().await;
    let storage = Arc::new(FaultyGrants::default());
    let api: FamilyApi = fixture.builder().grants(storage.clone()).build();
    let (ana, grants) = (session(&api, "ana").await, api.grants().unwrap());

    storage.fail("insert_grant");
    assert_unavailable(grants.approve(&ana, approval("g1", Surface::V1)).await);
    storage.fail("");
    let code = grants.approve(&ana, approval("g1", Surface::V1)).await.unwrap();

    for method in ["find_grant", "issue_tokens"] {
        storage.fail(method);
        assert_token_unavailable(redeem(&api, &code).await);
    }
    storage.fail("");
    let tokens = redeem(&api, &code).await.unwrap();

    storage.fail("find_access_token");
    assert_unavailable(present(&api, &tokens).await);
    for method in ["list_misused_grants", "list_grants"] {
        storage.fail(method);
        assert_unavailable(api.connections(&ana).unwrap().list().await);
    }
    assert_unavailable(grants.end_all_of(ana.user()).await);
    storage.fail("record_grant_uses");
    present(&api, &tokens).await.unwrap();
    assert_unavailable(api.record_uses().await);
    storage.fail("signing_key");
    assert_unavailable(grants.signing_key().await);
    storage.fail("");
    assert!(grants.signing_key().await.is_ok());
    api.record_uses().await.unwrap();
    assert!(connections(&api, "ana").await[0].last_used_at.is_some());

    for method in ["find_grant", "issue_tokens"] {
        storage.fail(method);
        assert_token_unavailable(refresh(&api, &tokens).await);
    }
    storage.fail("");
    let next = refresh(&api, &tokens).await.unwrap();
    storage.fail("find_grant");
    assert_token_unavailable(refresh(&api, &tokens).await);
    fixture.clock.advance(SignedDuration::from_mins(1));
    storage.fail("end_grant");
    assert_token_unavailable(refresh(&api, &tokens).await);
    assert_token_unavailable(grants.revoke_token(next.refresh_token.expose(), None).await);
    storage.fail("revoke_grant");
    assert_unavailable(api.connections(&ana).unwrap().revoke(&"g1".into()).await);
    storage.fail("");
    api.connections(&ana).unwrap().revoke(&"g1".into()).await.unwrap();
    assert_eq!(present(&api, &next).await.unwrap_err().code().as_str(), "invalid_token");
}

#[tokio::test]
async fn the_end_of_all_access_can_be_repeated_if_the_grants_are_elsewhere() {
    let fixture = Fixture::new().await;
    let storage = Arc::new(FaultyGrants::default());
    let api: FamilyApi = fixture.builder().grants(storage.clone()).build();
    let ana = session(&api, "ana").await;
    let key = create_key(&api, "ana").await.token;
    let tokens = connect(&api, "ana", "g1", Surface::ReadPath).await;
    let code = approve(&api, "ana", "g2", Surface::V1).await;
    fixture.audit_log.take_events();
    for method in ["list_grants", "end_grant"] {
        storage.fail(method);
        assert_unavailable(api.keys(&ana).unwrap().revoke_access().await);
        let refused = authorize(&api, key.expose(), Surface::ReadPath).await.unwrap_err();
        assert_eq!(refused.code().as_str(), "invalid_token");
        let events = fixture.audit_log.take_events();
        assert!(matches!(&events[0], AuditEvent::InDoubt(event) if event.name() == "access_revoked"), "{events:?}");
    }
    storage.fail("");
    let revoked = api.keys(&ana).unwrap().revoke_access().await.unwrap();
    assert_eq!(revoked, RevokedAccess { keys: 0, connections: 2, feeds: 0 });
    assert_eq!(present(&api, &tokens).await.unwrap_err().code().as_str(), "invalid_token");
    assert!(redeem(&api, &code).await.is_err());
}

#[tokio::test]
async fn a_refresh_that_is_cancelled_after_its_effect_can_be_repeated() {
    let fixture = Fixture::new().await;
    let storage = Arc::new(FaultyGrants::default());
    let api: FamilyApi = fixture.builder().grants(storage.clone()).build();
    let old = connect(&api, "ana", "g1", Surface::V1).await;
    let held = storage.issue_lock.lock().await;
    assert!(poll_immediate(refresh(&api, &old)).await.is_none());
    drop(held);
    let issued = refresh(&api, &old).await.unwrap();
    assert!(present(&api, &issued).await.is_ok());
    assert!(refresh(&api, &issued).await.is_ok());
}

/// The second refresh reads the grant before the first one has replaced its tokens, and replaces them afterwards.
#[tokio::test]
async fn a_refresh_that_comes_second_gets_the_tokens_of_the_first() {
    let fixture = Fixture::new().await;
    let storage = Arc::new(FaultyGrants::default());
    let api: FamilyApi = fixture.builder().grants(storage.clone()).build();
    let old = connect(&api, "ana", "g1", Surface::V1).await;
    let held = storage.find_lock.lock().await;
    let mut second = Box::pin(refresh(&api, &old));
    assert!(poll_immediate(&mut second).await.is_none());
    let direct: FamilyApi = fixture.builder().grants(Arc::new(storage.memory.clone())).build();
    let first = refresh(&direct, &old).await.unwrap();
    drop(held);
    let second = second.await.unwrap();
    assert_eq!(second.refresh_token.expose(), first.refresh_token.expose());
    assert!(present(&api, &second).await.is_ok());
}
