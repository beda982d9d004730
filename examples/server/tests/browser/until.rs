//! Waits for a condition.

use std::time::Duration;

use tokio::time::{interval, timeout};

pub(crate) const DEADLINE: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Calls a function until it returns a value. Panics if there is none at the deadline.
pub(crate) async fn until<T>(expected: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let mut ticks = interval(POLL_INTERVAL);
    let found = timeout(DEADLINE, async {
        loop {
            ticks.tick().await;
            if let Some(found) = find().await {
                return found;
            }
        }
    });
    found.await.unwrap_or_else(|_| panic!("not within {DEADLINE:?}: {expected}"))
}
