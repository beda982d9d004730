//! Measures the calls of the storage, from the events that core emits.

use std::fmt::Debug;
use std::time::Duration;

use family_api_core::storage::CALL_TARGET;
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Upper bounds of the buckets, in seconds. A call takes at most 6 seconds.
const BUCKETS: [f64; 13] =
    [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 6.0];

/// The durations of the storage's calls by method, and the failed calls by method and kind of error.
#[derive(Clone)]
pub(crate) struct StorageCalls {
    durations: HistogramVec,
    errors: IntCounterVec,
}

impl StorageCalls {
    pub(super) fn register(registry: &Registry) -> Result<Self, prometheus::Error> {
        let durations =
            HistogramOpts::new("family_api_storage_call_duration_seconds", "Time of the calls of the storage.");
        let durations = HistogramVec::new(durations.buckets(BUCKETS.to_vec()), &["method"])?;
        let errors = Opts::new("family_api_storage_call_errors_total", "Failed calls of the storage.");
        let errors = IntCounterVec::new(errors, &["method", "error"])?;
        registry.register(Box::new(durations.clone()))?;
        registry.register(Box::new(errors.clone()))?;
        Ok(Self { durations, errors })
    }

    /// Returns a layer that receives only the events of storage calls. It does not depend on the filter of the log.
    pub(crate) fn layer<S>(self) -> impl Layer<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        self.with_filter(Targets::new().with_target(CALL_TARGET, Level::TRACE))
    }
}

impl<S: Subscriber> Layer<S> for StorageCalls {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Call { calls: self, error: None, duration: Duration::ZERO });
    }
}

/// Records an event while its fields are visited, in the order of [`CALL_TARGET`]: the method is the last one. So a
/// successful call copies no text.
struct Call<'a> {
    calls: &'a StorageCalls,
    error: Option<String>,
    duration: Duration,
}

impl Visit for Call<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "outcome" => self.error = (value != "ok").then(|| value.to_owned()),
            "method" => {
                if let Some(error) = &self.error {
                    self.calls.errors.with_label_values(&[value, error]).inc();
                }
                self.calls.durations.with_label_values(&[value]).observe(self.duration.as_secs_f64());
            }
            _ => {}
        }
    }

    fn record_u64(&mut self, _: &Field, nanoseconds: u64) {
        self.duration = Duration::from_nanos(nanoseconds);
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn a_call_is_counted_by_its_method_and_error() {
        let calls = StorageCalls::register(&Registry::new()).unwrap();
        let subscriber = tracing_subscriber::registry().with(calls.clone().layer());
        tracing::subscriber::with_default(subscriber, || {
            for outcome in ["ok", "unavailable", "unavailable"] {
                tracing::trace!(target: CALL_TARGET, outcome, nanoseconds = 500_000_000_u64, method = "find_key");
            }
            tracing::trace!(target: "another", outcome = "failed", nanoseconds = 1_u64, method = "find_key");
            tracing::info!(outcome = "failed", nanoseconds = 1_u64, method = "find_key");
        });
        let durations = calls.durations.with_label_values(&["find_key"]);
        assert_eq!((durations.get_sample_count(), durations.get_sample_sum()), (3, 1.5));
        assert_eq!(calls.errors.with_label_values(&["find_key", "unavailable"]).get(), 2);
        assert_eq!(calls.errors.with_label_values(&["find_key", "failed"]).get(), 0);
    }
}
