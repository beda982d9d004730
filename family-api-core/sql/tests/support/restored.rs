//! Invalidation of the credentials after a restore.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    CredentialStorage, FeedStorage, GrantStorage, KeyState, KeyStorage, PasswordHash, RestoredStorage, Session,
    UserStorage,
};

use crate::family::{AT, Fixture, member};

async fn revision(fixture: &Fixture) -> i64 {
    let account = fixture.storage.find_account(&member("one").user).await.unwrap().unwrap();
    account.membership.unwrap().revision.unwrap().get()
}

tests! {
    async fn after_a_restore_credentials_end_and_revisions_are_raised() {
        let fixture = Fixture::of("x").await;
        let (storage, user, digest) = (&fixture.storage, member("one").user, KeyDigest::of("session"));
        let (password, now) = (PasswordHash::new("$p".to_owned()), AT.parse().unwrap());
        assert!(storage.update_password(&user, &password).await.unwrap());
        let expires_at = "2027-01-01T00:00:00Z".parse().unwrap();
        let session = Session { digest, user, created_at: now, expires_at };
        assert!(storage.insert_session(&session, &password).await.unwrap());
        let key = KeyDigest::from_bytes([0x11; 32]);
        assert_eq!(storage.find_key(&key).await.unwrap().unwrap().state, KeyState::Active);

        assert!(storage.find_feed(&key).await.unwrap().is_some());
        assert_eq!(storage.signing_key([1; 32]).await.unwrap(), [1; 32]);

        let mut revisions = vec![revision(&fixture).await];
        for _ in 0..2 {
            storage.invalidate_credentials(now).await.unwrap();
            revisions.push(revision(&fixture).await);
        }
        let found = storage.find_key(&key).await.unwrap().unwrap();
        assert_eq!(storage.find_feed(&key).await.unwrap(), None);
        assert!(matches!(found.state, KeyState::Revoked { .. }), "{found:?}");
        assert_eq!(storage.find_session(&session.digest, now).await.unwrap(), None);
        assert_eq!(storage.signing_key([2; 32]).await.unwrap(), [2; 32], "the key of the backup is still used");
        assert!(revisions.is_sorted_by(|before, after| before + 1_000_000_000 < *after), "{revisions:?}");
    }
}
