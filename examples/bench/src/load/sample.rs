//! The result of one measurement.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::caller::Answered;
use crate::failure::{Failure, Result};

/// The histogram records latencies up to one minute with three significant digits.
const LONGEST: Duration = Duration::from_mins(1);
const DIGITS: u8 = 3;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// Responses per second.
    pub(crate) rate: f64,
    /// In microseconds, like `p99` and `cpu`.
    pub(crate) median: f64,
    pub(crate) p99: f64,
    /// CPU time of the server per response, if the operating system reports it.
    pub(crate) cpu: Option<f64>,
    /// Size of a response, in bytes.
    pub(crate) wire: f64,
}

impl Sample {
    pub(super) fn new(answered: &[Answered], elapsed: Duration, cpu: Option<Duration>) -> Result<Self> {
        let mut latencies = Histogram::<u64>::new_with_max(nanoseconds(LONGEST), DIGITS)?;
        for latency in answered.iter().flat_map(|answered| &answered.latencies) {
            latencies.saturating_record(nanoseconds(*latency));
        }
        if latencies.is_empty() {
            return Err(Failure::from("no response during a measurement"));
        }
        let count = latencies.len() as f64;
        Ok(Self {
            rate: count / elapsed.as_secs_f64(),
            median: latencies.value_at_quantile(0.5) as f64 / 1_000.0,
            p99: latencies.value_at_quantile(0.99) as f64 / 1_000.0,
            cpu: cpu.map(|cpu| cpu.as_secs_f64() * 1_000_000.0 / count),
            wire: answered.iter().map(|answered| answered.wire).sum::<usize>() as f64 / count,
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
    fn a_sample_has_the_percentiles_and_the_cpu_per_response() {
        let latencies = (1..=100).map(Duration::from_micros).collect();
        let answered = [Answered { latencies, wire: 700 }, Answered::default()];
        let cpu = Some(Duration::from_millis(1));
        let sample = Sample::new(&answered, Duration::from_secs(2), cpu).unwrap();
        let close = |actual: f64, expected: f64| (actual / expected - 1.0).abs() < 0.002;
        assert!(close(sample.rate, 50.0) && close(sample.median, 50.0) && close(sample.p99, 99.0), "{sample:?}");
        assert!(close(sample.cpu.unwrap(), 10.0) && close(sample.wire, 7.0), "{sample:?}");
    }

    #[test]
    fn a_measurement_without_a_response_is_an_error() {
        assert!(Sample::new(&[Answered::default()], Duration::from_secs(1), None).is_err());
    }
}
