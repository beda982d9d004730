//! An inspection reports rows that the purge should have deleted, and no row that the purge keeps.

use family_api_core::Timestamp;
use family_api_core::connection::Misuse;
use family_api_core::storage::GrantStorage;

use crate::family::{AT, Fixture};

impl Fixture {
    /// Returns the grants that an inspection at this time reports as too old.
    async fn old_connections(&self, now: &str) -> Vec<String> {
        let unusual = self.inspect(now.parse().unwrap()).await.unusual.unwrap();
        unusual.into_iter().filter(|found| found.name == "oldConnections").flat_map(|found| found.examples).collect()
    }
}

tests! {
    async fn a_misused_connection_is_old_after_its_retention() {
        let fixture = Fixture::of("x").await;
        let ended_at: Timestamp = AT.parse().unwrap();
        for (user, misuse) in [("user-one", Some(Misuse::CodeReused)), ("user-two", None)] {
            fixture.connect_client(user).await;
            assert!(fixture.storage.end_grant(&user.parse().unwrap(), ended_at, misuse).await.unwrap());
        }
        assert!(fixture.old_connections("2026-11-20T12:00:00Z").await.is_empty());
        assert_eq!(fixture.old_connections("2026-12-19T00:00:00Z").await, ["user-two"]);
        assert_eq!(fixture.old_connections("2026-12-22T00:00:00Z").await, ["user-one", "user-two"]);
    }
}
