//! Deletes ended keys and surplus sessions in small batches, off the request path.
//!
//! KeyService that were revoked or have expired stay for the audit: for 30 days, and at most 1,000 a user. A user has at most
//! 1,000 sessions; those that expire first are ended first.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::SignedDuration;

use crate::Timestamp;
use crate::error::Error;
use crate::id::UserId;
use crate::service::FamilyApi;
use crate::storage::StorageError;

/// How long a key is kept after it was revoked or has expired.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The maximum number of ended keys that are kept for one user.
const MAX_ENDED_KEYS: u32 = 1_000;

/// The maximum number of sessions of one user.
const MAX_SESSIONS: u32 = 1_000;

/// The maximum number of rows that one transaction deletes.
const BATCH: u32 = 500;

/// How often the rows of all users are searched for old ones.
const SWEEP_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

/// The maximum number of users that wait for a purge. The rows of further users wait for the next write of theirs.
const MAX_PENDING: usize = 65_536;

/// What is left to purge.
#[derive(Debug, Default)]
pub(super) struct Purges(Mutex<Pending>);

#[derive(Debug, Default)]
struct Pending {
    steps: BTreeSet<Step>,
    /// The step that was taken last.
    taken: Option<Step>,
    swept_at: Option<Timestamp>,
}

/// Rows that are purged together, batch by batch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// KeyService of all users that ended long ago.
    OldKeys,
    /// Expired sessions of all users.
    ExpiredSessions,
    /// The ended keys that one user has too many.
    SurplusKeys(UserId),
    /// The sessions that one user has too many.
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

    /// Whether a step is pending; once an hour, those of all users become so.
    fn is_due(&self, now: Timestamp) -> bool {
        let mut pending = self.lock();
        // A clock that was set back makes a sweep due too.
        let is_swept = pending.swept_at.is_some_and(|at| at <= now && now < at.saturating_add(SWEEP_INTERVAL));
        if !is_swept {
            pending.swept_at = Some(now);
            pending.steps.extend([Step::OldKeys, Step::ExpiredSessions]);
        }
        !pending.steps.is_empty()
    }

    /// Takes the next step in turn: one that is added again and again, or that always fails, does not delay the others.
    fn take(&self) -> Option<Step> {
        let mut pending = self.lock();
        let next = pending.taken.as_ref().and_then(|taken| pending.steps.range((Excluded(taken), Unbounded)).next());
        let step = next.or_else(|| pending.steps.first()).cloned()?;
        pending.steps.remove(&step);
        pending.taken = Some(step.clone());
        Some(step)
    }

    /// A panic leaves each step pending or not.
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FamilyApi {
    /// Whether ended keys or surplus sessions may be there to be deleted.
    ///
    /// True for the first call, once an hour, and after a user has created or revoked a key or opened a session.
    #[must_use]
    pub fn has_purge_due(&self) -> bool {
        self.purges.is_due(self.clock.now())
    }

    /// Deletes one batch of ended keys or surplus sessions.
    ///
    /// Ended keys (revoked, or expired) are kept for 30 days, at most 1,000 of each user. With
    /// [`FamilyApiBuilder::credentials`](crate::FamilyApiBuilder::credentials), expired sessions are deleted too, and
    /// those beyond the 1,000 of one user that expire last.
    ///
    /// A batch is at most 500 rows in one transaction. An adapter calls this off the request path while
    /// [`has_purge_due`](Self::has_purge_due), with a pause after each call in which other writers get their turn. A batch
    /// that failed is due again.
    ///
    /// # Errors
    /// The storage's fault.
    pub async fn purge(&self) -> Result<(), Error> {
        while let Some(step) = self.purges.take() {
            match self.delete_batch(&step).await {
                Ok(0) => {}
                Ok(deleted) if deleted < u64::from(BATCH) => return Ok(()),
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
        // The database must go on refusing these, also if the environment names the same text.
        let spared = self.environment.digests();
        match (step, &self.credentials) {
            (Step::OldKeys, _) => self.storage.delete_ended_keys(now.saturating_add(-KEPT_FOR), &spared, BATCH).await,
            (Step::SurplusKeys(user), _) => {
                self.storage.delete_surplus_keys(user, now, MAX_ENDED_KEYS, &spared, BATCH).await
            }
            (Step::ExpiredSessions, Some(credentials)) => credentials.delete_expired_sessions(now, BATCH).await,
            (Step::SurplusSessions(user), Some(credentials)) => {
                credentials.delete_surplus_sessions(user, MAX_SESSIONS, BATCH).await
            }
            (Step::ExpiredSessions | Step::SurplusSessions(_), None) => Ok(0),
        }
    }

    /// NoteService that a host opened a session in the [`Credentials`](crate::storage::CredentialStorage) that were given to the
    /// builder: if its user now has too many, the next purge ends those that expire first.
    pub fn session_opened(&self, user: &UserId) {
        self.purges.add(Step::SurplusSessions(user.clone()));
    }
}
