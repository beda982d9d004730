//! Grants: insertion, the tokens, and the list.

use family_api_core::change::ProfileChange;
use family_api_core::connection::Connection;
use family_api_core::grant::{CodeChallenge, OAuthClient, RotationNonce};
use family_api_core::key::{KeyDigest, KeyMode, Scope, ScopeSet};
use family_api_core::storage::{
    ExchangedSecret, FoundAccessToken, GrantInsert, GrantLookup, GrantState, NewGrant, SignedIn, StoredGrant,
    TokenIssue,
};
use family_api_core::{Surface, Timestamp};
use futures_util::future::join_all;

use crate::GrantsSubject;
use crate::fixture::{Call, assert_same, id, last_call, minute, seconds, signed_in};

/// The result if there was room for the grant.
const INSERTED: GrantInsert = GrantInsert::Inserted { replaced: None };

/// Returns a grant of the user for reads, approved at noon. Its code expires one minute later.
pub(super) fn new_grant(name: &str, user: &str) -> NewGrant {
    let client = OAuthClient::new("client".to_owned(), Some("Claude".to_owned()), "example.com".to_owned());
    NewGrant {
        id: id(name),
        owner: signed_in(user),
        client: client.unwrap(),
        redirect_uri: "https://example.com/callback".to_owned(),
        surface: Surface::V1,
        scopes: KeyMode::V1Full.scopes().on(Surface::V1),
        challenge: CodeChallenge::from_bytes([7; 32]),
        code: KeyDigest::of(&format!("code of {name}")),
        created_at: minute(0),
        expires_at: minute(1),
    }
}

/// Returns the issue of the tokens `tokens` half a minute past noon. The access token expires at 13:00, the grant at
/// 14:00.
pub(super) fn token_issue(grant: &str, exchanged: ExchangedSecret, tokens: &str) -> TokenIssue {
    TokenIssue {
        grant: id(grant),
        exchanged,
        lineage: lineage_digest(grant),
        refresh: refresh_digest(tokens),
        refresh_expires_at: minute(120),
        access: access_digest(tokens),
        access_expires_at: minute(60),
        scopes: KeyMode::V1Full.scopes().on(Surface::V1),
        now: seconds(30),
    }
}

pub(super) fn access_digest(tokens: &str) -> KeyDigest {
    KeyDigest::of(&format!("access {tokens}"))
}

fn refresh_digest(tokens: &str) -> KeyDigest {
    KeyDigest::of(&format!("refresh {tokens}"))
}

pub(super) fn lineage_digest(grant: &str) -> KeyDigest {
    KeyDigest::of(&format!("lineage of {grant}"))
}

/// Returns the refresh token of `tokens`, which is exchanged.
pub(super) fn refresh_of(tokens: &str) -> ExchangedSecret {
    let nonce = RotationNonce::from_bytes(*KeyDigest::of(&format!("nonce {tokens}")).as_bytes());
    ExchangedSecret::RefreshToken { digest: refresh_digest(tokens), nonce }
}

fn issued(tokens: &str) -> GrantState {
    GrantState::Issued { refresh: refresh_digest(tokens) }
}

/// Returns a user with a session that does not exist.
pub(super) fn with_dead_session(user: &str) -> SignedIn {
    SignedIn { session: Some(KeyDigest::of("dead")), ..signed_in(user) }
}

pub(super) async fn insert(subject: &dyn GrantsSubject, new: &NewGrant) {
    let inserted = subject.grants().insert_grant(new, 50).await.unwrap();
    assert_eq!(inserted, INSERTED, "expected the preparation to succeed");
}

pub(super) async fn issue(subject: &dyn GrantsSubject, issue: &TokenIssue) -> bool {
    subject.grants().issue_tokens(issue).await.unwrap()
}

/// Stores a grant of ada with the tokens `t1`.
pub(super) async fn insert_with_tokens(subject: &dyn GrantsSubject) {
    insert(subject, &new_grant("g1", "ada")).await;
    assert!(issue(subject, &token_issue("g1", ExchangedSecret::Code, "t1")).await);
}

pub(super) async fn find(subject: &dyn GrantsSubject, by: GrantLookup<'_>) -> Option<StoredGrant> {
    subject.grants().find_grant(by).await.unwrap()
}

pub(super) async fn find_token(subject: &dyn GrantsSubject, tokens: &str) -> Option<FoundAccessToken> {
    subject.grants().find_access_token(&access_digest(tokens)).await.unwrap()
}

async fn list(subject: &dyn GrantsSubject, user: &str) -> Vec<Connection> {
    subject.grants().list_grants(&id(user), seconds(30)).await.unwrap()
}

pub(super) async fn listed_ids(subject: &dyn GrantsSubject, user: &str) -> Vec<String> {
    list(subject, user).await.into_iter().map(|connection| connection.id.to_string()).collect()
}

pub(super) async fn a_grant_is_found_by_its_code(subject: &dyn GrantsSubject) {
    let new = new_grant("g1", "ada");
    insert(subject, &new).await;
    insert(subject, &new_grant("g2", "ada")).await;
    let expected = StoredGrant {
        id: new.id.clone(),
        user: id("ada"),
        client_id: "client".to_owned(),
        redirect_uri: new.redirect_uri.clone(),
        surface: new.surface,
        scopes: new.scopes.clone(),
        challenge: new.challenge,
        state: GrantState::Approved,
        rotation: None,
        expires_at: new.expires_at,
    };
    assert_eq!(find(subject, GrantLookup::Code(&new.code)).await, Some(expected));
    assert_eq!(find(subject, GrantLookup::Code(&KeyDigest::of("unknown"))).await, None);
}

pub(super) async fn an_approval_can_be_used_only_once(subject: &dyn GrantsSubject) {
    let first = new_grant("g1", "ada");
    insert(subject, &first).await;
    for user in ["ada", "bob"] {
        let again = NewGrant { code: KeyDigest::of("another"), ..new_grant("g1", user) };
        assert_eq!(subject.grants().insert_grant(&again, 50).await.unwrap(), GrantInsert::AlreadyUsed);
    }
    assert_eq!(find(subject, GrantLookup::Code(&first.code)).await.unwrap().user, id("ada"));
}

pub(super) async fn inserting_an_existing_code_fails(subject: &dyn GrantsSubject) {
    let first = new_grant("g1", "ada");
    insert(subject, &first).await;
    let second = NewGrant { code: first.code, ..new_grant("g2", "bob") };
    assert!(subject.grants().insert_grant(&second, 50).await.is_err());
    assert_eq!(find(subject, GrantLookup::Code(&first.code)).await.unwrap().id, first.id);
}

pub(super) async fn a_grant_requires_a_session_that_has_not_ended(subject: &dyn GrantsSubject) {
    let new = NewGrant { owner: with_dead_session("ada"), ..new_grant("g1", "ada") };
    assert_eq!(subject.grants().insert_grant(&new, 50).await.unwrap(), GrantInsert::NotSignedIn);
    assert_eq!(find(subject, GrantLookup::Code(&new.code)).await, None);
}

/// Returns a grant of a client that has no other grant.
fn of_its_own_client(name: &str, user: &str) -> NewGrant {
    let client = OAuthClient::new(format!("client of {name}"), None, "example.com".to_owned());
    NewGrant { client: client.unwrap(), ..new_grant(name, user) }
}

pub(super) async fn only_live_grants_count_towards_the_limit(subject: &dyn GrantsSubject) {
    let grants = subject.grants();
    let try_insert = async |new: NewGrant| grants.insert_grant(&new, 2).await.unwrap();
    let of_its_own_client = |name| of_its_own_client(name, "ada");
    let expired = NewGrant { created_at: minute(-2), expires_at: minute(0), ..of_its_own_client("g3") };
    assert_eq!(try_insert(NewGrant { id: id("expired"), code: KeyDigest::of("expired"), ..expired }).await, INSERTED);
    assert_eq!(try_insert(of_its_own_client("g1")).await, INSERTED);
    assert_eq!(try_insert(of_its_own_client("g2")).await, INSERTED);
    assert_eq!(try_insert(of_its_own_client("g3")).await, GrantInsert::LimitReached);
    assert_eq!(try_insert(new_grant("g4", "bob")).await, INSERTED);
    assert!(grants.end_grant(&id("g1"), seconds(10), None).await.unwrap());
    assert_eq!(try_insert(of_its_own_client("g3")).await, INSERTED);
}

pub(super) async fn a_grant_replaces_the_least_used_one_of_its_client(subject: &dyn GrantsSubject) {
    let grants = subject.grants();
    insert(subject, &NewGrant { created_at: minute(-9), ..of_its_own_client("other", "ada") }).await;
    insert(subject, &NewGrant { created_at: minute(-9), ..new_grant("bobs", "bob") }).await;
    for (name, created_at) in [("g1", minute(-4)), ("g3", minute(-3)), ("g2", minute(-3)), ("g4", minute(-2))] {
        insert(subject, &NewGrant { created_at, ..new_grant(name, "ada") }).await;
    }
    assert!(issue(subject, &token_issue("g2", ExchangedSecret::Code, "t2")).await);
    grants.record_grant_uses(&[id("g1")], minute(-1)).await.unwrap();
    for (name, replaced) in [("g5", "g2"), ("g6", "g3"), ("g7", "g4"), ("g8", "g1")] {
        let inserted = grants.insert_grant(&new_grant(name, "ada"), 5).await.unwrap();
        assert_eq!(inserted, GrantInsert::Inserted { replaced: Some(id(replaced)) });
    }
    assert_eq!(listed_ids(subject, "ada").await, ["g8", "g7", "g6", "g5", "other"]);
    assert_eq!(listed_ids(subject, "bob").await, ["bobs"]);
    assert_eq!(find_token(subject, "t2").await, None);
    let ended = find(subject, GrantLookup::Lineage(&lineage_digest("g2"))).await.unwrap();
    assert_eq!(ended.state, GrantState::Revoked);
}

pub(super) async fn concurrent_insertions_do_not_exceed_the_grant_limit(subject: &dyn GrantsSubject) {
    let attempts = (0..8).map(async |n: u32| {
        let new = of_its_own_client(&format!("g{n}"), "ada");
        subject.grants().insert_grant(&new, 3).await.unwrap()
    });
    let inserted = join_all(attempts).await;
    assert_eq!(inserted.iter().filter(|inserted| **inserted == INSERTED).count(), 3);
    assert_eq!(list(subject, "ada").await.len(), 3);
}

pub(super) async fn an_issued_token_finds_its_grant_and_user(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let found = find_token(subject, "t1").await.unwrap();
    let account = subject.storage().find_account(&id("ada")).await.unwrap();
    let expected = FoundAccessToken {
        grant: id("g1"),
        user: id("ada"),
        surface: Surface::V1,
        scopes: KeyMode::V1Full.scopes().on(Surface::V1),
        expires_at: minute(60),
        last_used_at: None,
        account: found.account.clone().and(account),
    };
    assert_eq!(found, expected);
    assert_eq!(find_token(subject, "unknown").await, None);
    let lineage = lineage_digest("g1");
    for by in [GrantLookup::AccessToken(&access_digest("t1")), GrantLookup::Lineage(&lineage)] {
        let grant = find(subject, by).await.unwrap();
        assert_eq!((grant.id, grant.state, grant.expires_at), (id("g1"), issued("t1"), minute(120)));
    }
}

pub(super) async fn an_access_token_has_its_own_scopes(subject: &dyn GrantsSubject) {
    insert(subject, &new_grant("g1", "ada")).await;
    let scopes: ScopeSet = [Scope::V1Read].into_iter().collect();
    let narrow = TokenIssue { scopes: scopes.clone(), ..token_issue("g1", ExchangedSecret::Code, "t1") };
    assert!(issue(subject, &narrow).await);
    assert_eq!(find_token(subject, "t1").await.unwrap().scopes, scopes);
    let grant = find(subject, GrantLookup::AccessToken(&access_digest("t1"))).await.unwrap();
    assert_eq!(grant.scopes, new_grant("g1", "ada").scopes);
}

pub(super) async fn an_access_token_returns_the_current_account(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let is_enabled = async || find_token(subject, "t1").await.unwrap().account.map(|it| it.personal_api_enabled);
    if is_enabled().await.is_none() {
        return;
    }
    for (change, expected) in
        [(ProfileChange::new().disable_personal_api(), false), (ProfileChange::new().enable_personal_api(), true)]
    {
        subject.storage().update_profile(&signed_in("ada"), &change, seconds(40)).await.unwrap();
        assert_eq!(is_enabled().await, Some(expected));
    }
}

pub(super) async fn each_secret_issues_tokens_only_once(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    assert!(!issue(subject, &token_issue("g1", ExchangedSecret::Code, "t2")).await);
    assert!(issue(subject, &token_issue("g1", refresh_of("t1"), "t3")).await);
    assert!(!issue(subject, &token_issue("g1", refresh_of("t1"), "t4")).await);
    assert!(!issue(subject, &token_issue("unknown", ExchangedSecret::Code, "t5")).await);
    assert_eq!(find_token(subject, "t4").await, None);
}

pub(super) async fn new_tokens_replace_the_previous_ones(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    assert!(find_token(subject, "t1").await.is_some());
    assert!(issue(subject, &token_issue("g1", refresh_of("t1"), "t2")).await);
    assert_eq!(find_token(subject, "t1").await, None);
    assert!(find_token(subject, "t2").await.is_some());
    let grant = find(subject, GrantLookup::Lineage(&lineage_digest("g1"))).await.unwrap();
    assert_eq!(grant.state, issued("t2"));
}

pub(super) async fn one_of_many_concurrent_redemptions_succeeds(subject: &dyn GrantsSubject) {
    insert(subject, &new_grant("g1", "ada")).await;
    assert_one_issue_succeeds(subject, ExchangedSecret::Code).await;
}

pub(super) async fn one_of_many_concurrent_refreshes_succeeds(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    assert_one_issue_succeeds(subject, refresh_of("t1")).await;
}

async fn assert_one_issue_succeeds(subject: &dyn GrantsSubject, exchanged: ExchangedSecret) {
    let attempts = (0..8).map(async |n: u32| {
        let tokens = format!("concurrent {n}");
        issue(subject, &token_issue("g1", exchanged, &tokens)).await.then_some(tokens)
    });
    let issued: Vec<_> = join_all(attempts).await.into_iter().flatten().collect();
    let [tokens] = issued.as_slice() else { panic!("{} calls have succeeded", issued.len()) };
    assert!(find_token(subject, tokens).await.is_some());
}

pub(super) async fn an_expired_grant_issues_no_tokens(subject: &dyn GrantsSubject) {
    insert(subject, &new_grant("g1", "ada")).await;
    let late = TokenIssue { now: minute(1), ..token_issue("g1", ExchangedSecret::Code, "t1") };
    assert!(!issue(subject, &late).await);
    assert_eq!(find_token(subject, "t1").await, None);
}

pub(super) async fn live_grants_are_listed_newest_first_then_by_id(subject: &dyn GrantsSubject) {
    for (name, created_at, expires_at) in [
        ("a", seconds(1), minute(1)),
        ("c", seconds(2), minute(1)),
        ("b", seconds(2), minute(1)),
        ("expired", seconds(3), seconds(30)),
    ] {
        insert(subject, &NewGrant { created_at, expires_at, ..new_grant(name, "ada") }).await;
    }
    insert(subject, &new_grant("bobs", "bob")).await;
    assert_eq!(listed_ids(subject, "ada").await, ["c", "b", "a"]);
    assert_eq!(listed_ids(subject, "bob").await, ["bobs"]);
}

pub(super) async fn every_field_of_a_grant_is_listed(subject: &dyn GrantsSubject) {
    let client = OAuthClient::new("other".to_owned(), None, "127.0.0.1".to_owned()).unwrap();
    let read = [Scope::McpRead].into_iter().collect();
    let nameless = NewGrant { client, surface: Surface::ReadPath, scopes: read, ..new_grant("a", "ada") };
    for new in [new_grant("b", "ada"), nameless] {
        insert(subject, &new).await;
    }
    let connection =
        |name: &str, client: Option<&str>, host: &str, mode: KeyMode, surface, resource: &str| Connection {
            id: id(name),
            client: client.map(str::to_owned),
            host: host.to_owned(),
            mode: Some(mode),
            scopes: mode.scopes().on(surface),
            resource: resource.to_owned(),
            created_at: minute(0),
            last_used_at: None,
        };
    let expected = [
        connection("b", Some("Claude"), "example.com", KeyMode::V1Full, Surface::V1, "/api/v1/mcp"),
        connection("a", None, "127.0.0.1", KeyMode::McpRead, Surface::ReadPath, "/api/mcp"),
    ];
    assert_eq!(list(subject, "ada").await, expected);
}

pub(super) async fn the_last_use_of_a_grant_never_moves_backwards(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    insert(subject, &new_grant("unused", "ada")).await;
    for (at, expected) in [(minute(5), minute(5)), (minute(7), minute(7)), (minute(6), minute(7))] {
        subject.grants().record_grant_uses(&[id("g1"), id("unknown")], at).await.unwrap();
        let uses: Vec<_> = list(subject, "ada").await.into_iter().map(|grant| grant.last_used_at).collect();
        assert_eq!(uses, [None, Some(expected)]);
        assert_eq!(find_token(subject, "t1").await.unwrap().last_used_at, Some(expected));
    }
}

/// Deletes grants that ended by `until`, and grants that ended by `misused_until` because of a misuse.
#[track_caller]
pub(super) fn delete_ended(
    subject: &dyn GrantsSubject,
    until: Timestamp,
    misused_until: Timestamp,
    limit: u32,
) -> impl Future<Output = u64> {
    let call = Call::without_user(format!("delete_ended_grants ({until}, {misused_until}, limit {limit})"));
    async move { call.result(subject.grants().delete_ended_grants(until, misused_until, limit).await) }
}

pub(super) async fn a_purge_deletes_the_grants_that_ended_first(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    for name in ["a", "b", "c", "d"] {
        insert(subject, &new_grant(name, "ada")).await;
    }
    for (name, at) in [("b", 20), ("a", 30)] {
        assert!(subject.grants().end_grant(&id(name), seconds(at), None).await.unwrap());
    }
    let purge = async |until, limit| delete_ended(subject, until, until, limit).await;
    let code = |name: &str| KeyDigest::of(&format!("code of {name}"));
    assert_same(&purge(seconds(19), 10).await, &0);
    assert_same(&purge(minute(1), 1).await, &1);
    assert_eq!(find(subject, GrantLookup::Code(&code("b"))).await, None, "after {}", last_call());
    assert!(find(subject, GrantLookup::Code(&code("a"))).await.is_some(), "a is deleted after {}", last_call());
    let deleted = join_all((0..4).map(|_| purge(minute(1), 2))).await;
    assert!(deleted.iter().sum::<u64>() <= 3, "{} deleted {deleted:?}", last_call());
    while purge(minute(1), 2).await > 0 {}
    for name in ["a", "c", "d"] {
        assert_eq!(find(subject, GrantLookup::Code(&code(name))).await, None, "{name} after {}", last_call());
    }
    assert!(find_token(subject, "t1").await.is_some(), "t1 is deleted after {}", last_call());
}

pub(super) async fn all_calls_return_the_same_signing_key(subject: &dyn GrantsSubject) {
    let keys = join_all((1..=8).map(async |n| subject.grants().signing_key([n; 32]).await.unwrap())).await;
    assert!(keys.iter().all(|key| *key == keys[0]), "the keys differ");
    assert!((1..=8).any(|n| keys[0] == [n; 32]));
    assert_eq!(subject.grants().signing_key([9; 32]).await.unwrap(), keys[0]);
}
