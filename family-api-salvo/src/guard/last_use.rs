//! Has it written when keys were last used, a moment after the requests that used them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use family_api_core::FamilyApi;
use tokio::time::sleep;

/// The uses of so long a time are written together.
const GATHERING: Duration = Duration::from_secs(1);

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

    async fn record(self) {
        let _due = Due(self.is_due);
        sleep(GATHERING).await;
        if let Err(error) = self.api.record_uses().await {
            tracing::warn!(%error, "when keys were last used could not be written: the next use tries again");
        }
    }
}

/// Nobody is about to write any more, however it ended.
struct Due(Arc<AtomicBool>);

impl Drop for Due {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
