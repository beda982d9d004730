//! The summary of an import.

use std::fmt;
use std::time::Instant;

use family_api_core::storage::Record;

/// The number of imported records of each type, and the duration.
pub(crate) struct Summary {
    began: Instant,
    counts: [u64; Record::KINDS.len()],
}

impl Summary {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), counts: [0; Record::KINDS.len()] }
    }

    pub(super) fn count(&mut self, kind: &str) {
        for (count, _) in self.counts.iter_mut().zip(Record::KINDS).filter(|(_, name)| *name == kind) {
            *count += 1;
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in Record::KINDS.iter().zip(self.counts) {
            writeln!(f, "{kind:<14}{count:>9}")?;
        }
        write!(f, "{:<14}{:>9}  in {:.1} s", "total", self.total(), self.began.elapsed().as_secs_f64())
    }
}
