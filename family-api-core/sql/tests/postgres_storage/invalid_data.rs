//! A call that reads invalid stored data returns an error.

use std::fmt::Debug;

use family_api_core::calendar::EventRange;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{KeyStorage, ReadStorage, StorageError, UserStorage};
use futures_util::future::join_all;
use sqlx::Executor;

use crate::family::{Fixture, member};

tests! {
    async fn an_unknown_time_zone_returns_corrupt() {
        let fixture = Fixture::of("x").await;
        fixture.connect_host().await.execute("UPDATE users SET time_zone = 'Nowhere/Land'").await.unwrap();
        let one = member("one").user;
        assert_corrupt(&fixture.storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await);
        assert_corrupt(&fixture.storage.find_account(&one).await);
        assert_corrupt(&fixture.storage.find_profile(&one).await);
    }

    async fn a_corrupt_key_does_not_fail_other_keys_of_its_batch() {
        let fixture = Fixture::of("x").await;
        let update = "UPDATE users SET time_zone = 'Nowhere/Land' WHERE id = 'user-one'";
        fixture.connect_host().await.execute(update).await.unwrap();
        let (corrupt, valid) = (KeyDigest::from_bytes([0x11; 32]), KeyDigest::from_bytes([0x22; 32]));
        let digests = [corrupt, valid].repeat(16);
        let found = join_all(digests.iter().map(|digest| fixture.storage.find_key(digest))).await;
        for (digest, found) in digests.iter().zip(found) {
            if *digest == corrupt {
                assert_corrupt(&found);
            } else {
                assert!(found.unwrap().is_some());
            }
        }
    }

    async fn an_out_of_range_timestamp_returns_corrupt() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.connect_host().await;
        let invalid = ["infinity", "-infinity", "10000-01-01T00:00:00Z", "0001-12-31T23:59:59Z BC", "4714-11-24 BC"];
        for at in invalid {
            for update in [
                "UPDATE notes SET updated_at = $1::text::timestamptz",
                "UPDATE events SET end_date = $1::text::timestamptz, start_date = '2026-11-20'",
                "UPDATE integration_keys SET revoked_at = $1::text::timestamptz",
            ] {
                sqlx::query(update).bind(at).execute(&mut host).await.unwrap();
            }
            assert_corrupt(&fixture.storage.list_notes(&member("one")).await);
            assert_corrupt(&fixture.storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await);
            let events = fixture.storage.list_events(&member("one"), &EventRange::default()).await;
            if at.starts_with(['i', '1']) {
                // The events end after the latest timestamp of a query, so no event is found.
                assert!(events.unwrap().parse().unwrap().is_empty(), "{at}");
            } else {
                assert_corrupt(&events);
            }
        }
    }

    async fn an_invalid_id_returns_corrupt() {
        let fixture = Fixture::of("x").await;
        fixture.connect_host().await.execute("UPDATE notes SET id = 'not an id'").await.unwrap();
        assert_corrupt(&fixture.storage.list_notes(&member("one")).await);
    }
}

fn assert_corrupt<T: Debug>(result: &Result<T, StorageError>) {
    assert!(matches!(result, Err(StorageError::Corrupt(_))), "{result:?}");
}
