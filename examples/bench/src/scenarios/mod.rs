//! Scenarios: which requests are sent to which server.

mod clients;
mod list;
mod mcp;

use crate::load::MakeClient;
use crate::setup::Subject;

pub(crate) use clients::{TITLES, keys, patch, random_family, random_user, unchanged};
pub(crate) use list::scenarios;
pub(crate) use mcp::{discover, list_tasks, tools_list};

pub(crate) const MAX_CONNECTIONS: usize = 32;

/// The numbers of connections with which each scenario runs.
pub(crate) const CONNECTIONS: [usize; 2] = [1, MAX_CONNECTIONS];

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) subject: Subject,
    pub(crate) client: MakeClient,
    /// Whether all keys are used before the measurement, so that the key cache contains them.
    pub(crate) warms_key_cache: bool,
    /// The names of the scenarios that measure the static and the plain baseline with the same response.
    pub(crate) baselines: Option<[&'static str; 2]>,
    /// Each target with the number of connections at which it applies.
    pub(crate) targets: Vec<(usize, PerformanceTarget)>,
}

/// A performance target of a scenario.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PerformanceTarget {
    /// Maximum ratio of the CPU time per response to the CPU time per response of another scenario.
    CpuRatio(f64, &'static str),
    /// Minimum ratio of the responses per second to the responses per second of another scenario.
    RateRatio(f64, &'static str),
    /// Maximum ratio of the response size to the response size of another scenario.
    BytesRatio(f64, &'static str),
    /// Maximum response size in bytes.
    Bytes(usize),
}

impl PerformanceTarget {
    /// Returns whether the measured value, rounded to two decimals, is beyond the limit.
    pub(crate) fn is_missed_by(self, measured: f64) -> bool {
        let max = match self {
            Self::RateRatio(min, _) => return measured < min - 0.005,
            Self::CpuRatio(max, _) | Self::BytesRatio(max, _) => max,
            Self::Bytes(max) => max as f64,
        };
        measured >= max + 0.005
    }
}

impl Scenario {
    pub(crate) fn new(name: &'static str, subject: Subject, client: MakeClient) -> Self {
        Self { name, subject, client, warms_key_cache: false, baselines: None, targets: vec![] }
    }

    fn with_warm_key_cache(self) -> Self {
        Self { warms_key_cache: true, ..self }
    }

    fn baselines(self, baselines: [&'static str; 2]) -> Self {
        Self { baselines: Some(baselines), ..self }
    }

    /// Adds a target for the largest number of connections.
    pub(crate) fn target(mut self, target: PerformanceTarget) -> Self {
        self.targets.push((MAX_CONNECTIONS, target));
        self
    }

    /// Adds a target for one connection.
    pub(crate) fn target_of_one_connection(mut self, target: PerformanceTarget) -> Self {
        self.targets.push((1, target));
        self
    }
}
