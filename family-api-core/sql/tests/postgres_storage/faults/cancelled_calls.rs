//! Cancelled calls: the caller drops the future before it completes.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use family_api_core::change::ProfileChange;
use family_api_core::storage::{BulkLoad, UserStorage};
use family_api_sql::postgres::PostgresStorage;
use sqlx::PgConnection;

use crate::family::{AT, Fixture, member};
use crate::faults::changes::Change;
use crate::faults::rows;
use crate::fixture::within_timeout;

/// Polls a future up to `times` times. Then drops it, and returns `None` if it was not ready.
async fn poll_times<T>(times: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut polls = 0;
    poll_fn(|context| {
        polls += 1;
        match future.as_mut().poll(context) {
            Poll::Ready(value) => Poll::Ready(Some(value)),
            Poll::Pending if polls == times => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Returns 1, 1, 1, 2, 2, 2 and so on. Each number comes three times, because the first attempt can fail to get a
/// connection: the previous one is not back in the pool yet.
fn poll_counts() -> impl Iterator<Item = usize> {
    (1..).flat_map(|times| [times; 3])
}

/// Toggles the personal API of a user of the family `two`, and asserts that another connection can read the new value.
async fn toggle_personal_api(storage: &PostgresStorage, host: &mut PgConnection) {
    let enabled = !is_enabled(host).await;
    let change = ProfileChange::new();
    let change = if enabled { change.enable_personal_api() } else { change.disable_personal_api() };
    let updated =
        within_timeout(storage.update_profile(&member("two").user.into(), &change, AT.parse().unwrap())).await;
    assert_eq!(updated.unwrap().unwrap().personal_api_enabled, enabled);
    assert_eq!(is_enabled(host).await, enabled, "the acknowledged change was not stored");
}

async fn is_enabled(host: &mut PgConnection) -> bool {
    let enabled = sqlx::query_scalar("SELECT personal_api_enabled FROM users WHERE id = 'user-two'");
    enabled.fetch_one(host).await.unwrap()
}

/// Returns every row, except those of the family `two`.
async fn rows_of_one(host: &mut PgConnection) -> Vec<String> {
    let mut rows = rows(host).await;
    rows.retain(|row| !row.contains("user-two"));
    rows
}

tests! {
    async fn a_cancelled_change_is_atomic_and_keeps_the_connection_usable() {
        for change in Change::ALL {
            let fixture = Fixture::with_connections(1).await;
            let mut host = fixture.connect_host().await;
            let before = rows_of_one(&mut host).await;
            for times in poll_counts() {
                let made = poll_times(times, change.make(&fixture.storage)).await;
                toggle_personal_api(&fixture.storage, &mut host).await;
                let now = rows_of_one(&mut host).await;
                if now != before {
                    let afterwards = change.rows_after().await.iter().filter(|row| !row.contains("user-two"));
                    assert!(now.iter().eq(afterwards), "{change:?} dropped after {times} polls");
                    assert!(made.is_none_or(|made| made.is_ok()), "{change:?} was stored, but returned an error");
                    break;
                }
                assert!(made.is_none(), "{change:?} was acknowledged, but not stored");
            }
        }
    }

    async fn a_load_cancelled_while_opening_keeps_the_connection_usable() {
        let fixture = Fixture::with_connections(1).await;
        let mut host = fixture.connect_host().await;
        for times in poll_counts() {
            let begun = poll_times(times, fixture.storage.begin_load()).await;
            let is_begun = begun.is_some();
            drop(begun);
            toggle_personal_api(&fixture.storage, &mut host).await;
            if is_begun {
                break;
            }
        }
    }
}
