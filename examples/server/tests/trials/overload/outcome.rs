//! The outcome of a load.

use std::fmt;
use std::time::Duration;

use crate::latencies::Latencies;
use crate::wire::{Reply, RequestError};

#[derive(Default)]
pub(crate) struct Outcome {
    /// The latencies of responses with 200.
    pub(crate) served: Latencies,
    /// The latencies of refusals with 503 or 429 and `Retry-After`.
    pub(crate) refused: Latencies,
    /// The number of refusals with 503.
    pub(crate) shed: u32,
    /// All other responses and errors, as text.
    failures: Vec<String>,
    pub(crate) took: Duration,
    /// The CPU time of the callers, in ticks of 10 ms.
    pub(crate) ticks: Option<u64>,
}

impl Outcome {
    pub(crate) fn count(&mut self, reply: &Result<Reply, RequestError>, latency: Duration) {
        match reply {
            Ok(reply) if reply.status == 200 => self.served.push(latency),
            Ok(reply) if reply.is_retry_later() => {
                self.refused.push(latency);
                self.shed += u32::from(reply.status == 503);
            }
            other => self.failures.push(format!("{other:?}")),
        }
    }

    /// Returns the number of responses with 200 per second.
    #[expect(clippy::cast_precision_loss, reason = "no load has 2^52 responses")]
    pub(crate) fn goodput(&self) -> f64 {
        self.served.len() as f64 / self.took.as_secs_f64()
    }

    /// Asserts that each request was served, or refused with 503 or 429.
    pub(crate) fn assert_no_failures(&self) {
        assert!(self.failures.is_empty(), "{} failures, first {:?}", self.failures.len(), &self.failures[0]);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}/s served ({}); ", self.goodput(), self.served)?;
        write!(f, "refused {}, {} of them with 503; failures {}", self.refused, self.shed, self.failures.len())?;
        let ticks = self.ticks.unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "a percentage for display")]
        let busy = ticks as f64 / self.took.as_secs_f64();
        write!(f, "; callers busy {busy:.0} %")
    }
}
