//! Calendar feeds: the purge, and the end of all access.

use std::sync::Arc;
use std::time::Duration;

use family_api_core::id::UserId;
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::{FeedInsert, FeedRecord, FeedStorage, NewFeed, Record, SignedIn};
use family_api_memory::MemoryStorage;
use family_api_testing::line;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::fixture::{Fixture, session};

fn digest(number: u8) -> KeyDigest {
    KeyDigest::from_bytes([number; 32])
}

fn feed(number: u8, user: &str, expires_at: Option<&str>) -> Value {
    let hash = format!("{number:02x}").repeat(32);
    line!("calendarFeed", &format!("feed-{number}"), { "userId": user, "secretHash": hash, "expiresAt": expires_at })
}

fn record(line: &Value) -> FeedRecord {
    match Record::from_json(line.to_string().as_bytes()).unwrap() {
        Record::CalendarFeed(feed) => feed,
        other => panic!("{}", other.kind()),
    }
}

/// Stores a feed of a user in a storage that has no users.
async fn insert(storage: &MemoryStorage, line: Value) {
    let record = record(&line);
    let owner = SignedIn::from(record.user_id.clone());
    let new = NewFeed { digest: record.digest, owner, feed: record.into() };
    assert_eq!(storage.insert_feed(&new, 50).await.unwrap(), FeedInsert::Inserted);
}

#[tokio::test(start_paused = true)]
async fn expired_feeds_are_purged() {
    let fixture = Fixture::new().await;
    let storage = fixture.storage.memory.clone();
    let api = fixture.builder().calendar_feeds(Arc::new(storage.clone())).build();
    fixture.load([feed(1, "ana", Some("2026-11-20T11:00:00Z")), feed(2, "ana", None)]).await;
    for (hours, expected) in [(0, [true, true]), (2, [false, true])] {
        fixture.clock.advance(SignedDuration::from_hours(hours));
        session(&api, "ana").await;
        sleep(Duration::from_mins(1)).await;
        let mut are_stored = Vec::new();
        for number in [1, 2] {
            are_stored.push(storage.find_feed(&digest(number)).await.unwrap().is_some());
        }
        assert_eq!(are_stored, expected);
    }
}

#[tokio::test]
async fn the_end_of_all_access_ends_feeds_that_are_elsewhere() {
    let fixture = Fixture::new().await;
    let feeds = MemoryStorage::new();
    let api = fixture.builder().calendar_feeds(Arc::new(feeds.clone())).build();
    fixture.load([feed(1, "ana", None)]).await;
    for (number, user) in [(2, "ana"), (3, "ana"), (4, "ben")] {
        insert(&feeds, feed(number, user, None)).await;
    }
    let ana = session(&api, "ana").await;
    fixture.audit_log.take_events();
    let revoked = api.keys(&ana).unwrap().revoke_access().await.unwrap();
    assert_eq!(json!(revoked), json!({ "keys": 0, "connections": 0, "feeds": 3 }));
    for user in ["ana", "ben"] {
        let user: UserId = user.parse().unwrap();
        let left = feeds.list_feeds(&user, fixture.now()).await.unwrap();
        assert_eq!(left.len(), usize::from(user.as_str() == "ben"));
    }
    assert!(fixture.storage.memory.find_feed(&digest(1)).await.unwrap().is_none());
    let again = api.keys(&ana).unwrap().revoke_access().await.unwrap();
    assert_eq!(again, RevokedAccess::default());
}
