//! Has it written when keys were last used, a moment after the requests that used them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use family_api_core::FamilyApi;
use tokio::time::sleep;

/// The uses of so long a time are written together.
const GATHERING: Duration = Duration::from_secs(1);

/// Where the storage fails, it is asked again at most so seldom.
const PATIENCE: Duration = Duration::from_mins(1);

/// Sees to it that the uses of keys are written; clones share one writer.
#[derive(Clone)]
pub(crate) struct UseRecorder {
    api: FamilyApi,
    is_due: Arc<AtomicBool>,
}

impl UseRecorder {
    pub(crate) fn new(api: FamilyApi) -> Self {
        Self { api, is_due: Arc::default() }
    }

    /// Where something waits to be written, and nobody is about to, somebody is from now on.
    pub(crate) fn see_to_it(&self) {
        if self.api.has_unrecorded_uses() && !self.is_due.swap(true, Ordering::AcqRel) {
            tokio::spawn(self.clone().record());
        }
    }

    /// Goes on until nothing waits: also what was noted while the rest was written.
    async fn record(self) {
        let mut due = Due { flag: self.is_due, is_ours: true };
        let mut pause = GATHERING;
        loop {
            sleep(pause).await;
            // From here on, whoever notes a use sees to it again: none is left that nobody looks at.
            due.give_up();
            if let Err(error) = self.api.record_uses().await {
                tracing::warn!(%error, "when keys were last used could not be written: it is tried again");
                pause = (pause * 2).min(PATIENCE);
            } else {
                pause = GATHERING;
            }
            if !self.api.has_unrecorded_uses() || !due.take_up() {
                return;
            }
        }
    }
}

/// Who is about to write; however that ends, nobody is any more then.
struct Due {
    flag: Arc<AtomicBool>,
    is_ours: bool,
}

impl Due {
    /// Tells whether nobody else is about to.
    fn take_up(&mut self) -> bool {
        self.is_ours = !self.flag.swap(true, Ordering::AcqRel);
        self.is_ours
    }

    fn give_up(&mut self) {
        if std::mem::take(&mut self.is_ours) {
            self.flag.store(false, Ordering::Release);
        }
    }
}

impl Drop for Due {
    fn drop(&mut self) {
        self.give_up();
    }
}
