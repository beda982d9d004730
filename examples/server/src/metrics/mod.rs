//! Metrics for Prometheus. Without `--metrics`, nothing is collected.
//!
//! No label contains a user, a key, a family or text of a request. So the number of time series is bounded.

mod endpoint;
mod requests;
mod sampled;
mod storage_calls;

pub(crate) use endpoint::Endpoint;
pub(crate) use requests::RequestMetrics;
pub(crate) use storage_calls::StorageCalls;

use std::num::NonZeroUsize;

use family_api_core::FamilyApi;
use family_api_salvo::LoadShed;
use prometheus::{IntGauge, Opts, Registry};

use crate::cli::HttpOptions;
use crate::database::Database;
use crate::metrics::sampled::Sampled;

/// The metrics of a running server. Clones share them.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Registry,
    /// Counts requests and their durations.
    pub(crate) requests: RequestMetrics,
    /// Measures the calls of the storage.
    pub(crate) storage_calls: StorageCalls,
    /// The number of open client connections.
    pub(crate) connections: IntGauge,
}

impl Metrics {
    /// Creates the metrics if `--metrics` is set.
    ///
    /// # Errors
    /// [`prometheus::Error`] if a metric has an invalid name or is registered twice.
    pub(crate) fn of(options: &HttpOptions) -> Result<Option<Self>, prometheus::Error> {
        options.metrics.as_ref().map(|_| Self::new()).transpose()
    }

    fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let connections = IntGauge::new("family_api_connections_open", "Open client connections.")?;
        registry.register(Box::new(connections.clone()))?;
        Ok(Self {
            requests: RequestMetrics::register(&registry)?,
            storage_calls: StorageCalls::register(&registry)?,
            connections,
            registry,
        })
    }

    /// Adds the version of the server, the maximum number of connections, and the numbers of the API, of its requests and
    /// of the database.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(crate) fn sample(
        &self,
        api: &FamilyApi,
        database: &Database,
        load_shed: &LoadShed,
        max_connections: NonZeroUsize,
    ) -> Result<(), prometheus::Error> {
        let version = Opts::new("family_api_build_info", "The version of the server. The value is always 1.");
        let version = IntGauge::with_opts(version.const_label("version", env!("CARGO_PKG_VERSION")))?;
        version.set(1);
        self.registry.register(Box::new(version))?;
        let max = IntGauge::new("family_api_connections_max", "Maximum number of open client connections.")?;
        max.set(i64::try_from(max_connections.get()).unwrap_or(i64::MAX));
        self.registry.register(Box::new(max))?;
        let (api, backend, load_shed) = (api.clone(), database.backend.clone(), load_shed.clone());
        self.registry.register(Box::new(Sampled { api, backend, load_shed }))
    }
}
