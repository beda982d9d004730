//! What is done off the request path: when keys were last used is written, and what ended is purged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use family_api_core::FamilyApi;
use tokio::time::sleep;

/// How often the task works: the uses of a second are written together, and between two batches of a purge other writers
/// get their turn.
const INTERVAL: Duration = Duration::from_secs(1);

/// The longest pause after the storage has failed.
const MAX_INTERVAL: Duration = Duration::from_mins(1);

/// Spawns the background task of a [`FamilyApi`] when there is something to do; clones share one task.
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

    /// Works until nothing is due, including what became due meanwhile.
    async fn run(self) {
        let mut schedule = Schedule { flag: self.is_scheduled.clone(), is_held: true };
        let mut pause = INTERVAL;
        loop {
            sleep(pause).await;
            // A request that makes something due from here on schedules it again: nothing is left behind.
            schedule.release();
            pause = if self.work().await { INTERVAL } else { (pause * 2).min(MAX_INTERVAL) };
            if !self.is_due() || !schedule.acquire() {
                return;
            }
        }
    }

    /// Returns whether the storage did everything.
    async fn work(&self) -> bool {
        let recorded = self.api.record_uses().await;
        if let Err(error) = &recorded {
            tracing::warn!(%error, "when keys were last used could not be written: it is tried again");
        }
        let purged = self.api.purge().await;
        if let Err(error) = &purged {
            tracing::warn!(%error, "ended keys and sessions could not be deleted: it is tried again");
        }
        recorded.is_ok() && purged.is_ok()
    }
}

/// The one scheduled task; dropping it, also by a panic, lets another be scheduled.
struct Schedule {
    flag: Arc<AtomicBool>,
    is_held: bool,
}

impl Schedule {
    /// Returns false if another task is scheduled meanwhile.
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
