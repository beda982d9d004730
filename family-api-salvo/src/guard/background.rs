//! Work off the request path: records the last use of keys, and purges ended keys and sessions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use family_api_core::FamilyApi;
use tokio::time::sleep;

/// Pause between two runs. Uses of one second are written in one batch. Between two batches of a purge, other writers
/// can take the storage's write lock.
const INTERVAL: Duration = Duration::from_secs(1);

/// Maximum pause when the task backs off after storage errors.
const MAX_INTERVAL: Duration = Duration::from_mins(1);

/// Spawns the background task of a [`FamilyApi`] when work is due. Clones share one task.
#[derive(Clone)]
pub(crate) struct Background {
    api: FamilyApi,
    is_scheduled: Arc<AtomicBool>,
}

impl Background {
    pub(crate) fn new(api: FamilyApi) -> Self {
        Self { api, is_scheduled: Arc::default() }
    }

    /// Spawns the task if something is due and no task is scheduled.
    pub(crate) fn schedule(&self) {
        if self.is_due() && !self.is_scheduled.swap(true, Ordering::AcqRel) {
            tokio::spawn(self.clone().run());
        }
    }

    fn is_due(&self) -> bool {
        self.api.has_unrecorded_uses() || self.api.has_purge_due()
    }

    /// Runs until no work is due, including work that becomes due during the run.
    async fn run(self) {
        let mut schedule = Schedule { flag: self.is_scheduled.clone(), is_held: true };
        let mut pause = INTERVAL;
        loop {
            sleep(pause).await;
            // Released before the work: if a request makes new work due from here on, it can schedule a task again.
            schedule.release();
            pause = if self.work().await { INTERVAL } else { (pause * 2).min(MAX_INTERVAL) };
            if !self.is_due() || !schedule.acquire() {
                return;
            }
        }
    }

    /// Returns whether all work succeeded.
    async fn work(&self) -> bool {
        let recorded = self.api.record_uses().await;
        if let Err(error) = &recorded {
            tracing::warn!(%error, "could not record the last use of keys, will retry");
        }
        let purged = self.api.purge().await;
        if let Err(error) = &purged {
            tracing::warn!(%error, "could not delete ended keys and sessions, will retry");
        }
        recorded.is_ok() && purged.is_ok()
    }
}

/// Marks that one task is scheduled. Dropping it, even in a panic, allows another task to be scheduled.
struct Schedule {
    flag: Arc<AtomicBool>,
    is_held: bool,
}

impl Schedule {
    /// Returns false if another task was scheduled in the meantime.
    fn acquire(&mut self) -> bool {
        self.is_held = !self.flag.swap(true, Ordering::AcqRel);
        self.is_held
    }

    fn release(&mut self) {
        if std::mem::take(&mut self.is_held) {
            self.flag.store(false, Ordering::Release);
        }
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        self.release();
    }
}
