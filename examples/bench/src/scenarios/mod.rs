//! Scenarios: which requests are sent to which server.

mod list;
mod reads;
mod writes;

use std::time::Duration;

use crate::load::MakeClient;
use crate::setup::Subject;

pub(crate) use list::scenarios;
pub(crate) use reads::{keys, unchanged};
pub(crate) use writes::{patch, titles};

pub(crate) const MAX_CONNECTIONS: usize = 32;

/// Numbers of connections in most scenarios.
const ONE_AND_MAX: &[usize] = &[1, MAX_CONNECTIONS];

/// Interval of writes: 50 per second.
const WRITE_INTERVAL: Duration = Duration::from_millis(20);

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) subject: Subject,
    pub(crate) connections: &'static [usize],
    pub(crate) client: MakeClient,
    pub(crate) writer: Option<(MakeClient, Duration)>,
    /// Whether the randomly chosen keys are used before the measurement.
    pub(crate) warms_keys: bool,
    /// The baselines with the same response: the static one and the plain handler.
    pub(crate) beside: Option<[&'static str; 2]>,
    /// A scenario whose CPU time is subtracted from that of this one.
    pub(crate) without: Option<&'static str>,
    pub(crate) aims: Vec<Aim>,
}

/// A performance target. CPU is the time of the median round; bytes are those of one response.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aim {
    /// Maximum ratio to the CPU time of another scenario.
    Cpu(f64, &'static str),
    /// Maximum ratio to the bytes of another scenario.
    Share(f64, &'static str),
    /// Maximum number of bytes.
    Bytes(usize),
    /// Maximum ratio of the 99th percentile of the latency to the median.
    Tail(f64),
}

impl Aim {
    /// Returns whether the value exceeds the limit, both rounded to two decimals.
    pub(crate) fn is_missed_by(self, reached: f64) -> bool {
        let most = match self {
            Self::Cpu(most, _) | Self::Share(most, _) | Self::Tail(most) => most,
            Self::Bytes(most) => most as f64,
        };
        reached >= most + 0.005
    }
}

impl Scenario {
    fn new(name: &'static str, subject: Subject, client: MakeClient) -> Self {
        Self {
            name,
            subject,
            connections: ONE_AND_MAX,
            client,
            writer: None,
            warms_keys: false,
            beside: None,
            without: None,
            aims: vec![],
        }
    }

    fn at(self, connections: &'static [usize]) -> Self {
        Self { connections, ..self }
    }

    fn known(self) -> Self {
        Self { warms_keys: true, ..self }
    }

    fn beside(self, baselines: [&'static str; 2]) -> Self {
        Self { beside: Some(baselines), ..self }
    }

    fn aim(mut self, aim: Aim) -> Self {
        self.aims.push(aim);
        self
    }

    fn without(self, other: &'static str) -> Self {
        Self { without: Some(other), ..self }
    }

    fn while_writing(self, writer: MakeClient) -> Self {
        Self { writer: Some((writer, WRITE_INTERVAL)), ..self }
    }
}
