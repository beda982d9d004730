//! The key cache: the next request uses every committed change.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{FoundKey, KeyState, KeyStorage};
use sqlx::Executor;

use crate::family::Fixture;

const DIGEST: KeyDigest = KeyDigest::from_bytes([0x11; 32]);

type Shows = fn(&FoundKey) -> bool;

/// Changes of a key by a host, each with a check of its effect.
const CHANGES: [(&str, Shows); 4] = [
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
    let mut host = fixture.by_hand().await;
    for (sql, shows) in CHANGES {
        let known = fixture.storage.find_key(&DIGEST).await.unwrap();
        assert_eq!(fixture.storage.find_key(&DIGEST).await.unwrap(), known);
        assert!(!shows(&known.unwrap()), "{sql}");
        host.execute(sql).await.unwrap();
        assert!(shows(&fixture.storage.find_key(&DIGEST).await.unwrap().unwrap()), "{sql}");
    }
    host.execute("DELETE FROM users WHERE id = 'user-one'").await.unwrap();
    assert_eq!(fixture.storage.find_key(&DIGEST).await.unwrap(), None);
}
