//! The figures of one measurement.

use std::time::Duration;

use super::open_loop::Offered;
use crate::failure::{BoxError, Result};
use crate::load::Measurement;

/// Latencies in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Latencies {
    pub(super) median: f64,
    pub(super) p99: f64,
}

/// An overload, relative to the capacity that was measured just before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Overload {
    /// Answers per second without overload.
    pub(super) capacity: f64,
    /// Sent requests per second.
    pub(super) offered: f64,
    /// Answers per second.
    pub(super) answered: f64,
    /// Refusals per second.
    pub(super) refused: f64,
    /// CPU per answer without overload, in microseconds.
    pub(super) cpu_per_answer: Option<f64>,
    /// CPU per refusal in microseconds.
    pub(super) cpu_per_refusal: Option<f64>,
    pub(super) answers: Latencies,
    pub(super) refusals: Latencies,
    pub(super) probes: Latencies,
}

impl Overload {
    pub(super) fn new(capacity: &Measurement, offered: &Offered) -> Result<Self> {
        let seconds = offered.elapsed.as_secs_f64();
        let [answers, refusals] = [&offered.responses.answers, &offered.responses.refusals];
        if !offered.probes.refusals.is_empty() {
            return Err(BoxError::from("`/healthz` was refused"));
        }
        let cpu = offered.cpu.map(|cpu| cpu.as_secs_f64() * 1_000_000.0).zip(capacity.cpu);
        Ok(Self {
            capacity: capacity.rate,
            offered: (answers.len() + refusals.len()) as f64 / seconds,
            answered: answers.len() as f64 / seconds,
            refused: refusals.len() as f64 / seconds,
            cpu_per_answer: capacity.cpu,
            cpu_per_refusal: cpu.map(|(all, each)| (all - answers.len() as f64 * each) / refusals.len() as f64),
            answers: Latencies::of(answers)?,
            refusals: Latencies::of(refusals)?,
            probes: Latencies::of(&offered.probes.answers)?,
        })
    }
}

impl Latencies {
    fn of(latencies: &[Duration]) -> Result<Self> {
        let mut sorted = latencies.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1).ok_or("an overload without an answer, a refusal or a probe")?;
        let at = |percent: usize| sorted[last * percent / 100].as_secs_f64() * 1_000.0;
        Ok(Self { median: at(50), p99: at(99) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::open_loop::Responses;
    use super::*;

    fn milliseconds(count: u64) -> Vec<Duration> {
        (0..count).map(Duration::from_millis).collect()
    }

    fn offered(answers: u64, refusals: u64, refused_probes: u64) -> Offered {
        Offered {
            responses: Responses { answers: milliseconds(answers), refusals: milliseconds(refusals) },
            probes: Responses { answers: milliseconds(1), refusals: milliseconds(refused_probes) },
            elapsed: Duration::from_secs(2),
            cpu: Some(Duration::from_millis(70)),
        }
    }

    const CAPACITY: Measurement = Measurement { rate: 100.0, median: 1.0, p99: 1.0, cpu: Some(500.0), bytes: 1.0 };

    #[test]
    fn refusals_have_the_cpu_that_answers_do_not_explain() {
        let overload = Overload::new(&CAPACITY, &offered(100, 400, 0)).unwrap();
        let rates = [overload.capacity, overload.offered, overload.answered, overload.refused];
        let latencies = [overload.answers.median, overload.answers.p99, overload.refusals.median];
        for (actual, expected) in rates.into_iter().chain(latencies).zip([100.0, 250.0, 50.0, 200.0, 49.0, 98.0, 199.0])
        {
            assert!((actual - expected).abs() < 1e-9, "{overload:?}");
        }
        assert!(overload.cpu_per_refusal.is_some_and(|cpu| (cpu - 50.0).abs() < 1e-9), "{overload:?}");
    }

    #[test]
    fn an_overload_without_refusals_or_with_a_refused_probe_is_an_error() {
        assert!(Overload::new(&CAPACITY, &offered(100, 0, 0)).is_err());
        assert!(Overload::new(&CAPACITY, &offered(100, 400, 1)).is_err());
    }
}
