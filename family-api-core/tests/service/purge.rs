//! Ended keys are kept for the audit, and not for ever; a user has so many sessions.

use std::sync::Arc;

use family_api_core::key::{KeyDigest, KeyDraft, KeyMode};
use family_api_core::storage::{Credentials, Keys, Load, PasswordHash, Record, Session};
use family_api_core::{FamilyApi, Surface, Timestamp};
use jiff::SignedDuration;
use serde_json::json;

use crate::house::{ENVIRONMENT, House, enter, key, session};

const DAY: SignedDuration = SignedDuration::from_hours(24);
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Purges until nothing is due; returns how many batches that were.
async fn purge(api: &FamilyApi) -> usize {
    let mut batches = 0;
    while api.has_purge_due() {
        api.purge().await.unwrap();
        batches += 1;
    }
    batches
}

fn number(number: u32) -> String {
    format!("{number:04}")
}

/// Keys of one user that were revoked one millisecond after the other, by their numbers.
async fn load_revoked_keys(house: &House, user: &str, count: u32) {
    let mut load = house.storage.memory.begin_load().await.unwrap();
    for n in 0..count {
        let digest = KeyDigest::of(&number(n)).as_bytes().map(|byte| format!("{byte:02x}")).concat();
        let revoked_at = Timestamp::from_millis(1_795_169_000_000 + i64::from(n)).unwrap();
        let record = json!({ "type": "key", "id": number(n), "userId": user, "name": null, "hint": "", "tokenHash": digest,
            "scopes": [], "createdAt": "2026-01-01T00:00:00Z", "expiresAt": null, "revokedAt": revoked_at });
        load.insert(Record::from_json(record.to_string().as_bytes()).unwrap()).await.unwrap();
    }
    load.commit().await.unwrap();
}

async fn is_known(house: &House, plaintext: &str) -> bool {
    house.storage.memory.find_key(&KeyDigest::of(plaintext)).await.unwrap().is_some()
}

#[tokio::test]
async fn a_revoked_key_is_kept_for_thirty_days() {
    let house = House::new().await;
    let api = house.api();
    let (revoked, active) = (key(&api, "ana").await, key(&api, "ana").await);
    let session = session(&api, "ana").await;
    api.keys(&session).unwrap().revoke(&revoked.id.as_str().into()).await.unwrap();
    purge(&api).await;

    house.clock.advance(DAY * 30 - SignedDuration::from_millis(1));
    purge(&api).await;
    assert!(is_known(&house, revoked.token.expose()).await);
    house.clock.advance(HOUR);
    purge(&api).await;
    assert!(!is_known(&house, revoked.token.expose()).await);
    assert!(is_known(&house, active.token.expose()).await);
    let refused = enter(&api, revoked.token.expose(), Surface::V1).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "invalid_token");
}

#[tokio::test]
async fn an_expired_key_is_kept_for_thirty_days() {
    let house = House::new().await;
    let api = house.api();
    let session = session(&api, "ana").await;
    let draft = KeyDraft::new(KeyMode::V1Read).expires_at(house.now().saturating_add(DAY));
    let expired = api.keys(&session).unwrap().create(draft).await.unwrap();
    house.clock.advance(DAY * 31 - SignedDuration::from_millis(1));
    purge(&api).await;
    assert!(is_known(&house, expired.token.expose()).await);
    house.clock.advance(HOUR);
    purge(&api).await;
    assert!(!is_known(&house, expired.token.expose()).await);
}

#[tokio::test]
async fn of_one_user_a_thousand_ended_keys_are_kept_and_the_oldest_go_first() {
    let house = House::new().await;
    let api = house.api();
    purge(&api).await;
    load_revoked_keys(&house, "ana", 2_100).await;
    assert_eq!(purge(&api).await, 0);
    key(&api, "ben").await;
    purge(&api).await;
    assert!(is_known(&house, &number(0)).await);

    let active = key(&api, "ana").await;
    assert_eq!(purge(&api).await, 3);
    for n in [0, 1_099] {
        assert!(!is_known(&house, &number(n)).await, "{n}");
    }
    for n in [1_100, 2_099] {
        assert!(is_known(&house, &number(n)).await, "{n}");
    }
    assert!(is_known(&house, active.token.expose()).await);
}

#[tokio::test]
async fn one_call_deletes_five_hundred_keys_at_most() {
    let house = House::new().await;
    let api = house.api();
    load_revoked_keys(&house, "ana", 1_200).await;
    house.clock.advance(DAY * 31);
    for left in [700, 200, 0] {
        assert!(api.has_purge_due());
        api.purge().await.unwrap();
        let mut known = 0;
        for n in 0..1_200 {
            known += u32::from(is_known(&house, &number(n)).await);
        }
        assert_eq!(known, left);
    }
}

#[tokio::test]
async fn all_keys_are_swept_once_an_hour() {
    let house = House::new().await;
    let api = house.api();
    assert!(purge(&api).await > 0);
    house.clock.advance(HOUR - SignedDuration::from_millis(1));
    assert!(!api.has_purge_due());
    house.clock.advance(SignedDuration::from_millis(1));
    assert!(purge(&api).await > 0);
    house.clock.advance(-DAY);
    assert!(api.has_purge_due());
}

#[tokio::test]
async fn an_environment_token_does_not_open_after_its_revoked_key_is_old() {
    let house = House::new().await;
    let api = house.api();
    let digest = KeyDigest::of(ENVIRONMENT).as_bytes().map(|byte| format!("{byte:02x}")).concat();
    let record = json!({ "type": "key", "id": "old", "userId": "ana", "name": null, "hint": "", "tokenHash": digest,
        "scopes": ["mcp.read"], "createdAt": "2026-01-01T00:00:00Z", "expiresAt": null,
        "revokedAt": "2026-01-02T00:00:00Z" });
    let mut load = house.storage.memory.begin_load().await.unwrap();
    load.insert(Record::from_json(record.to_string().as_bytes()).unwrap()).await.unwrap();
    load.commit().await.unwrap();
    purge(&api).await;
    let refused = enter(&api, ENVIRONMENT, Surface::ReadPath).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "invalid_token");
}

#[tokio::test]
async fn a_purge_that_failed_is_due_again() {
    let house = House::new().await;
    let api = house.api();
    load_revoked_keys(&house, "ana", 1).await;
    house.clock.advance(DAY * 31);
    house.storage.take_uses(false);
    assert!(api.has_purge_due());
    assert_eq!(api.purge().await.unwrap_err().code().as_str(), "unavailable");
    assert!(api.has_purge_due() && is_known(&house, &number(0)).await);
    house.storage.take_uses(true);
    purge(&api).await;
    assert!(!is_known(&house, &number(0)).await);
}

#[tokio::test]
async fn a_user_has_a_thousand_sessions_and_expired_ones_are_deleted() {
    let house = House::new().await;
    let memory = house.storage.memory.clone();
    let api = house.builder().credentials(Arc::new(memory.clone())).build();
    let hash = PasswordHash::new("$argon2id$any".to_owned());
    assert!(memory.update_password("ana@example.org", &hash).await.unwrap());
    let start = house.now();
    for n in 0..1_003 {
        let expires_at = start.saturating_add(DAY + SignedDuration::from_secs(n));
        let digest = KeyDigest::of(&n.to_string());
        let session = Session { digest, user: "ana".parse().unwrap(), created_at: start, expires_at };
        assert!(memory.insert_session(&session, &hash).await.unwrap());
    }
    let is_open = async |n: i64, now| memory.find_session(&KeyDigest::of(&n.to_string()), now).await.unwrap().is_some();

    purge(&api).await;
    assert!(is_open(0, start).await);
    api.session_opened(&"ana".parse().unwrap());
    purge(&api).await;
    assert!(!is_open(2, start).await && is_open(3, start).await && is_open(1_002, start).await);

    house.clock.advance(DAY + SignedDuration::from_secs(500));
    purge(&api).await;
    assert!(!is_open(500, start).await && is_open(501, start).await);
}

/// A thousand sessions and one of a user; the first expires first.
async fn open_surplus_sessions(house: &House, user: &str) {
    let (memory, hash) = (&house.storage.memory, PasswordHash::new("$argon2id$any".to_owned()));
    assert!(memory.update_password(&format!("{user}@example.org"), &hash).await.unwrap());
    for n in 0..1_001 {
        let expires_at = house.now().saturating_add(DAY + SignedDuration::from_secs(n));
        let digest = KeyDigest::of(&n.to_string());
        let session = Session { digest, user: user.parse().unwrap(), created_at: house.now(), expires_at };
        assert!(memory.insert_session(&session, &hash).await.unwrap());
    }
}

#[tokio::test]
async fn a_user_who_ends_keys_all_the_time_delays_no_other_purge() {
    let house = House::new().await;
    let memory = house.storage.memory.clone();
    let api = house.builder().credentials(Arc::new(memory.clone())).build();
    purge(&api).await;
    load_revoked_keys(&house, "ana", 1_000).await;
    open_surplus_sessions(&house, "ben").await;
    api.session_opened(&"ben".parse().unwrap());
    let ana = session(&api, "ana").await;
    for _ in 0..2 {
        let key = key(&api, "ana").await;
        api.keys(&ana).unwrap().revoke(&key.id.as_str().into()).await.unwrap();
        api.purge().await.unwrap();
    }
    assert!(memory.find_session(&KeyDigest::of("0"), house.now()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_purge_that_fails_each_time_delays_no_other() {
    let house = House::new().await;
    let memory = house.storage.memory.clone();
    let api = house.builder().credentials(Arc::new(memory.clone())).build();
    open_surplus_sessions(&house, "ben").await;
    api.session_opened(&"ben".parse().unwrap());
    house.storage.take_uses(false);
    assert!(api.has_purge_due());
    assert!(api.purge().await.is_err());
    api.purge().await.unwrap();
    assert!(memory.find_session(&KeyDigest::of("0"), house.now()).await.unwrap().is_none());
}
