//! The result of one measurement.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::connected_client::CountedResponses;
use crate::failure::{BoxError, Result};

/// The histogram records latencies up to one minute with three significant digits.
const MAX_LATENCY: Duration = Duration::from_mins(1);
const SIGNIFICANT_DIGITS: u8 = 3;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Measurement {
    /// Responses per second.
    pub(crate) rate: f64,
    /// Median latency in microseconds.
    pub(crate) median: f64,
    /// 99th percentile of the latency, in microseconds.
    pub(crate) p99: f64,
    /// CPU time of the server per response in microseconds, if the operating system reports it.
    pub(crate) cpu: Option<f64>,
    /// Mean size of a response with its headers, in bytes.
    pub(crate) bytes: f64,
}

impl Measurement {
    pub(super) fn new(counted: &[CountedResponses], elapsed: Duration, cpu: Option<Duration>) -> Result<Self> {
        let mut latencies = Histogram::<u64>::new_with_max(nanoseconds(MAX_LATENCY), SIGNIFICANT_DIGITS)?;
        for latency in counted.iter().flat_map(|counted| &counted.latencies) {
            latencies.saturating_record(nanoseconds(*latency));
        }
        if latencies.is_empty() {
            return Err(BoxError::from("no response during a measurement"));
        }
        let count = latencies.len() as f64;
        Ok(Self {
            rate: count / elapsed.as_secs_f64(),
            median: latencies.value_at_quantile(0.5) as f64 / 1_000.0,
            p99: latencies.value_at_quantile(0.99) as f64 / 1_000.0,
            cpu: cpu.map(|cpu| cpu.as_secs_f64() * 1_000_000.0 / count),
            bytes: counted.iter().map(|counted| counted.bytes).sum::<usize>() as f64 / count,
        })
    }
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_has_percentiles_and_the_cpu_per_response() {
        let latencies = (1..=100).map(Duration::from_micros).collect();
        let counted = [CountedResponses { latencies, bytes: 700 }, CountedResponses::default()];
        let cpu = Some(Duration::from_millis(1));
        let measurement = Measurement::new(&counted, Duration::from_secs(2), cpu).unwrap();
        let close = |actual: f64, expected: f64| (actual / expected - 1.0).abs() < 0.002;
        assert!(
            close(measurement.rate, 50.0) && close(measurement.median, 50.0) && close(measurement.p99, 99.0),
            "{measurement:?}"
        );
        assert!(close(measurement.cpu.unwrap(), 10.0) && close(measurement.bytes, 7.0), "{measurement:?}");
    }

    #[test]
    fn a_measurement_without_a_response_is_an_error() {
        assert!(Measurement::new(&[CountedResponses::default()], Duration::from_secs(1), None).is_err());
    }
}
