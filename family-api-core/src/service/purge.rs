//! Deletes ended keys and surplus sessions in small batches, off the request path.
//!
//! Keys that were revoked or have expired are kept for audits: for 30 days, and at most 1,000 for each user. A user has
//! at most 1,000 sessions. The sessions that expire first are deleted first.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::SignedDuration;

use crate::Timestamp;
use crate::error::Error;
use crate::id::UserId;
use crate::service::FamilyApi;
use crate::storage::StorageError;

/// The time for which a key is kept after it was revoked or has expired.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Maximum number of ended keys that are kept for one user.
const MAX_ENDED_KEYS: u32 = 1_000;

/// Maximum number of sessions of one user.
const MAX_SESSIONS: u32 = 1_000;

/// Maximum number of rows that one transaction deletes.
const BATCH_SIZE: u32 = 500;

/// The interval between searches for old rows of all users.
const SWEEP_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

/// Maximum number of pending steps. The surplus rows of a further user are purged after the user's next write.
const MAX_PENDING: usize = 65_536;

/// The pending steps of the purge.
#[derive(Debug, Default)]
pub(super) struct Purges(Mutex<Pending>);

#[derive(Debug, Default)]
struct Pending {
    steps: BTreeSet<Step>,
    /// The last step that was started.
    last: Option<Step>,
    swept_at: Option<Timestamp>,
}

/// A set of rows that is purged in batches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Keys of all users that ended before the retention time.
    OldKeys,
    /// Expired sessions of all users.
    ExpiredSessions,
    /// The ended keys of one user beyond the maximum.
    SurplusKeys(UserId),
    /// The sessions of one user beyond the maximum.
    SurplusSessions(UserId),
}

impl Purges {
    /// Adds a step, unless too many are pending.
    pub(super) fn add(&self, step: Step) {
        let mut pending = self.lock();
        if pending.steps.len() < MAX_PENDING {
            pending.steps.insert(step);
        }
    }

    /// Returns whether a step is pending. Once an hour, it adds the steps for all users.
    fn is_due(&self, now: Timestamp) -> bool {
        let mut pending = self.lock();
        // A sweep is also due if the clock was set back.
        let is_swept = pending.swept_at.is_some_and(|at| at <= now && now < at.saturating_add(SWEEP_INTERVAL));
        if !is_swept {
            pending.swept_at = Some(now);
            pending.steps.extend([Step::OldKeys, Step::ExpiredSessions]);
        }
        !pending.steps.is_empty()
    }

    /// Removes and returns the next step in round-robin order, so that a step that is added repeatedly, or that always
    /// fails, does not delay the others.
    fn pop(&self) -> Option<Step> {
        let mut pending = self.lock();
        let next = pending.last.as_ref().and_then(|last| pending.steps.range((Excluded(last), Unbounded)).next());
        let step = next.or_else(|| pending.steps.first()).cloned()?;
        pending.steps.remove(&step);
        pending.last = Some(step.clone());
        Some(step)
    }

    /// Ignores a poisoned lock: a panic cannot leave a step half added.
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FamilyApi {
    /// Returns whether there may be ended keys or surplus sessions to delete.
    ///
    /// This is true at the first call, once an hour, and after a user has created or revoked a key or opened a session.
    #[must_use]
    pub fn has_purge_due(&self) -> bool {
        self.purges.is_due(self.clock.now())
    }

    /// Deletes one batch of ended keys or surplus sessions.
    ///
    /// Ended keys (revoked or expired) are kept for 30 days, and at most 1,000 for each user. If
    /// [`FamilyApiBuilder::credentials`](crate::FamilyApiBuilder::credentials) is set, expired sessions are deleted
    /// too. If a user has more than 1,000 sessions, those that expire first are deleted.
    ///
    /// A batch has at most 500 rows in one transaction. An adapter calls this off the request path while
    /// [`has_purge_due`](Self::has_purge_due) is true, with a pause after each call, so that other writers get the
    /// lock. A batch that failed is due again.
    ///
    /// # Errors
    /// The error of the storage.
    pub async fn purge(&self) -> Result<(), Error> {
        while let Some(step) = self.purges.pop() {
            match self.delete_batch(&step).await {
                Ok(0) => {}
                Ok(deleted) if deleted < u64::from(BATCH_SIZE) => return Ok(()),
                outcome => {
                    self.purges.add(step);
                    return Ok(outcome.map(drop)?);
                }
            }
        }
        Ok(())
    }

    async fn delete_batch(&self, step: &Step) -> Result<u64, StorageError> {
        let now = self.clock.now();
        // A key with the text of an environment token is never deleted: without the key, the token would become valid.
        let excluded = self.environment.digests();
        match (step, &self.credentials) {
            (Step::OldKeys, _) => {
                self.storage.delete_ended_keys(now.saturating_add(-RETENTION), &excluded, BATCH_SIZE).await
            }
            (Step::SurplusKeys(user), _) => {
                self.storage.delete_surplus_keys(user, now, MAX_ENDED_KEYS, &excluded, BATCH_SIZE).await
            }
            (Step::ExpiredSessions, Some(credentials)) => credentials.delete_expired_sessions(now, BATCH_SIZE).await,
            (Step::SurplusSessions(user), Some(credentials)) => {
                credentials.delete_surplus_sessions(user, MAX_SESSIONS, BATCH_SIZE).await
            }
            (Step::ExpiredSessions | Step::SurplusSessions(_), None) => Ok(0),
        }
    }

    /// Schedules a purge of the user's surplus sessions. A host calls this after it has opened a session in the
    /// [`CredentialStorage`](crate::storage::CredentialStorage) of the builder. If the user now has too many sessions,
    /// the next purge deletes those that expire first.
    pub fn session_opened(&self, user: &UserId) {
        self.purges.add(Step::SurplusSessions(user.clone()));
    }
}
