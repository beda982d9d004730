//! Metrics whose values are read from the API and the database at each scrape.

use std::collections::HashMap;

use family_api_core::{DocumentCacheStatistics, FamilyApi};
use family_api_salvo::LoadShed;
use family_api_sql::{PoolStatistics, StorageStatistics};
use prometheus::core::{Collector, Desc};
use prometheus::proto::{Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};

use crate::database::Backend;

/// The numbers at one moment.
struct Sample {
    /// `None` without a document cache.
    documents: Option<DocumentCacheStatistics>,
    storage: StorageStatistics,
    /// API requests in progress.
    in_flight: usize,
    max_in_flight: usize,
}

/// The value of the label, if the metric has one, and the number.
type Value = (Option<&'static str>, u64);

/// A metric with at most one label.
struct Definition {
    kind: MetricType,
    name: &'static str,
    help: &'static str,
    label: Option<&'static str>,
    read: fn(&Sample) -> Vec<Value>,
}

const DEFINITIONS: [Definition; 10] = [
    Definition {
        kind: MetricType::COUNTER,
        name: "family_api_document_cache_lookups_total",
        help: "Lookups in the document cache: hits, misses, and lookups that waited for the miss of another request.",
        label: Some("result"),
        read: |sample| {
            let lookups = |cache: &DocumentCacheStatistics| {
                vec![(Some("hit"), cache.hits), (Some("miss"), cache.misses), (Some("coalesced"), cache.coalesced)]
            };
            sample.documents.as_ref().map_or_else(Vec::new, lookups)
        },
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_document_cache_bytes",
        help: "Approximate size of the document cache.",
        label: None,
        read: |sample| sample.documents.iter().map(|cache| (None, cache.bytes)).collect(),
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_document_cache_documents",
        help: "Approximate number of cached documents.",
        label: None,
        read: |sample| sample.documents.iter().map(|cache| (None, cache.documents)).collect(),
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_database_connections_max",
        help: "Maximum number of connections of a pool.",
        label: Some("pool"),
        read: |sample| of_each_pool(sample, |pool| pool.max),
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_database_connections_open",
        help: "Open connections of a pool.",
        label: Some("pool"),
        read: |sample| of_each_pool(sample, |pool| pool.open),
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_database_connections_idle",
        help: "Open connections of a pool that are not in use.",
        label: Some("pool"),
        read: |sample| of_each_pool(sample, |pool| pool.idle),
    },
    Definition {
        kind: MetricType::COUNTER,
        name: "family_api_token_lookups_total",
        help: "Lookups of keys and access tokens.",
        label: None,
        read: |sample| vec![(None, sample.storage.token_lookups)],
    },
    Definition {
        kind: MetricType::COUNTER,
        name: "family_api_token_lookups_coalesced_total",
        help: "Lookups of keys and access tokens that used the query of another lookup.",
        label: None,
        read: |sample| vec![(None, sample.storage.coalesced_token_lookups)],
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_requests_in_flight",
        help: "API requests in progress.",
        label: None,
        read: |sample| vec![(None, sample.in_flight as u64)],
    },
    Definition {
        kind: MetricType::GAUGE,
        name: "family_api_requests_in_flight_max",
        help: "Maximum number of API requests in progress.",
        label: None,
        read: |sample| vec![(None, sample.max_in_flight as u64)],
    },
];

fn of_each_pool(sample: &Sample, number: fn(&PoolStatistics) -> u32) -> Vec<Value> {
    sample.storage.pools.iter().map(|pool| (Some(pool.name), number(pool).into())).collect()
}

impl Definition {
    fn desc(&self) -> Result<Desc, prometheus::Error> {
        let labels = self.label.into_iter().map(str::to_owned).collect();
        Desc::new(self.name.to_owned(), self.help.to_owned(), labels, HashMap::new())
    }

    fn family(&self, sample: &Sample) -> MetricFamily {
        let mut family = MetricFamily::default();
        family.set_name(self.name.to_owned());
        family.set_help(self.help.to_owned());
        family.set_field_type(self.kind);
        family.set_metric((self.read)(sample).into_iter().map(|value| self.metric(value)).collect());
        family
    }

    fn metric(&self, (label, number): Value) -> Metric {
        let pair = self.label.zip(label).map(|(name, value)| {
            let mut pair = LabelPair::default();
            pair.set_name(name.to_owned());
            pair.set_value(value.to_owned());
            pair
        });
        let mut metric = Metric::from_label(pair.into_iter().collect());
        // The text format has only floating-point numbers.
        #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
        let number = number as f64;
        if self.kind == MetricType::COUNTER {
            let mut counter = Counter::default();
            counter.set_value(number);
            metric.set_counter(counter);
        } else {
            let mut gauge = Gauge::default();
            gauge.set_value(number);
            metric.set_gauge(gauge);
        }
        metric
    }
}

/// Reads all numbers once for each answer.
pub(super) struct Sampled {
    api: FamilyApi,
    backend: Backend,
    load_shed: LoadShed,
    descs: Vec<Desc>,
}

impl Sampled {
    pub(super) fn new(api: FamilyApi, backend: Backend, load_shed: LoadShed) -> Result<Self, prometheus::Error> {
        let descs = DEFINITIONS.iter().map(Definition::desc).collect::<Result<_, _>>()?;
        Ok(Self { api, backend, load_shed, descs })
    }
}

impl Collector for Sampled {
    fn desc(&self) -> Vec<&Desc> {
        self.descs.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let sample = Sample {
            documents: self.api.statistics().document_cache,
            storage: self.backend.statistics(),
            in_flight: self.load_shed.in_flight(),
            max_in_flight: self.load_shed.max(),
        };
        DEFINITIONS.iter().map(|definition| definition.family(&sample)).collect()
    }
}
