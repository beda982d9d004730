//! A connection that is lost between calls, during a call, or after its commit.

use family_api_core::storage::Health;
use family_api_testing::Proxy;

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::questions::{Question, truth};
use crate::faults::{assert_unavailable, rows};

/// Closes the connections of a storage, so that the next call opens a new one.
async fn lose_connection(fixture: &Fixture, proxy: &Proxy) {
    proxy.cut();
    assert_unavailable(&fixture.storage.check().await);
}

tests! {
    async fn a_connection_lost_between_calls_fails_at_most_one_call() {
        let (fixture, proxy) = Fixture::behind_proxy(1).await;
        for (question, answer) in truth(&fixture).await {
            proxy.cut();
            proxy.mend();
            match question.ask(&fixture.storage).await {
                Ok(said) => assert_eq!(said, answer, "{question:?}"),
                fault => assert_unavailable(&fault),
            }
            assert_eq!(question.ask(&fixture.storage).await.unwrap(), answer, "{question:?}");
        }
    }

    async fn a_connection_cut_while_opening_is_not_used() {
        let (fixture, proxy) = Fixture::behind_proxy(1).await;
        lose_connection(&fixture, &proxy).await;
        proxy.cut_before_message(2);
        assert_unavailable(&Question::Notes.ask(&fixture.storage).await);
        proxy.mend();
        fixture.storage.check().await.unwrap();
    }

    async fn every_call_is_unavailable_until_a_cut_network_is_mended() {
        let (fixture, proxy) = Fixture::behind_proxy(4).await;
        let truth = truth(&fixture).await;
        proxy.cut();
        for question in Question::ALL {
            assert_unavailable(&question.ask(&fixture.storage).await);
        }
        for change in Change::ALL {
            assert_unavailable(&change.make(&fixture.storage).await);
        }
        proxy.mend();
        for (question, answer) in truth {
            assert_eq!(question.ask(&fixture.storage).await.unwrap(), answer, "{question:?}");
        }
        for change in [Change::InsertKey, Change::MoveTask, Change::UpdateNote, Change::UpdateProfile] {
            change.make(&fixture.storage).await.unwrap();
        }
    }

    async fn a_query_cut_at_any_message_returns_no_wrong_result() {
        let (fixture, proxy) = Fixture::behind_proxy_in_hosts_pool().await;
        for (question, answer) in truth(&fixture).await {
            lose_connection(&fixture, &proxy).await;
            for message in 1.. {
                proxy.cut_before_message(message);
                match question.ask(&fixture.storage).await {
                    Ok(said) => {
                        assert_eq!(said, answer, "{question:?}");
                        assert!(message > 7, "{question:?} in {message} messages");
                        break;
                    }
                    fault => assert_unavailable(&fault),
                }
            }
            proxy.mend();
            assert_eq!(question.ask(&fixture.storage).await.unwrap(), answer, "{question:?}");
        }
    }

    async fn a_change_cut_at_any_message_is_acknowledged_or_not_made() {
        let (first, second) = Change::ALL.split_at(4);
        tokio::join!(cut_each(first), cut_each(second));
    }

    async fn a_commit_with_a_lost_response_is_not_repeated() {
        for change in Change::TRANSACTIONS {
            let (fixture, proxy) = Fixture::behind_proxy(2).await;
            proxy.cut_after_commit();
            assert_unavailable(&change.make(&fixture.storage).await);
            assert_eq!(rows(&mut fixture.by_hand().await).await, change.rows_after().await, "{change:?}");
            fixture.storage.check().await.unwrap();
        }
    }
}

async fn cut_each(changes: &[Change]) {
    for change in changes {
        let (fixture, proxy) = Fixture::behind_proxy_in_hosts_pool().await;
        let mut host = fixture.by_hand().await;
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
        proxy.mend();
        fixture.storage.check().await.unwrap();
    }
}
