//! Counts the statements that the driver logs. It logs a statement before the commit that follows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The number of statements since the last count. The start and end of a transaction do not count.
#[derive(Clone, Default)]
pub(crate) struct Statements(Arc<AtomicUsize>);

impl Statements {
    /// Starts to count the statements of all threads.
    pub(crate) fn counted() -> Self {
        let statements = Self::default();
        tracing_subscriber::registry().with(statements.clone()).init();
        statements
    }

    /// Returns the number and resets it.
    pub(crate) fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

impl<S: Subscriber> Layer<S> for Statements {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}
