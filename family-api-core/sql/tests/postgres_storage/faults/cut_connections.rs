//! A connection that is lost between calls, during a call, or after its commit.

use family_api_core::storage::Health;
use family_api_testing::Proxy;

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, rows};

/// Closes the connections of a storage, so that the next call opens a new one.
async fn lose_connection(fixture: &Fixture, proxy: &Proxy) {
    proxy.cut();
    assert_unavailable(&fixture.storage.check().await);
}

tests! {
    async fn a_connection_lost_between_calls_fails_at_most_one_call() {
        let (fixture, proxy) = Fixture::behind_proxy(1).await;
        for (query, expected) in expected_results(&fixture).await {
            proxy.cut();
            proxy.clear_fault();
            match query.run(&fixture.storage).await {
                Ok(result) => assert_eq!(result, expected, "{query:?}"),
                failed => assert_unavailable(&failed),
            }
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
    }

    async fn a_connection_cut_while_opening_is_not_used() {
        let (fixture, proxy) = Fixture::behind_proxy(1).await;
        lose_connection(&fixture, &proxy).await;
        proxy.cut_before_message(2);
        assert_unavailable(&Query::Notes.run(&fixture.storage).await);
        proxy.clear_fault();
        fixture.storage.check().await.unwrap();
    }

    async fn every_call_is_unavailable_until_a_cut_network_is_restored() {
        let (fixture, proxy) = Fixture::behind_proxy(4).await;
        let expected = expected_results(&fixture).await;
        proxy.cut();
        for query in Query::ALL {
            assert_unavailable(&query.run(&fixture.storage).await);
        }
        for change in Change::ALL {
            assert_unavailable(&change.make(&fixture.storage).await);
        }
        proxy.clear_fault();
        for (query, expected) in expected {
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
        for change in [Change::InsertKey, Change::MoveTask, Change::UpdateNote, Change::UpdateProfile] {
            change.make(&fixture.storage).await.unwrap();
        }
    }

    async fn a_query_cut_at_any_message_returns_no_wrong_result() {
        let (fixture, proxy) = Fixture::behind_proxy_in_hosts_pool().await;
        for (query, expected) in expected_results(&fixture).await {
            lose_connection(&fixture, &proxy).await;
            for message in 1.. {
                proxy.cut_before_message(message);
                match query.run(&fixture.storage).await {
                    Ok(result) => {
                        assert_eq!(result, expected, "{query:?}");
                        assert!(message > 7, "{query:?} in {message} messages");
                        break;
                    }
                    failed => assert_unavailable(&failed),
                }
            }
            proxy.clear_fault();
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
    }

    async fn a_change_cut_at_any_message_is_acknowledged_or_not_stored() {
        let (first, second) = Change::ALL.split_at(4);
        tokio::join!(assert_atomic_under_cuts(first), assert_atomic_under_cuts(second));
    }

    async fn a_commit_with_a_lost_response_is_not_repeated() {
        for change in Change::TRANSACTIONS {
            let (fixture, proxy) = Fixture::behind_proxy(2).await;
            proxy.cut_after_commit();
            assert_unavailable(&change.make(&fixture.storage).await);
            assert_eq!(rows(&mut fixture.connect_host().await).await, change.rows_after().await, "{change:?}");
            fixture.storage.check().await.unwrap();
        }
    }
}

/// Makes each change with a cut before each of its messages. Asserts that an unacknowledged change is not stored.
async fn assert_atomic_under_cuts(changes: &[Change]) {
    for change in changes {
        let (fixture, proxy) = Fixture::behind_proxy_in_hosts_pool().await;
        let mut host = fixture.connect_host().await;
        let before = rows(&mut host).await;
        lose_connection(&fixture, &proxy).await;
        for message in 1.. {
            proxy.cut_before_message(message);
            let made = change.make(&fixture.storage).await;
            if made.is_ok() {
                assert!(message > 7, "{change:?} in {message} messages");
                break;
            }
            assert_unavailable(&made);
            assert_eq!(rows(&mut host).await, before, "{change:?} cut at message {message}");
        }
        assert_eq!(rows(&mut host).await, change.rows_after().await, "{change:?}");
        proxy.clear_fault();
        fixture.storage.check().await.unwrap();
    }
}
