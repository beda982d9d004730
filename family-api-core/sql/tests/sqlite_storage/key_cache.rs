//! The key cache: a change takes effect for the first lookup after its commit.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{FoundKey, KeyState, KeyStorage};
use sqlx::Executor;

use crate::family::Fixture;

const DIGEST: KeyDigest = KeyDigest::from_bytes([0x11; 32]);

type HasEffect = fn(&FoundKey) -> bool;

/// SQL with which the host app changes a key, each with a check of its effect.
const CHANGES: [(&str, HasEffect); 4] = [
    ("UPDATE users SET personal_api_enabled = 1 WHERE id = 'user-one'", |found| {
        found.account.as_ref().unwrap().personal_api_enabled
    }),
    ("UPDATE integration_keys SET scopes = '[]' WHERE id = 'key-one'", |found| found.key.scopes.iter().count() == 0),
    ("UPDATE users SET family_id = NULL WHERE id = 'user-one'", |found| {
        found.account.as_ref().unwrap().membership.is_none()
    }),
    ("UPDATE integration_keys SET revoked_at = created_at WHERE id = 'key-one'", |found| {
        matches!(found.state, KeyState::Revoked { .. })
    }),
];

#[tokio::test]
async fn a_hosts_change_of_a_cached_key_takes_effect_at_once() {
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    for (sql, has_effect) in CHANGES {
        let cached = fixture.storage.find_key(&DIGEST).await.unwrap();
        assert_eq!(fixture.storage.find_key(&DIGEST).await.unwrap(), cached);
        assert!(!has_effect(&cached.unwrap()), "{sql}");
        host.execute(sql).await.unwrap();
        assert!(has_effect(&fixture.storage.find_key(&DIGEST).await.unwrap().unwrap()), "{sql}");
    }
    host.execute("DELETE FROM users WHERE id = 'user-one'").await.unwrap();
    assert_eq!(fixture.storage.find_key(&DIGEST).await.unwrap(), None);
}
