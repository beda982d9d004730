//! Metrics whose values are read from the API and the database at each scrape.

use family_api_core::FamilyApi;
use family_api_salvo::LoadShed;
use family_api_sql::PoolStatistics;
use prometheus::core::{AtomicU64, Collector, Desc, GenericCounterVec, GenericGaugeVec};
use prometheus::proto::MetricFamily;
use prometheus::{Error, Opts};

use crate::database::Backend;

/// Reads all numbers once for each answer.
pub(super) struct Sampled {
    pub(super) api: FamilyApi,
    pub(super) backend: Backend,
    pub(super) load_shed: LoadShed,
}

/// The number of each label. A metric without a label has one number, whose label is `None`.
type Values = Vec<(Option<&'static str>, u64)>;

fn counter(name: &str, help: &str, label: Option<&str>, values: Values) -> Result<Vec<MetricFamily>, Error> {
    let counters = GenericCounterVec::<AtomicU64>::new(Opts::new(name, help), label.as_slice())?;
    for (label, number) in values {
        counters.with_label_values(label.as_slice()).inc_by(number);
    }
    Ok(counters.collect())
}

fn gauge(name: &str, help: &str, label: Option<&str>, values: Values) -> Result<Vec<MetricFamily>, Error> {
    let gauges = GenericGaugeVec::<AtomicU64>::new(Opts::new(name, help), label.as_slice())?;
    for (label, number) in values {
        gauges.with_label_values(label.as_slice()).set(number);
    }
    Ok(gauges.collect())
}

impl Sampled {
    fn families(&self) -> Result<Vec<MetricFamily>, Error> {
        let storage = self.backend.statistics();
        let of_each_pool = |number: fn(&PoolStatistics) -> u32| {
            storage.pools.iter().map(|pool| (Some(pool.name), number(pool).into())).collect()
        };
        let mut families = vec![
            gauge(
                "family_api_database_connections_max",
                "Maximum number of connections of a pool.",
                Some("pool"),
                of_each_pool(|pool| pool.max),
            )?,
            gauge(
                "family_api_database_connections_open",
                "Open connections of a pool.",
                Some("pool"),
                of_each_pool(|pool| pool.open),
            )?,
            gauge(
                "family_api_database_connections_idle",
                "Open connections of a pool that are not in use.",
                Some("pool"),
                of_each_pool(|pool| pool.idle),
            )?,
            counter(
                "family_api_token_lookups_total",
                "Lookups of keys and access tokens.",
                None,
                vec![(None, storage.token_lookups)],
            )?,
            counter(
                "family_api_token_lookups_coalesced_total",
                "Lookups of keys and access tokens that used the query of another lookup.",
                None,
                vec![(None, storage.coalesced_token_lookups)],
            )?,
            gauge(
                "family_api_requests_in_flight",
                "API requests in progress.",
                None,
                vec![(None, self.load_shed.in_flight() as u64)],
            )?,
            gauge(
                "family_api_requests_in_flight_max",
                "Maximum number of API requests in progress.",
                None,
                vec![(None, self.load_shed.max() as u64)],
            )?,
        ];
        if let Some(cache) = self.api.statistics().document_cache {
            families.push(counter(
                "family_api_document_cache_lookups_total",
                "Lookups in the document cache: hits, misses, and lookups that waited for the miss of another request.",
                Some("result"),
                vec![(Some("hit"), cache.hits), (Some("miss"), cache.misses), (Some("coalesced"), cache.coalesced)],
            )?);
            families.push(gauge(
                "family_api_document_cache_bytes",
                "Approximate size of the document cache.",
                None,
                vec![(None, cache.bytes)],
            )?);
            families.push(gauge(
                "family_api_document_cache_documents",
                "Approximate number of cached documents.",
                None,
                vec![(None, cache.documents)],
            )?);
        }
        Ok(families.concat())
    }
}

impl Collector for Sampled {
    /// None: the metrics are created for each answer.
    fn desc(&self) -> Vec<&Desc> {
        vec![]
    }

    fn collect(&self) -> Vec<MetricFamily> {
        self.families().unwrap_or_else(|error| {
            tracing::error!(%error, "cannot collect metrics");
            vec![]
        })
    }
}
