//! Any request can start the background task that deletes revoked and expired keys.

use std::time::Duration;

use family_api_core::key::KeyDigest;
use family_api_core::{FamilyApi, ManualClock};
use salvo::http::Method;
use tokio::time::{Instant, sleep};

use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, fixture, token};

/// Maximum wait for the background task.
const TIMEOUT: Duration = Duration::from_secs(30);

on_every_storage! {
    async fn session_request_starts_the_purge_of_old_keys(kind: StorageKind) {
        let (storage, location) = kind.fresh().await;
        fixture::seed(&*storage).await;
        let revoked = KeyDigest::of(&token("ann-revoked"));
        assert!(storage.find_key(&revoked).await.unwrap().is_some());
        let clock = ManualClock::new("2026-12-05T00:00:00Z".parse().unwrap());
        let app = App::from_api(FamilyApi::builder(storage.clone()).clock(clock).build(), location);
        assert_eq!(app.send_in_session("ann", Method::GET, "/api/users/me").await.status, 200);
        let start = Instant::now();
        while storage.find_key(&revoked).await.unwrap().is_some() {
            assert!(start.elapsed() < TIMEOUT, "the key was not deleted");
            sleep(Duration::from_millis(50)).await;
        }
        app.send_with_token("ann-revoked", Method::GET, "/api/v1/me").await.assert_problem(401, "invalid_token");
        assert!(storage.find_key(&KeyDigest::of(&token("ann-expired"))).await.unwrap().is_some());
        assert!(storage.find_key(&KeyDigest::of(&token("ann-rw"))).await.unwrap().is_some());
    }
}
