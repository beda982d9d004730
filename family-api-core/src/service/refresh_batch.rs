//! Answers parallel refreshes with the same refresh token by one rotation.
//!
//! A client that calls several tools at once gets a 401 for each call when its access token has expired. The official
//! TypeScript clients then refresh once for each call. Without this module, the second refresh would count as a reuse
//! and end the connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::spawn;
use tokio::sync::OnceCell;
use tokio::time::sleep;
use tracing::Instrument;

use crate::error::Error;
use crate::grant::{IssuedTokens, TokenError};
use crate::key::{KeyDigest, ScopeSet};
use crate::storage::StorageError;
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

/// The refreshes in progress on this node. An entry lives as long as one of its requests or its rotation.
#[derive(Default)]
pub(super) struct RefreshBatches(Mutex<HashMap<RefreshRequest, Weak<Batch>>>);

/// Equal refreshes.
#[derive(Default)]
struct Batch {
    /// Set when the first refresh has waited for the others.
    gathered: OnceCell<()>,
    issued: OnceCell<IssuedTokens>,
}

impl RefreshBatches {
    /// Returns the result of one rotation to all requests that arrive before it ends. If a rotation fails, the next
    /// request rotates.
    ///
    /// If the request that waits for the others is cancelled, the next one waits. A rotation that has begun runs to its
    /// end in its own task. Otherwise a cancelled rotation could have replaced the token without a result, and the next
    /// one would count as a reuse.
    pub(super) async fn rotate_once(
        &self,
        request: &RefreshRequest,
        rotate: impl Future<Output = Result<IssuedTokens, TokenError>> + Send + 'static,
    ) -> Result<IssuedTokens, TokenError> {
        let batch = self.join(request);
        batch.gathered.get_or_init(|| sleep(GATHER_TIME)).await;
        let rotation = async move { batch.issued.get_or_try_init(|| rotate).await.cloned() };
        let ended = spawn(rotation.in_current_span()).await;
        ended.map_err(|fault| Error::from(StorageError::backend(fault)))?
    }

    fn join(&self, request: &RefreshRequest) -> Arc<Batch> {
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
