//! The background task: writes the last use of keys and grants to the storage, and purges old rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::Timestamp;
use crate::service::FamilyApi;

/// Pause between two runs. The uses of one second are written in one batch. A purge deletes one batch per run, so other
/// writers can take the storage's write lock in the pause.
const INTERVAL: Duration = Duration::from_secs(1);

/// Maximum pause after repeated storage errors. Each error doubles the pause.
const MAX_INTERVAL: Duration = Duration::from_mins(1);

impl FamilyApi {
    /// Spawns the background task if work is due and no task is scheduled. Without a tokio runtime, the work stays due.
    pub(super) fn schedule_background(&self, now: Timestamp) {
        if let Ok(runtime) = Handle::try_current()
            && let Some(schedule) = self.begin_schedule(now)
        {
            runtime.spawn(self.clone().run_background(schedule));
        }
    }

    /// Returns `None` if no work is due or another task is scheduled.
    fn begin_schedule(&self, now: Timestamp) -> Option<Schedule> {
        // Asked first, because it also schedules the hourly purge.
        let is_purge_due = self.purges.is_due(now);
        if is_purge_due || self.has_pending_uses() { Schedule::begin(&self.is_background_scheduled) } else { None }
    }

    /// Runs until no work is due, including work that becomes due during the run.
    async fn run_background(self, mut schedule: Schedule) {
        let mut pause = INTERVAL;
        loop {
            sleep(pause).await;
            pause = if self.work().await { INTERVAL } else { (pause * 2).min(MAX_INTERVAL) };
            // Dropped after the work, so that slow writes do not run in several tasks at once. A request that makes new
            // work due either sees the cleared flag, or its work is seen here.
            drop(schedule);
            let Some(next) = self.begin_schedule(self.clock.now()) else {
                return;
            };
            schedule = next;
        }
    }

    /// Returns whether all work succeeded.
    async fn work(&self) -> bool {
        let recorded = self.record_uses().await;
        if let Err(error) = &recorded {
            tracing::warn!(%error, "could not record the last use of keys and grants, will retry");
        }
        let purged = self.purge().await;
        if let Err(error) = &purged {
            tracing::warn!(%error, "could not delete old rows, will retry");
        }
        recorded.is_ok() && purged.is_ok()
    }
}

/// The flag that a task is scheduled. It is cleared on drop, also if the runtime shuts down.
struct Schedule(Arc<AtomicBool>);

impl Schedule {
    /// Sets the flag. Returns `None` if another task has set it.
    fn begin(is_scheduled: &Arc<AtomicBool>) -> Option<Self> {
        (!is_scheduled.swap(true, Ordering::AcqRel)).then(|| Self(is_scheduled.clone()))
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
