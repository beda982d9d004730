//! Logs whether the export works.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

/// Logs the first failure of an exporter and the first success after it. Under load, each failure would be many lines a
/// second.
#[derive(Debug)]
pub(super) struct LoggedExporter<E> {
    exporter: E,
    is_failing: AtomicBool,
}

impl<E> LoggedExporter<E> {
    pub(super) fn new(exporter: E) -> Self {
        Self { exporter, is_failing: AtomicBool::new(false) }
    }
}

impl<E: SpanExporter> SpanExporter for LoggedExporter<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let outcome = self.exporter.export(batch).await;
        let was_failing = self.is_failing.swap(outcome.is_err(), Ordering::Relaxed);
        match &outcome {
            Err(error) if !was_failing => tracing::warn!(%error, "cannot export traces"),
            Ok(()) if was_failing => tracing::info!("traces are exported again"),
            _ => {}
        }
        outcome
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
