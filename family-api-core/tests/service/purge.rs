//! Purges of ended keys and sessions.

use std::sync::Arc;
use std::time::Duration;

use family_api_core::change::Editable;
use family_api_core::id::NoteId;
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::key::{KeyDigest, KeyDraft, KeyMode};
use family_api_core::resource::{Note, Verb};
use family_api_core::storage::{CredentialStorage, KeyStorage, PasswordHash, Session, WriteStorage};
use family_api_core::validation::{Json, Reference};
use family_api_core::{FamilyApi, Precondition, Surface, Timestamp};
use family_api_testing::line;
use jiff::SignedDuration;
use serde_json::json;
use tokio::time::sleep;

use crate::fixture::{ENVIRONMENT_TOKEN, Fixture, authorize, create_key, session};

const DAY: SignedDuration = SignedDuration::from_hours(24);
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Sends a request and lets the background task purge everything that is due. Returns the number of storage calls.
async fn purge(fixture: &Fixture, api: &FamilyApi) -> usize {
    session(api, "ana").await;
    fixture.storage.take_call_count();
    sleep(Duration::from_mins(1)).await;
    fixture.storage.take_call_count()
}

/// Waits until the background task has purged one batch.
async fn purge_one_batch() {
    sleep(Duration::from_millis(1_100)).await;
}

/// Returns the id of a loaded key, which is also the token of the key.
fn key_id(number: u32) -> String {
    format!("{number:04}")
}

/// Loads keys of one user that were revoked one millisecond apart, in the order of their numbers.
async fn load_revoked_keys(fixture: &Fixture, user: &str, count: u32) {
    load_more_revoked_keys(fixture, user, 0, count).await;
}

async fn load_more_revoked_keys(fixture: &Fixture, user: &str, first: u32, count: u32) {
    let key = |n: u32| {
        let digest = KeyDigest::of(&key_id(n)).as_bytes().map(|byte| format!("{byte:02x}")).concat();
        let revoked_at = Timestamp::from_millis(1_795_169_000_000 + i64::from(n)).unwrap();
        line!("key", &key_id(n), { "userId": user, "tokenHash": digest, "revokedAt": revoked_at })
    };
    fixture.load((first..first + count).map(key)).await;
}

async fn is_stored(fixture: &Fixture, token: &str) -> bool {
    fixture.storage.memory.find_key(&KeyDigest::of(token)).await.unwrap().is_some()
}

#[tokio::test(start_paused = true)]
async fn a_revoked_key_is_kept_for_thirty_days() {
    let (fixture, api) = Fixture::with_api().await;
    let (revoked, active) = (create_key(&api, "ana").await, create_key(&api, "ana").await);
    let session = session(&api, "ana").await;
    api.keys(&session).unwrap().revoke(&revoked.id.as_str().into()).await.unwrap();
    purge(&fixture, &api).await;

    fixture.clock.advance(DAY * 30 - SignedDuration::from_millis(1));
    purge(&fixture, &api).await;
    assert!(is_stored(&fixture, revoked.token.expose()).await);
    fixture.clock.advance(HOUR);
    purge(&fixture, &api).await;
    assert!(!is_stored(&fixture, revoked.token.expose()).await);
    assert!(is_stored(&fixture, active.token.expose()).await);
    let refused = authorize(&api, revoked.token.expose(), Surface::V1).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "invalid_token");
}

#[tokio::test(start_paused = true)]
async fn an_expired_key_is_kept_for_thirty_days() {
    let (fixture, api) = Fixture::with_api().await;
    let session = session(&api, "ana").await;
    let draft = KeyDraft::new(KeyMode::V1Read).expires_at(fixture.now().saturating_add(DAY));
    let expired = api.keys(&session).unwrap().create(draft).await.unwrap();
    fixture.clock.advance(DAY * 31 - SignedDuration::from_millis(1));
    purge(&fixture, &api).await;
    assert!(is_stored(&fixture, expired.token.expose()).await);
    fixture.clock.advance(HOUR);
    purge(&fixture, &api).await;
    assert!(!is_stored(&fixture, expired.token.expose()).await);
}

#[tokio::test(start_paused = true)]
async fn the_newest_1000_ended_keys_of_a_user_are_kept() {
    let (fixture, api) = Fixture::with_api().await;
    purge(&fixture, &api).await;
    load_revoked_keys(&fixture, "ana", 2_100).await;
    assert_eq!(purge(&fixture, &api).await, 0);
    create_key(&api, "ben").await;
    purge(&fixture, &api).await;
    assert!(is_stored(&fixture, &key_id(0)).await);

    let active = create_key(&api, "ana").await;
    assert_eq!(purge(&fixture, &api).await, 3);
    for n in [0, 1_099] {
        assert!(!is_stored(&fixture, &key_id(n)).await, "{n}");
    }
    for n in [1_100, 2_099] {
        assert!(is_stored(&fixture, &key_id(n)).await, "{n}");
    }
    assert!(is_stored(&fixture, active.token.expose()).await);
}

#[tokio::test(start_paused = true)]
async fn one_batch_deletes_at_most_500_keys() {
    let (fixture, api) = Fixture::with_api().await;
    load_revoked_keys(&fixture, "ana", 1_200).await;
    fixture.clock.advance(DAY * 31);
    session(&api, "ana").await;
    for left in [700, 200, 0] {
        purge_one_batch().await;
        let mut stored = 0;
        for n in 0..1_200 {
            stored += u32::from(is_stored(&fixture, &key_id(n)).await);
        }
        assert_eq!(stored, left);
    }
}

#[tokio::test(start_paused = true)]
async fn all_keys_are_purged_once_an_hour() {
    let (fixture, api) = Fixture::with_api().await;
    assert!(purge(&fixture, &api).await > 0);
    fixture.clock.advance(HOUR - SignedDuration::from_millis(1));
    assert_eq!(purge(&fixture, &api).await, 0);
    fixture.clock.advance(SignedDuration::from_millis(1));
    assert!(purge(&fixture, &api).await > 0);
    fixture.clock.advance(-DAY);
    assert!(purge(&fixture, &api).await > 0);
}

#[tokio::test(start_paused = true)]
async fn an_environment_token_of_a_revoked_key_is_never_accepted_again() {
    let (fixture, api) = Fixture::with_api().await;
    let digest = KeyDigest::of(ENVIRONMENT_TOKEN).as_bytes().map(|byte| format!("{byte:02x}")).concat();
    let revoked = json!({ "userId": "ana", "tokenHash": digest, "revokedAt": "2026-01-02T00:00:00Z" });
    fixture.load([line!("key", "old", revoked)]).await;
    purge(&fixture, &api).await;
    let refused = authorize(&api, ENVIRONMENT_TOKEN, Surface::ReadPath).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "invalid_token");
}

#[tokio::test(start_paused = true)]
async fn a_failed_purge_is_retried() {
    let (fixture, api) = Fixture::with_api().await;
    load_revoked_keys(&fixture, "ana", 1).await;
    fixture.clock.advance(DAY * 31);
    fixture.storage.allow_background_writes(false);
    purge(&fixture, &api).await;
    assert!(is_stored(&fixture, &key_id(0)).await);
    fixture.storage.allow_background_writes(true);
    purge(&fixture, &api).await;
    assert!(!is_stored(&fixture, &key_id(0)).await);
}

#[tokio::test(start_paused = true)]
async fn a_purge_that_keeps_failing_does_not_stop_other_purges() {
    let fixture = Fixture::new().await;
    let memory = fixture.storage.memory.clone();
    let api = fixture.builder().credentials(Arc::new(memory.clone())).build();
    let hash = PasswordHash::new("$argon2id$any".to_owned());
    assert!(memory.update_password(&"ana".parse().unwrap(), &hash).await.unwrap());
    let (digest, start) = (KeyDigest::of("expired"), fixture.now());
    let session = Session { digest, user: "ana".parse().unwrap(), created_at: start, expires_at: fixture.now() };
    assert!(memory.insert_session(&session, &hash).await.unwrap());
    fixture.storage.allow_background_writes(false);
    // Deleting keys fails, deleting sessions succeeds.
    purge(&fixture, &api).await;
    assert!(!memory.delete_session(&digest).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_user_with_many_ended_keys_does_not_block_purges_of_others() {
    let (fixture, api) = Fixture::with_api().await;
    load_revoked_keys(&fixture, "ben", 1_001).await;
    purge(&fixture, &api).await;
    create_key(&api, "ben").await;
    for n in 0..3 {
        // Ana has more than one batch of ended keys, and her keys are purged before Ben's keys.
        load_more_revoked_keys(&fixture, "ana", 10_000 * (n + 1), 2_000).await;
        create_key(&api, "ana").await;
        purge_one_batch().await;
    }
    assert!(!is_stored(&fixture, &key_id(0)).await);
}

#[tokio::test(start_paused = true)]
async fn a_user_keeps_1000_sessions_and_expired_ones_are_deleted() {
    let fixture = Fixture::new().await;
    let memory = fixture.storage.memory.clone();
    let api = fixture.builder().credentials(Arc::new(memory.clone())).build();
    let hash = PasswordHash::new("$argon2id$any".to_owned());
    assert!(memory.update_password(&"ana".parse().unwrap(), &hash).await.unwrap());
    let start = fixture.now();
    for n in 0..1_003 {
        let expires_at = start.saturating_add(DAY + SignedDuration::from_secs(n));
        let digest = KeyDigest::of(&n.to_string());
        let session = Session { digest, user: "ana".parse().unwrap(), created_at: start, expires_at };
        assert!(memory.insert_session(&session, &hash).await.unwrap());
    }
    let is_open = async |n: i64, now| memory.find_session(&KeyDigest::of(&n.to_string()), now).await.unwrap().is_some();

    purge(&fixture, &api).await;
    assert!(is_open(0, start).await);
    api.session_opened(&"ana".parse().unwrap());
    purge(&fixture, &api).await;
    assert!(!is_open(2, start).await && is_open(3, start).await && is_open(1_002, start).await);

    fixture.clock.advance(DAY + SignedDuration::from_secs(500));
    purge(&fixture, &api).await;
    assert!(!is_open(500, start).await && is_open(501, start).await);
}

/// Creates a note, deletes it, and returns its id.
async fn delete_new_note(api: &FamilyApi, key: Option<&str>) -> Reference<NoteId> {
    delete_new_note_of(api, &json!({ "title": "T" }), key).await
}

/// Creates a note with these fields, deletes it, and returns its id.
async fn delete_new_note_of(api: &FamilyApi, body: &serde_json::Value, key: Option<&str>) -> Reference<NoteId> {
    let ana = session(api, "ana").await;
    let new = Note::parse_new(None, Json::parse(body.to_string().as_bytes()).unwrap()).unwrap();
    let request = key.map(|key| IdempotentRequest::of::<Note>(&key.parse().unwrap(), &new));
    let notes = api.records::<Note>(&ana, Verb::Create).unwrap();
    let created = notes.create(new, request).await.unwrap().into_record();
    notes.delete(&(&created.id).into(), &Precondition::None).await.unwrap();
    (&created.id).into()
}

/// Restores a deleted note. Returns whether it could be restored.
async fn restore(api: &FamilyApi, note: &Reference<NoteId>) -> bool {
    let ana = session(api, "ana").await;
    api.records::<Note>(&ana, Verb::Restore).unwrap().restore(note).await.is_ok()
}

#[tokio::test(start_paused = true)]
async fn a_deleted_record_can_be_restored_for_thirty_days() {
    let fixture = Fixture::new().await;
    let api = FamilyApi::builder(Arc::new(fixture.storage.memory.clone())).clock(fixture.clock.clone()).build();
    let (first, second) = (delete_new_note(&api, None).await, delete_new_note(&api, None).await);
    purge(&fixture, &api).await;
    fixture.clock.advance(DAY * 30 - SignedDuration::from_millis(1));
    purge(&fixture, &api).await;
    assert!(restore(&api, &first).await);
    fixture.clock.advance(HOUR);
    purge(&fixture, &api).await;
    assert!(!restore(&api, &second).await);
}

#[tokio::test(start_paused = true)]
async fn at_most_8_mib_of_deleted_notes_are_kept_in_a_family() {
    let fixture = Fixture::new().await;
    let api = FamilyApi::builder(Arc::new(fixture.storage.memory.clone())).clock(fixture.clock.clone()).build();
    let body = json!({ "title": "T", "content": "x".repeat(90_000) });
    let mut deleted = Vec::new();
    for _ in 0..110 {
        deleted.push(delete_new_note_of(&api, &body, None).await);
        fixture.clock.advance(SignedDuration::from_millis(1));
    }
    purge(&fixture, &api).await;
    // 8 MiB hold 92 notes of 90,000 bytes and their other fields.
    let mut kept = 0;
    for note in &deleted {
        let is_kept = restore(&api, note).await;
        assert!(is_kept || kept == 0, "a note was deleted before an older one");
        kept += usize::from(is_kept);
    }
    assert_eq!(kept, 92);
}

#[tokio::test(start_paused = true)]
async fn idempotency_keys_are_deleted_after_a_day() {
    let fixture = Fixture::new().await;
    let memory = fixture.storage.memory.clone();
    let api = FamilyApi::builder(Arc::new(memory.clone())).clock(fixture.clock.clone()).build();
    delete_new_note(&api, Some("k")).await;
    let all = fixture.now().saturating_add(DAY);
    purge(&fixture, &api).await;
    fixture.clock.advance(DAY + HOUR);
    purge(&fixture, &api).await;
    assert_eq!(memory.delete_old_idempotency_keys(all, 10).await.unwrap(), 0);
    delete_new_note(&api, Some("k")).await;
    assert_eq!(memory.delete_old_idempotency_keys(fixture.now(), 10).await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn changes_are_in_the_log_for_thirty_days() {
    let fixture = Fixture::new().await;
    let memory = fixture.storage.memory.clone();
    let api = FamilyApi::builder(Arc::new(memory.clone())).clock(fixture.clock.clone()).build();
    delete_new_note(&api, None).await;
    purge(&fixture, &api).await;
    fixture.clock.advance(DAY * 30 - HOUR);
    delete_new_note(&api, None).await;
    purge(&fixture, &api).await;
    assert_eq!(memory.delete_old_changes(fixture.now(), 1).await.unwrap(), 1);
    fixture.clock.advance(HOUR);
    purge(&fixture, &api).await;
    // The deletion of the first note is purged, and the second note is not.
    assert_eq!(memory.delete_old_changes(fixture.now(), 10).await.unwrap(), 2);
}
