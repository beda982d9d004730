//! Grants of the users of the test data.

use family_api_core::Surface;
use family_api_core::grant::{CodeChallenge, OAuthClient};
use family_api_core::key::{KeyDigest, KeyMode};
use family_api_core::storage::{ExchangedSecret, GrantInsert, GrantLookup, GrantStorage, NewGrant, TokenIssue};
use sqlx::Executor;

use crate::family::{AT, Fixture};

const EXPIRES_AT: &str = "2026-11-20T11:15:30.123Z";

/// Returns the digest of the user's code.
fn code(user: &str) -> KeyDigest {
    KeyDigest::of(&format!("code of {user}"))
}

impl Fixture {
    /// Connects a client for a user. The id of the grant is the id of the user. Returns the digest of the access token.
    pub(crate) async fn connect_client(&self, user: &str) -> KeyDigest {
        let scopes = KeyMode::V1ReadWrite.scopes().on(Surface::V1);
        let new = NewGrant {
            id: user.parse().unwrap(),
            owner: user.parse::<family_api_core::id::UserId>().unwrap().into(),
            client: OAuthClient::new("client".to_owned(), None, "example.com".to_owned()).unwrap(),
            redirect_uri: "https://example.com/callback".to_owned(),
            surface: Surface::V1,
            scopes: scopes.clone(),
            challenge: CodeChallenge::from_bytes([7; 32]),
            code: code(user),
            created_at: AT.parse().unwrap(),
            expires_at: EXPIRES_AT.parse().unwrap(),
        };
        assert_eq!(self.storage.insert_grant(&new, 50).await.unwrap(), GrantInsert::Inserted { replaced: None });
        let access = KeyDigest::of(&format!("access token of {user}"));
        let issue = TokenIssue {
            grant: new.id,
            exchanged: ExchangedSecret::Code,
            lineage: KeyDigest::of(&format!("family of {user}")),
            refresh: KeyDigest::of(&format!("refresh token of {user}")),
            refresh_expires_at: new.expires_at,
            access,
            access_expires_at: new.expires_at,
            scopes,
            now: new.created_at,
        };
        assert!(self.storage.issue_tokens(&issue).await.unwrap());
        access
    }

    /// Deletes the user of the family `one` as a host does, and checks that only this user's grant, keys and feeds
    /// were deleted.
    pub(crate) async fn assert_that_credentials_are_deleted_with_their_user(&self) {
        let mut tokens = Vec::new();
        for user in ["user-one", "user-two"] {
            tokens.push(self.connect_client(user).await);
        }
        let exist = async || {
            let mut exist = Vec::new();
            for (token, user) in tokens.iter().zip(["user-one", "user-two"]) {
                let token = self.storage.find_access_token(token).await.unwrap();
                let grant = self.storage.find_grant(GrantLookup::Code(&code(user))).await.unwrap();
                exist.push((token.is_some(), grant.is_some()));
            }
            exist
        };
        assert_eq!(exist().await, [(true, true), (true, true)]);
        self.connect_host().await.execute("DELETE FROM users WHERE id = 'user-one'").await.unwrap();
        assert_eq!(exist().await, [(false, false), (true, true)]);
        assert_eq!(self.count("SELECT count(*) FROM integration_keys WHERE user_id = 'user-one'").await, 0);
        assert_eq!(self.count("SELECT count(*) FROM integration_keys WHERE user_id = 'user-two'").await, 1);
        assert_eq!(self.count("SELECT count(*) FROM calendar_feeds WHERE user_id = 'user-one'").await, 0);
        assert_eq!(self.count("SELECT count(*) FROM calendar_feeds WHERE user_id = 'user-two'").await, 1);
    }
}

tests! {
    async fn a_time_zone_that_a_host_sets_raises_the_sequence_of_feeds() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.connect_host().await;
        for (sql, expected) in [
            ("UPDATE users SET time_zone = 'Europe/Oslo'", 8),
            ("UPDATE users SET time_zone = time_zone, name = 'y'", 8),
            ("UPDATE users SET time_zone = 'UTC' WHERE id = 'user-one'", 9),
        ] {
            host.execute(sql).await.unwrap();
            let sum = fixture.count("SELECT CAST(sum(sequence) AS BIGINT) FROM calendar_feeds").await;
            assert_eq!(sum, expected, "{sql}");
        }
    }

    async fn the_credentials_of_a_deleted_user_are_deleted() {
        Fixture::of("x").await.assert_that_credentials_are_deleted_with_their_user().await;
    }
}
