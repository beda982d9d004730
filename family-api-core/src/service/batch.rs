//! Batches: requests with several writes (HTTP reference, "Batches").

use std::time::Duration;

use crate::access::{Caller, Refusal};
use crate::error::Error;
use crate::id::FamilyId;
use crate::key::Scope;
use crate::limit::RateLimitStatus;
use crate::service::FamilyApi;
use crate::service::running::Running;

/// How long a client waits before it repeats a batch that found another batch of its family running.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A handle for batches of a family.
///
/// A batch has no writes of its own: an adapter makes each with [`FamilyApi::records`], which checks the permission for
/// it.
#[derive(Debug)]
pub struct BatchService<'a> {
    api: &'a FamilyApi,
    family: FamilyId,
}

/// A batch that is running. It ends on drop.
#[derive(Debug)]
pub struct RunningBatch<'a>(#[expect(dead_code, reason = "its drop ends the batch")] Running<'a, FamilyId>);

impl FamilyApi {
    /// Returns a handle for batches. Checks only what every batch needs, so that an adapter can refuse a request before
    /// it reads the body.
    ///
    /// # Errors
    /// - [`Error::InsufficientScope`] if a token lacks `v1.read`.
    /// - [`Error::NotFound`] if the user of a session has no family.
    pub fn batches(&self, caller: &Caller) -> Result<BatchService<'_>, Error> {
        self.allow(caller, caller.require(&Scope::V1Read))?;
        Ok(BatchService { api: self, family: caller.member()?.family })
    }

    /// Counts a further request against the rate limit of the caller's token. [`admit`](Self::admit) has counted the
    /// first write of a batch. Sends a refusal to the audit sink.
    ///
    /// Returns `None` if the requests are not limited.
    #[must_use]
    pub fn count_request(&self, caller: &Caller) -> Option<RateLimitStatus> {
        let (limiter, token) = self.request_limiter.as_ref().zip(caller.token())?;
        let status = limiter.check(token, self.clock.monotonic());
        if let Some(retry_after) = status.retry_after() {
            self.refuse_caller(caller, Refusal::RateLimited { retry_after });
        }
        Some(status)
    }
}

impl BatchService<'_> {
    /// Begins a batch. A family has one at a time on each node, so that the batches of one family cannot take the
    /// places of requests that other families need.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if another batch of the family is running.
    pub fn begin(&self) -> Result<RunningBatch<'_>, Error> {
        let running = self.api.running_batches.begin(self.family.clone());
        running.map(RunningBatch).ok_or(Error::RateLimited { retry_after: RETRY_AFTER })
    }
}
