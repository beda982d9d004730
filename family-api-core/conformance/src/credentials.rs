//! Passwords and sessions.

use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    Author, Credential, KeyInsert, KeyRevocation, Password, PasswordHash, Record, Session, SignedIn, UserRecord,
};
use futures_util::future::join;

use crate::CredentialsSubject;
use crate::author::{assert_session_is_refused, assert_writes_allowed, keys_for_session_checks};
use crate::fixture::{Call, ada, assert_same, id, last_call, minute, new_key, now, seconds, seed, user};
use crate::writes::kinds::seed_containers;

pub(super) fn hash(text: &str) -> PasswordHash {
    PasswordHash::new(format!("$argon2id$v=19$m=19456,t=2,p=1${text}"))
}

fn session(secret: &str, user: &str) -> Session {
    Session { digest: KeyDigest::of(secret), user: id(user), created_at: minute(0), expires_at: minute(60) }
}

/// Seeds the families with spare containers, and fay, a user with a password.
async fn seed_fay(subject: &dyn CredentialsSubject) {
    seed_containers(subject).await;
    let fay = UserRecord { password: Password::Hashed(hash("fay")), ..user("fay", Some("north")) };
    seed(subject, vec![Record::User(fay)]).await;
}

/// Seeds the families and fay, and sets passwords of ada and bob.
pub(super) async fn seed_with_passwords(subject: &dyn CredentialsSubject) {
    seed_fay(subject).await;
    for user in ["ada", "bob"] {
        assert!(subject.credentials().update_password(&id(user), &hash(user)).await.unwrap());
    }
}

pub(super) async fn open_session(subject: &dyn CredentialsSubject, secret: &str, user: &str) {
    let is_inserted = subject.credentials().insert_session(&session(secret, user), &hash(user)).await.unwrap();
    assert!(is_inserted, "expected the preparation to succeed");
}

pub(super) async fn session_user(subject: &dyn CredentialsSubject, secret: &str) -> Option<String> {
    let user = subject.credentials().find_session(&KeyDigest::of(secret), minute(1)).await.unwrap();
    user.map(|user| user.to_string())
}

pub(super) async fn a_password_is_found_by_email_address(subject: &dyn CredentialsSubject) {
    seed_fay(subject).await;
    let credentials = subject.credentials();
    let fay = credentials.find_password("fay@example.com").await.unwrap();
    assert_eq!(fay, Some((id("fay"), Some(hash("fay")))));
    assert_eq!(credentials.find_password("ada@example.com").await.unwrap(), Some((id("ada"), None)));
    for address in ["FAY@example.com", "fay@Example.COM"] {
        assert_eq!(credentials.find_password(address).await.unwrap(), fay, "{address}");
    }
    assert_eq!(credentials.find_password("fay").await.unwrap(), None);
    assert_eq!(credentials.find_password("").await.unwrap(), None);
}

pub(super) async fn an_email_address_with_a_nul_byte_matches_no_user(subject: &dyn CredentialsSubject) {
    seed_fay(subject).await;
    for address in ["\0", "fay@example.com\0", "fay\0@example.com"] {
        assert_eq!(subject.credentials().find_password(address).await.unwrap(), None);
    }
}

pub(super) async fn a_new_password_replaces_the_old_one(subject: &dyn CredentialsSubject) {
    seed_fay(subject).await;
    let credentials = subject.credentials();
    for user in ["fay", "ada"] {
        let address = format!("{user}@example.com");
        assert!(credentials.update_password(&id(user), &hash("new")).await.unwrap());
        assert_eq!(credentials.find_password(&address).await.unwrap(), Some((id(user), Some(hash("new")))));
    }
    assert_eq!(credentials.find_password("bob@example.com").await.unwrap(), Some((id("bob"), None)));
}

pub(super) async fn a_password_for_an_unknown_user_is_not_stored(subject: &dyn CredentialsSubject) {
    seed_fay(subject).await;
    assert!(!subject.credentials().update_password(&id("gone"), &hash("new")).await.unwrap());
    assert_eq!(subject.credentials().find_password("gone@example.com").await.unwrap(), None);
}

pub(super) async fn a_new_password_ends_only_the_sessions_of_its_user(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    for (secret, user) in [("s1", "ada"), ("s2", "ada"), ("s3", "bob")] {
        open_session(subject, secret, user).await;
    }
    assert!(subject.credentials().update_password(&id("ada"), &hash("new")).await.unwrap());
    assert_eq!(session_user(subject, "s1").await, None);
    assert_eq!(session_user(subject, "s2").await, None);
    assert_eq!(session_user(subject, "s3").await.as_deref(), Some("bob"));
}

pub(super) async fn a_session_is_found_until_it_expires(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    open_session(subject, "s1", "ada").await;
    let digest = KeyDigest::of("s1");
    let credentials = subject.credentials();
    assert_eq!(credentials.find_session(&digest, seconds(3_599)).await.unwrap(), Some(id("ada")));
    assert_eq!(credentials.find_session(&digest, minute(60)).await.unwrap(), None);
    assert_eq!(credentials.find_session(&KeyDigest::of("S1"), minute(1)).await.unwrap(), None);
}

pub(super) async fn deleting_a_session_succeeds_once_and_keeps_the_others(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    open_session(subject, "s1", "ada").await;
    open_session(subject, "s2", "ada").await;
    assert!(subject.credentials().delete_session(&KeyDigest::of("s1")).await.unwrap());
    assert!(!subject.credentials().delete_session(&KeyDigest::of("s1")).await.unwrap());
    assert_eq!(session_user(subject, "s1").await, None);
    assert_eq!(session_user(subject, "s2").await.as_deref(), Some("ada"));
}

pub(super) async fn inserting_an_existing_session_fails_and_keeps_the_first(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    open_session(subject, "s1", "ada").await;
    assert!(subject.credentials().insert_session(&session("s1", "bob"), &hash("bob")).await.is_err());
    assert_eq!(session_user(subject, "s1").await.as_deref(), Some("ada"));
}

pub(super) async fn a_session_requires_the_current_password(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    let credentials = subject.credentials();
    assert!(credentials.update_password(&id("ada"), &hash("new")).await.unwrap());
    for (user, verified) in [("ada", "ada"), ("cid", "cid"), ("nobody", "ada")] {
        assert!(!credentials.insert_session(&session("s1", user), &hash(verified)).await.unwrap(), "{user}");
        assert_eq!(session_user(subject, "s1").await, None);
    }
    assert!(credentials.insert_session(&session("s1", "ada"), &hash("new")).await.unwrap());
    assert_eq!(session_user(subject, "s1").await.as_deref(), Some("ada"));
}

pub(super) async fn a_concurrent_password_change_leaves_no_old_session(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    let credentials = subject.credentials();
    let mut password = hash("ada");
    for round in 0..16 {
        let (secret, next) = (format!("s{round}"), hash(&format!("new{round}")));
        let session = session(&secret, "ada");
        let insertion = credentials.insert_session(&session, &password);
        let (inserted, changed) = join(insertion, credentials.update_password(&id("ada"), &next)).await;
        assert!(inserted.is_ok() && changed.unwrap());
        assert_eq!(session_user(subject, &secret).await, None);
        password = next;
    }
}

/// Seeds the families and keys of ada, and opens a session of ada. Returns the digest of the session.
async fn seed_session(subject: &dyn CredentialsSubject) -> KeyDigest {
    seed_with_passwords(subject).await;
    seed(subject, keys_for_session_checks()).await;
    open_session(subject, "s1", "ada").await;
    KeyDigest::of("s1")
}

pub(super) async fn a_valid_session_allows_writes(subject: &dyn CredentialsSubject) {
    let session = Some(seed_session(subject).await);
    let owner = SignedIn { user: id("ada"), session };
    let mut new = new_key("k1", "ada");
    new.owner = owner.clone();
    assert_eq!(subject.storage().insert_key(&new, 50).await.unwrap(), KeyInsert::Inserted);
    let revocation = subject.storage().revoke_key(&owner, &id("k1"), now()).await.unwrap();
    assert_eq!(revocation, KeyRevocation::Revoked);
    for change in [ProfileChange::new(), ProfileChange::new().enable_personal_api()] {
        assert!(subject.storage().update_profile(&owner, &change, now()).await.unwrap().is_some());
    }
    let author = Author { member: ada(), credential: Credential::Session(session) };
    assert_writes_allowed(subject, &author).await;
}

pub(super) async fn a_write_with_a_deleted_session_is_refused(subject: &dyn CredentialsSubject) {
    let session = seed_session(subject).await;
    assert!(subject.credentials().delete_session(&session).await.unwrap());
    assert_session_is_refused(subject, Some(session)).await;
}

pub(super) async fn a_write_with_a_session_of_the_old_password_is_refused(subject: &dyn CredentialsSubject) {
    let session = seed_session(subject).await;
    assert!(subject.credentials().update_password(&id("ada"), &hash("new")).await.unwrap());
    assert_session_is_refused(subject, Some(session)).await;
}

pub(super) async fn a_write_with_an_expired_session_is_refused(subject: &dyn CredentialsSubject) {
    let first = seed_session(subject).await;
    assert!(subject.credentials().delete_session(&first).await.unwrap());
    let digest = KeyDigest::of("s2");
    let session = Session { digest, user: id("ada"), created_at: minute(-60), expires_at: minute(0) };
    assert!(subject.credentials().insert_session(&session, &hash("ada")).await.unwrap());
    assert_session_is_refused(subject, Some(digest)).await;
}

pub(super) async fn a_write_with_a_session_of_another_user_is_refused(subject: &dyn CredentialsSubject) {
    seed_session(subject).await;
    open_session(subject, "s3", "bob").await;
    assert_session_is_refused(subject, Some(KeyDigest::of("s3"))).await;
}

/// Seeds a session of bob that expires at noon, and sessions of ada that expire one, two and three minutes later.
async fn seed_sessions(subject: &dyn CredentialsSubject) {
    seed_with_passwords(subject).await;
    for (secret, user, end) in [("s0", "bob", 0), ("s1", "ada", 1), ("s3", "ada", 3), ("s2", "ada", 2)] {
        let session = Session { created_at: minute(-1), expires_at: minute(end), ..session(secret, user) };
        let is_inserted = subject.credentials().insert_session(&session, &hash(user)).await.unwrap();
        assert!(is_inserted, "expected the preparation to succeed");
    }
}

/// Asserts that a purge deleted exactly the `expected` sessions, or no session. `deleted` is the number that the purge
/// returned.
async fn assert_purged(subject: &dyn CredentialsSubject, deleted: u64, expected: &[&str]) {
    let expected = if deleted == 0 { &[] } else { expected };
    assert_same(&deleted, &(expected.len() as u64));
    let purge = last_call();
    for secret in ["s0", "s1", "s2", "s3"] {
        let found = subject.credentials().find_session(&KeyDigest::of(secret), minute(-1)).await.unwrap();
        assert_eq!(found.is_none(), expected.contains(&secret), "whether {secret} is deleted after {purge}");
    }
}

#[track_caller]
fn delete_expired(subject: &dyn CredentialsSubject, now: Timestamp, limit: u32) -> impl Future<Output = u64> {
    let call = Call::without_user(format!("delete_expired_sessions (at {now}, limit {limit})"));
    async move { call.result(subject.credentials().delete_expired_sessions(now, limit).await) }
}

#[track_caller]
fn delete_surplus(subject: &dyn CredentialsSubject, keep: u32) -> impl Future<Output = u64> {
    let call = Call::new(format!("delete_surplus_sessions (keep {keep})"), "ada");
    async move { call.result(subject.credentials().delete_surplus_sessions(&id("ada"), keep, 10).await) }
}

pub(super) async fn a_purge_deletes_only_expired_sessions(subject: &dyn CredentialsSubject) {
    seed_sessions(subject).await;
    let deleted = delete_expired(subject, minute(1), 10).await;
    assert_purged(subject, deleted, &["s0", "s1"]).await;
    let deleted_with_limit = delete_expired(subject, minute(3), 1).await;
    assert!(deleted_with_limit <= 1, "{} deleted {deleted_with_limit} sessions", last_call());
}

pub(super) async fn a_session_purge_keeps_the_sessions_that_expire_last(subject: &dyn CredentialsSubject) {
    seed_sessions(subject).await;
    assert_same(&delete_surplus(subject, 3).await, &0);
    let deleted = delete_surplus(subject, 1).await;
    assert_purged(subject, deleted, &["s1", "s2"]).await;
}
