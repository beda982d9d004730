//! Export of the spans to an OpenTelemetry collector (OTLP, protobuf over HTTP).
//!
//! OpenTelemetry's standard variables configure it. A thread of its own sends the spans in batches. If its queue is
//! full, spans are dropped, so that requests never wait for the collector.

mod logged_exporter;

use std::env;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::EnvResourceDetector;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use crate::trace_export::logged_exporter::LoggedExporter;

/// The variables that name a collector. Without them, nothing is exported.
const ENDPOINT_VARIABLES: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

const SERVICE_NAME_VARIABLE: &str = "OTEL_SERVICE_NAME";

/// Name of the service, unless a variable sets another one.
const SERVICE_NAME: &str = env!("CARGO_PKG_NAME");

/// Time in which the last spans are sent when the server stops.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// Exports spans until it is dropped. Then sends the remaining spans.
pub(crate) struct TraceExport {
    provider: SdkTracerProvider,
}

impl TraceExport {
    /// Starts the export, if a variable names a collector.
    ///
    /// # Errors
    /// [`ExporterBuildError`] if a variable has an invalid value.
    pub(crate) fn start() -> Result<Option<Self>, ExporterBuildError> {
        if !ENDPOINT_VARIABLES.into_iter().any(|variable| value_of(variable).is_some()) {
            return Ok(None);
        }
        // The HTTP client of the exporter uses the default provider. If there is one already, it stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let exporter = LoggedExporter::new(SpanExporter::builder().with_http().build()?);
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
        Ok(Some(Self { provider }))
    }

    /// Returns a layer that receives only the spans of this workspace. It does not depend on the filter of the log.
    pub(crate) fn layer<S>(&self) -> impl Layer<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let own_spans = filter_fn(|metadata| metadata.is_span() && metadata.target().starts_with("family_api"));
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer(SERVICE_NAME))
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_context_activation(false)
            .with_filter(own_spans)
    }
}

impl Drop for TraceExport {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown_with_timeout(FLUSH_TIMEOUT) {
            tracing::warn!(%error, "cannot export the last traces");
        }
    }
}

/// Describes this server to the collector. The variables take precedence.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder_empty().with_service_name(SERVICE_NAME).with_attribute(version);
    let resource = resource.with_detector(Box::new(EnvResourceDetector::new()));
    match value_of(SERVICE_NAME_VARIABLE) {
        Some(name) => resource.with_service_name(name),
        None => resource,
    }
    .build()
}

/// Returns the value of a variable. An empty value is the same as none.
fn value_of(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.trim().is_empty())
}
