//! Counts the statements that the driver logs. The driver logs a statement before it runs the commit that follows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The number of statements since the last [`take`](Self::take). `BEGIN` and `COMMIT` are not counted.
#[derive(Clone, Default)]
pub(crate) struct StatementCounter(Arc<AtomicUsize>);

impl StatementCounter {
    /// Starts to count the statements of all threads.
    pub(crate) fn start() -> Self {
        let counter = Self::default();
        tracing_subscriber::registry().with(counter.clone()).init();
        counter
    }

    /// Returns the number and resets it.
    pub(crate) fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

impl<S: Subscriber> Layer<S> for StatementCounter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}
