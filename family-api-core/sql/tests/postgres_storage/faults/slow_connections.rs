//! Connections that take longer to open than a call waits.

use family_api_core::storage::Health;
use family_api_testing::Proxy;

use crate::family::Fixture;
use crate::faults::assert_unavailable;
use crate::faults::queries::Query;
use crate::fixture::within_timeout;

/// Creates a storage whose connections are all lost, at most two, behind a proxy that holds new ones. Returns the number of
/// connections so far, and the result of a query.
async fn behind_slow_proxy() -> (Fixture, Proxy, u64, String) {
    let (fixture, proxy) = Fixture::behind_proxy(2).await;
    let expected = Query::Notes.run(&fixture.storage).await.unwrap();
    proxy.cut();
    within_timeout(async {
        while fixture.storage.statistics().pools[0].open > 0 {
            assert_unavailable(&fixture.storage.check().await);
        }
    })
    .await;
    proxy.hold_new_connections();
    let before = proxy.connections();
    (fixture, proxy, before, expected)
}

/// Releases the connection that is being opened, and asserts that the next call uses it.
async fn assert_used_later(fixture: &Fixture, proxy: &Proxy, before: u64, expected: &str) {
    assert_eq!(proxy.connections(), before + 1);
    proxy.release_connections();
    within_timeout(async {
        while fixture.storage.statistics().pools[0].idle == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(Query::Notes.run(&fixture.storage).await.unwrap(), expected);
    assert_eq!(proxy.connections(), before + 1);
}

tests! {
    async fn a_connection_that_opens_slowly_serves_a_later_call() {
        let (fixture, proxy, before, expected) = behind_slow_proxy().await;
        assert_unavailable(&Query::Notes.run(&fixture.storage).await);
        assert_used_later(&fixture, &proxy, before, &expected).await;
    }

    async fn a_connection_of_a_cancelled_call_serves_a_later_call() {
        let (fixture, proxy, before, expected) = behind_slow_proxy().await;
        let is_held = within_timeout(async {
            tokio::select! {
                _ = Query::Notes.run(&fixture.storage) => false,
                () = proxy.wait_for_connections(before + 1) => true,
            }
        });
        assert!(is_held.await, "the call ended");
        assert_used_later(&fixture, &proxy, before, &expected).await;
    }
}
