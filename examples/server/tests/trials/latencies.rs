//! Response times and their percentiles.

use std::fmt;
use std::time::Duration;

#[derive(Debug, Clone, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    pub(crate) fn push(&mut self, latency: Duration) {
        self.0.push(latency);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the latency at this percentile, by the nearest-rank method. Zero if there are no latencies.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(index).copied().unwrap_or_default()
    }
}

impl FromIterator<Duration> for Latencies {
    fn from_iter<T: IntoIterator<Item = Duration>>(all: T) -> Self {
        Self(all.into_iter().collect())
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, max] = [50, 99, 100].map(|percent| self.percentile(percent).as_secs_f64() * 1_000.0);
        write!(f, "{}: p50 {p50:.1} ms, p99 {p99:.1} ms, max {max:.1} ms", self.len())
    }
}
