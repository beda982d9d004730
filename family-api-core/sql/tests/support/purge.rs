//! Ended keys and expired sessions are deleted, also by several nodes concurrently.

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{CredentialStorage, KeyStorage, PasswordHash, Session};
use family_api_testing::line;
use futures_util::future::join_all;
use serde_json::Value;

use crate::family::{AT, Fixture, member};

const KEYS: u32 = 300;

fn revoked_key(number: u32) -> Value {
    let digest = format!("{number:064x}");
    line!("key", &format!("key-{number}"), { "userId": "user-one", "tokenHash": digest, "revokedAt": AT })
}

/// Deletes batches until none is left. Returns the number of deleted rows.
async fn delete_all(batch: impl AsyncFn() -> u64) -> u64 {
    let mut all = 0;
    loop {
        match batch().await {
            0 => return all,
            deleted => all += deleted,
        }
    }
}

tests! {
    async fn many_nodes_delete_each_ended_key_once() {
        let fixture = Fixture::of("x").await;
        fixture.load((0..KEYS).map(revoked_key)).await.unwrap();
        let (now, user) = (AT.parse().unwrap(), member("one").user);
        let nodes = [fixture.reopen().await.unwrap(), fixture.reopen().await.unwrap()];
        let purges = (0..8).map(async |n| {
            let node = &nodes[n % 2];
            let surplus = delete_all(async || node.delete_surplus_keys(&user, now, 100, &[], 20).await.unwrap()).await;
            surplus + delete_all(async || node.delete_ended_keys(now, &[], 20).await.unwrap()).await
        });
        assert_eq!(join_all(purges).await.into_iter().sum::<u64>(), u64::from(KEYS));
        assert_eq!(fixture.count("SELECT count(*) FROM integration_keys").await, 2);
        assert!(fixture.storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().is_some());
    }

    async fn many_nodes_delete_each_session_once() {
        let fixture = Fixture::of("x").await;
        let password = PasswordHash::new("$p".to_owned());
        assert!(fixture.storage.update_password(&member("one").user, &password).await.unwrap());
        let (now, user): (Timestamp, _) = (AT.parse().unwrap(), member("one").user);
        for number in 0..40 {
            let digest = KeyDigest::of(&number.to_string());
            let expires_at = if number < 20 { now } else { Timestamp::MAX };
            let session = Session { digest, user: user.clone(), created_at: now, expires_at };
            assert!(fixture.storage.insert_session(&session, &password).await.unwrap());
        }
        let nodes = [fixture.reopen().await.unwrap(), fixture.reopen().await.unwrap()];
        let purges = (0..8).map(async |n| {
            let node = &nodes[n % 2];
            let expired = delete_all(async || node.delete_expired_sessions(now, 3).await.unwrap()).await;
            expired + delete_all(async || node.delete_surplus_sessions(&user, 15, 3).await.unwrap()).await
        });
        assert_eq!(join_all(purges).await.into_iter().sum::<u64>(), 25);
        assert_eq!(fixture.count("SELECT count(*) FROM sessions").await, 15);
    }
}
