//! Users whose family was deleted by hand, without its foreign keys.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{KeyStorage, UserStorage};
use sqlx::Executor;

use crate::family::{Fixture, member};
use crate::fixture::WITHOUT_FOREIGN_KEYS;

tests! {
    async fn a_user_whose_family_does_not_exist_has_no_family() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.by_hand().await;
        host.execute(WITHOUT_FOREIGN_KEYS).await.unwrap();
        host.execute("DELETE FROM families WHERE id = 'one'").await.unwrap();
        let user = member("one").user;
        let key = fixture.storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().unwrap();
        assert_eq!(key.account.unwrap().membership, None);
        assert_eq!(fixture.storage.find_account(&user).await.unwrap().unwrap().membership, None);
        assert_eq!(fixture.storage.find_profile(&user).await.unwrap().unwrap().family_id, None);
    }
}
