//! Deletes ended keys, ended grants, expired calendar feeds, surplus sessions, old deleted records, old changes and old
//! idempotency keys in small batches, off the request path.
//!
//! Keys that were revoked or have expired are kept for audits: for 30 days, and at most 1,000 for each user. A user has
//! at most 1,000 sessions. The sessions that expire first are deleted first. Deleted records can be restored for 30
//! days, and at most 5,000 records and 8 MiB of each kind in a family. The log of changes has at most 30 days, and about
//! 20,000 rows of a family. Idempotency keys are kept for 24 hours, and at most 5,000 of each user.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::SignedDuration;

use crate::Timestamp;
use crate::access::Member;
use crate::change::Editable;
use crate::id::{FamilyId, UserId};
use crate::resource::RecordKind;
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;
use crate::storage::{DELETED_RECORD_RETENTION, DeletedRecordLimit, IDEMPOTENCY_RETENTION, StorageError};

/// The time for which a key is kept after it was revoked or has expired.
const KEY_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The time for which a grant is kept after it ended. A consent form, which is valid for ten minutes, is recognised as
/// used for this time.
const GRANT_RETENTION: SignedDuration = SignedDuration::from_hours(1);

/// The time for which a grant is kept, and listed, after it ended because of a misuse.
pub(super) const MISUSE_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Maximum number of ended keys that are kept for one user.
const MAX_ENDED_KEYS: u32 = 1_000;

/// Maximum number of sessions of one user.
const MAX_SESSIONS: u32 = 1_000;

/// The deleted records of one kind in one family. A token that may delete records of one kind cannot make the deletions
/// of another kind permanent.
const DELETED_RECORD_LIMIT: DeletedRecordLimit = DeletedRecordLimit { records: 5_000, bytes: 8 * 1024 * 1024 };

/// The time for which a change is in the log.
const CHANGE_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Maximum number of rows in the log of one family, up to those of the writes between two searches.
const MAX_CHANGES: u32 = 20_000;

/// Maximum number of idempotency keys of one user. No user can delete the keys of another user.
const MAX_IDEMPOTENCY_KEYS: u32 = 5_000;

/// The number of rows that are added for a step before the surplus is searched. A search after each row would double
/// the number of statements of a creation.
const ROWS_PER_SEARCH: u32 = 1_000;

/// A long deleted record counts as one more row for each of these bytes. So the surplus is searched after at most 1 MiB.
const BYTES_PER_ROW: usize = 1_024;

/// Maximum number of rows that one transaction deletes. Changes of the same write are deleted together.
const BATCH_SIZE: u32 = 500;

/// The interval between searches for old rows of all users.
const SWEEP_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

/// Maximum number of pending steps. When it is reached, a new step is dropped. The user's next write adds the step
/// again.
const MAX_PENDING: usize = 65_536;

/// The pending steps of the purge.
#[derive(Debug, Default)]
pub(super) struct PurgeQueue(Mutex<Pending>);

#[derive(Debug, Default)]
struct Pending {
    steps: BTreeSet<PurgeStep>,
    /// The last step that was started.
    last: Option<PurgeStep>,
    /// When the steps for all users were last added.
    swept_at: Option<Timestamp>,
    /// The rows that were added on this node since the last search, for each step.
    added: BTreeMap<PurgeStep, u32>,
}

/// A set of rows that is purged in batches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PurgeStep {
    /// Keys of all users that ended before the retention time.
    EndedKeys,
    /// Grants of all users that ended before the retention time.
    EndedGrants,
    /// Expired calendar feeds of all users.
    ExpiredFeeds,
    /// Expired sessions of all users.
    ExpiredSessions,
    /// Deleted records of all families that were deleted before the retention time.
    OldDeleted,
    /// Changes in the logs of all families before the retention time.
    OldChanges,
    /// Idempotency keys of all families that were used before the retention time.
    OldIdempotencyKeys,
    /// The ended keys of one user beyond the maximum.
    SurplusKeys(UserId),
    /// The sessions of one user beyond the maximum.
    SurplusSessions(UserId),
    /// The deleted records of one kind in one family beyond the limit.
    SurplusDeleted(FamilyId, RecordKind),
    /// The changes in the log of one family beyond the maximum.
    SurplusChanges(FamilyId),
    /// The idempotency keys of one user in a family beyond the maximum.
    SurplusIdempotencyKeys(FamilyId, UserId),
}

impl PurgeQueue {
    /// Adds a step, unless too many are pending.
    fn add(&self, step: PurgeStep) {
        let mut pending = self.lock();
        if pending.steps.len() < MAX_PENDING {
            pending.steps.insert(step);
        }
    }

    /// Counts rows that were added. Adds the step after each [`ROWS_PER_SEARCH`] rows. Returns whether it was added.
    fn count(&self, step: PurgeStep, rows: u32) -> bool {
        let mut pending = self.lock();
        if pending.added.len() >= MAX_PENDING && !pending.added.contains_key(&step) {
            pending.added.clear();
        }
        let added = pending.added.entry(step.clone()).or_default();
        *added = added.saturating_add(rows);
        let is_due = *added >= ROWS_PER_SEARCH;
        if is_due {
            pending.added.remove(&step);
            drop(pending);
            self.add(step);
        }
        is_due
    }

    /// Returns whether a step is pending. Once an hour, it adds the steps for all users.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        let mut pending = self.lock();
        // Another thread can have read the clock later, and swept first. If the clock was set back by more than that, a
        // sweep is due.
        let is_near =
            |at: Timestamp| now < at.saturating_add(SWEEP_INTERVAL) && at < now.saturating_add(SWEEP_INTERVAL);
        if !pending.swept_at.is_some_and(is_near) {
            pending.swept_at = Some(now);
            pending.steps.extend([
                PurgeStep::EndedKeys,
                PurgeStep::EndedGrants,
                PurgeStep::ExpiredFeeds,
                PurgeStep::ExpiredSessions,
                PurgeStep::OldDeleted,
                PurgeStep::OldChanges,
                PurgeStep::OldIdempotencyKeys,
            ]);
        }
        !pending.steps.is_empty()
    }

    /// Removes and returns the next step in round-robin order, so that a step that is added repeatedly, or that always
    /// fails, does not delay the others.
    fn pop(&self) -> Option<PurgeStep> {
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
    /// Deletes one batch in one transaction: at most 500 rows, and the other changes of their writes. A batch that failed is due again.
    pub(super) async fn purge(&self) -> Result<(), StorageError> {
        while let Some(step) = self.purges.pop() {
            match self.delete_batch(&step).await {
                Ok(0) => {}
                Ok(deleted) if deleted < u64::from(BATCH_SIZE) => return Ok(()),
                outcome => {
                    self.purges.add(step);
                    return outcome.map(drop);
                }
            }
        }
        Ok(())
    }

    /// Schedules a purge of the user's surplus sessions. A host calls this after it has opened a session in the
    /// [`CredentialStorage`](crate::storage::CredentialStorage) of the builder. If the user now has too many sessions,
    /// the sessions that expire first are deleted in the background.
    pub fn session_opened(&self, user: &UserId) {
        self.schedule_purge(PurgeStep::SurplusSessions(user.clone()));
    }

    pub(super) fn schedule_purge(&self, step: PurgeStep) {
        self.purges.add(step);
        self.schedule_background(self.clock.now());
    }

    /// Counts rows that were added, and schedules the purge of the surplus after many rows.
    pub(super) fn count_for_purge(&self, step: PurgeStep, rows: u32) {
        if self.purges.count(step, rows) {
            self.schedule_background(self.clock.now());
        }
    }

    /// Counts a deleted record for the purge.
    pub(super) fn count_deleted<R: Editable>(&self, family: &FamilyId, record: &R) {
        // Serialization of a record that was read from JSON does not fail.
        let bytes = serde_json::to_vec(record).map_or(0, |json| json.len());
        let rows = u32::try_from(1 + bytes / BYTES_PER_ROW).unwrap_or(u32::MAX);
        self.count_for_purge(PurgeStep::SurplusDeleted(family.clone(), R::KIND), rows);
    }

    async fn delete_batch(&self, step: &PurgeStep) -> Result<u64, StorageError> {
        let now = self.clock.now();
        // A key with the text of an environment token is never deleted: without the key, the token would become valid.
        let excluded = self.environment.digests();
        match (step, &self.credentials) {
            (PurgeStep::EndedKeys, _) => {
                self.storage
                    .delete_ended_keys(now.saturating_add(-KEY_RETENTION), &excluded, BATCH_SIZE)
                    .traced("delete_ended_keys")
                    .await
            }
            (PurgeStep::SurplusKeys(user), _) => {
                self.storage
                    .delete_surplus_keys(user, now, MAX_ENDED_KEYS, &excluded, BATCH_SIZE)
                    .traced("delete_surplus_keys")
                    .await
            }
            (PurgeStep::EndedGrants, _) => match &self.grants {
                Some(grants) => {
                    let [until, misused_until] =
                        [GRANT_RETENTION, MISUSE_RETENTION].map(|time| now.saturating_add(-time));
                    grants.delete_ended(until, misused_until, BATCH_SIZE).await
                }
                None => Ok(0),
            },
            (PurgeStep::ExpiredFeeds, _) => match &self.feeds {
                Some(feeds) => feeds.storage.delete_expired_feeds(now, BATCH_SIZE).traced("delete_expired_feeds").await,
                None => Ok(0),
            },
            (PurgeStep::ExpiredSessions, Some(credentials)) => {
                credentials.delete_expired_sessions(now, BATCH_SIZE).traced("delete_expired_sessions").await
            }
            (PurgeStep::SurplusSessions(user), Some(credentials)) => {
                credentials
                    .delete_surplus_sessions(user, MAX_SESSIONS, BATCH_SIZE)
                    .traced("delete_surplus_sessions")
                    .await
            }
            (PurgeStep::ExpiredSessions | PurgeStep::SurplusSessions(_), None) => Ok(0),
            (PurgeStep::OldDeleted, _) => {
                let until = now.saturating_add(-DELETED_RECORD_RETENTION);
                self.storage.forget_old_deleted(until, BATCH_SIZE).traced("forget_old_deleted").await
            }
            (PurgeStep::SurplusDeleted(family, kind), _) => {
                self.storage
                    .forget_surplus_deleted(family, *kind, DELETED_RECORD_LIMIT, BATCH_SIZE)
                    .traced("forget_surplus_deleted")
                    .await
            }
            (PurgeStep::OldChanges, _) => {
                let until = now.saturating_add(-CHANGE_RETENTION);
                self.storage.delete_old_changes(until, BATCH_SIZE).traced("delete_old_changes").await
            }
            (PurgeStep::SurplusChanges(family), _) => {
                self.storage
                    .delete_surplus_changes(family, MAX_CHANGES, BATCH_SIZE)
                    .traced("delete_surplus_changes")
                    .await
            }
            (PurgeStep::OldIdempotencyKeys, _) => {
                let until = now.saturating_add(-IDEMPOTENCY_RETENTION);
                self.storage.delete_old_idempotency_keys(until, BATCH_SIZE).traced("delete_old_idempotency_keys").await
            }
            (PurgeStep::SurplusIdempotencyKeys(family, user), _) => {
                let member = Member { user: user.clone(), family: family.clone() };
                self.storage
                    .delete_surplus_idempotency_keys(&member, MAX_IDEMPOTENCY_KEYS, BATCH_SIZE)
                    .traced("delete_surplus_idempotency_keys")
                    .await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surplus_of_a_kind_is_searched_after_1000_rows() {
        let queue = PurgeQueue::default();
        let step = |family: &str| PurgeStep::SurplusDeleted(family.parse().unwrap(), RecordKind::Task);
        assert!(!queue.count(step("f"), 999) && queue.pop().is_none());
        assert!(!queue.count(step("g"), 1) && queue.pop().is_none());
        let items = PurgeStep::SurplusDeleted("f".parse().unwrap(), RecordKind::ShoppingItem);
        assert!(!queue.count(items, 1) && queue.pop().is_none());
        assert!(queue.count(step("f"), 1));
        assert_eq!((queue.pop(), queue.pop()), (Some(step("f")), None));
        assert!(!queue.count(step("f"), 999));
        assert!(queue.count(step("f"), u32::MAX));
    }

    #[test]
    fn a_thread_that_has_read_the_clock_earlier_does_not_sweep_again() {
        let queue = PurgeQueue::default();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert!(queue.is_due(at("2026-11-20T10:15:30.001Z")));
        while queue.pop().is_some() {}
        assert!(!queue.is_due(at("2026-11-20T10:15:30Z")));
        assert!(queue.is_due(at("2026-11-20T09:15:30Z")));
    }

    #[test]
    fn rows_are_counted_for_a_limited_number_of_families() {
        let queue = PurgeQueue::default();
        let step = |n: usize| PurgeStep::SurplusDeleted(format!("f{n}").parse().unwrap(), RecordKind::Task);
        for n in 0..=MAX_PENDING {
            assert!(!queue.count(step(n), 999));
        }
        assert!(queue.lock().added.len() <= MAX_PENDING);
        assert!(queue.count(step(MAX_PENDING), 1));
    }
}
