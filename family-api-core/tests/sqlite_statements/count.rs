//! Counts what the driver says it ran. It tells of a statement before it tells of the commit after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The statements that were run since they were counted last; the beginning and the end of a transaction are none.
#[derive(Clone, Default)]
pub(crate) struct Statements(Arc<AtomicUsize>);

impl Statements {
    /// Counts from now on, whichever thread they run on.
    pub(crate) fn counted() -> Self {
        let statements = Self::default();
        tracing_subscriber::registry().with(statements.clone()).init();
        statements
    }

    /// How many there were; none are left.
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
