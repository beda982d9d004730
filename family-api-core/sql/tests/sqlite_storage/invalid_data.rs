//! A call that reads invalid stored data returns an error.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{KeyStorage, StorageError, UserStorage};
use sqlx::Executor;

use crate::family::{Fixture, member};

tests! {
    async fn invalid_stored_data_returns_corrupt() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.connect_host().await;
        host.execute("UPDATE users SET time_zone = 'Nowhere/Land' WHERE id = 'user-one'").await.unwrap();
        host.execute("UPDATE integration_keys SET scopes = '[7]' WHERE id = 'key-two'").await.unwrap();
        let (one, two) = (KeyDigest::from_bytes([0x11; 32]), KeyDigest::from_bytes([0x22; 32]));
        assert!(matches!(fixture.storage.find_key(&one).await, Err(StorageError::Corrupt(_))));
        assert!(matches!(fixture.storage.find_key(&two).await, Err(StorageError::Corrupt(_))));
        assert!(matches!(fixture.storage.find_account(&member("one").user).await, Err(StorageError::Corrupt(_))));
        assert!(matches!(fixture.storage.find_profile(&member("one").user).await, Err(StorageError::Corrupt(_))));
    }
}
