//! Answers parallel refreshes with the same refresh token by one rotation.
//!
//! A client that calls several tools at once gets a 401 for each call when its access token has expired. The official
//! TypeScript clients then refresh once for each call. Without this module, the second refresh would count as a reuse
//! and end the connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::sleep;

use crate::grant::{IssuedTokens, TokenError};
use crate::key::{KeyDigest, ScopeSet};
use crate::surface::Surface;

/// The time that the first refresh waits for the others. It must exceed the time in which a client opens further
/// connections. A refresh happens about once an hour, so the delay is not noticed.
const GATHER_TIME: Duration = Duration::from_millis(300);

/// What refreshes must have in common to share a rotation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct RefreshRequest {
    pub(super) token: KeyDigest,
    pub(super) client_id: String,
    pub(super) scopes: Option<ScopeSet>,
    pub(super) surface: Option<Surface>,
}

/// The refreshes in progress on this node. An entry lives as long as one of its requests.
#[derive(Default)]
pub(super) struct RefreshBatches(Mutex<HashMap<RefreshRequest, Weak<OnceCell<IssuedTokens>>>>);

impl RefreshBatches {
    /// Returns the result of one rotation to all requests that arrive before it ends. If the request that rotates is
    /// cancelled or fails, the next one rotates.
    pub(super) async fn rotate_once(
        &self,
        request: &RefreshRequest,
        rotate: impl AsyncFnOnce() -> Result<IssuedTokens, TokenError>,
    ) -> Result<IssuedTokens, TokenError> {
        let batch = self.join(request);
        let issued = batch.get_or_try_init(async || {
            sleep(GATHER_TIME).await;
            rotate().await
        });
        issued.await.cloned()
    }

    fn join(&self, request: &RefreshRequest) -> Arc<OnceCell<IssuedTokens>> {
        // A panic cannot leave the map inconsistent.
        let mut batches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(batch) = batches.get(request).and_then(Weak::upgrade) {
            return batch;
        }
        batches.retain(|_, batch| batch.strong_count() > 0);
        let batch = Arc::default();
        batches.insert(request.clone(), Arc::downgrade(&batch));
        batch
    }
}
