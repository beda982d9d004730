//! What has come of a load.

use std::fmt;
use std::time::Duration;

use crate::latencies::Latencies;
use crate::wire::{Broken, Reply};

#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) served: Latencies,
    /// With 503 or 429, and told when to come again.
    pub(crate) refused: Latencies,
    /// Of those, with 503.
    pub(crate) shed: u32,
    /// Whatever else there was, as text; none of it may be.
    others: Vec<String>,
    pub(crate) took: Duration,
    /// How long the callers have had a processor, in hundredths of a second.
    pub(crate) ticks: Option<u64>,
}

impl Outcome {
    pub(crate) fn count(&mut self, reply: &Result<Reply, Broken>, latency: Duration) {
        match reply {
            Ok(reply) if reply.status == 200 => self.served.push(latency),
            Ok(reply) if reply.is_refusal() => {
                self.refused.push(latency);
                self.shed += u32::from(reply.status == 503);
            }
            other => self.others.push(format!("{other:?}")),
        }
    }

    /// Answers of 200 a second.
    #[expect(clippy::cast_precision_loss, reason = "no load has 2^52 answers")]
    pub(crate) fn goodput(&self) -> f64 {
        self.served.len() as f64 / self.took.as_secs_f64()
    }

    /// Everybody was answered: served, or refused in the way that callers can understand.
    pub(crate) fn is_in_order(&self) {
        assert!(self.others.is_empty(), "{} others, as {:?}", self.others.len(), &self.others[0]);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}/s served ({}); ", self.goodput(), self.served)?;
        write!(f, "refused {}, {} of them with 503; others {}", self.refused, self.shed, self.others.len())?;
        let ticks = self.ticks.unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "a share, to be read by people")]
        let busy = ticks as f64 / self.took.as_secs_f64();
        write!(f, "; callers busy {busy:.0} %")
    }
}
