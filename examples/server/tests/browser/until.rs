//! Waits for a condition.

use std::time::Duration;

use tokio::time::{interval, timeout};

pub(crate) const DEADLINE: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(25);
/// Chromium does not answer a question about a page that is replaced by another.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Calls a function until it returns a value. Panics if there is none at the deadline.
pub(crate) async fn until<T>(expected: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let mut ticks = interval(POLL_INTERVAL);
    let found = timeout(DEADLINE, async {
        loop {
            ticks.tick().await;
            if let Ok(Some(found)) = timeout(ANSWER_TIMEOUT, find()).await {
                return found;
            }
        }
    });
    found.await.unwrap_or_else(|_| panic!("not within {DEADLINE:?}: {expected}"))
}
