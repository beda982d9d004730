//! Family data: loading and changing the rows.

use async_trait::async_trait;

use crate::MemoryStorage;
use crate::state::Family;
use family_api_core::Timestamp;
use family_api_core::access::Member;
use family_api_core::id::FamilyId;
use family_api_core::resource::{RecordKind, Revision};
use family_api_core::storage::{
    Capabilities, Change, DeletedRecord, DeletedRecordLimit, FamilyData, FamilyStore, FamilyWrite, Needs, StorageError,
};

impl Family {
    fn rows(&self, needs: &Needs) -> FamilyData {
        let changes = if needs.changes() { self.log.clone() } else { Vec::new() };
        FamilyData { revision: Some(self.revision()), changes, ..self.data.clone() }
    }

    /// Deletes the first `count` changes of the log, and the other changes of their transactions. Returns their number.
    fn forget_changes(&mut self, count: usize) -> usize {
        let last = count.checked_sub(1).and_then(|last| self.log.get(last)).map(|change| change.revision.get());
        let before = self.log.len();
        self.log.retain(|change| last.is_none_or(|last| change.revision.get() > last));
        before - self.log.len()
    }

    fn revision(&self) -> Revision {
        Revision::new(self.revision)
    }
}

#[async_trait]
impl FamilyStore for MemoryStorage {
    fn capabilities(&self) -> Capabilities {
        Capabilities::all().with_changes()
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        let state = &self.lock()?.state;
        let user = state.users.get(&member.user);
        let family = user.and_then(|user| user.family_id.as_ref()).filter(|family| **family == member.family);
        let family = family.and_then(|family| state.families.get(family));
        Ok(family.map(|family| family.rows(needs)).unwrap_or_default())
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let credential = state.find_credential(change.author, change.now);
        let Some(family) = state.families.get_mut(&change.author.member.family) else {
            (change.decide)(credential, &FamilyData::default());
            return Ok(());
        };
        family.data.revision = Some(family.revision());
        let writes = (change.decide)(credential, &family.data);
        family.revision += i64::from(!writes.is_empty());
        for write in writes {
            match write {
                FamilyWrite::Log(change) => family.log.push(change),
                write => family.data.apply(write),
            }
        }
        Ok(())
    }

    async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let families = &mut self.lock_to_write()?.state.families;
        let deleted = families.values_mut().map(|family| &mut family.data.deleted);
        Ok(remove_old(deleted, |deleted| deleted.deleted_at <= until, limit))
    }

    async fn forget_surplus_deleted(
        &self,
        family: &FamilyId,
        kind: RecordKind,
        keep: DeletedRecordLimit,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(stored) = state.families.get_mut(family) else {
            return Ok(0);
        };
        let deleted = &mut stored.data.deleted;
        deleted.sort_by_cached_key(|record| (record.deleted_at, record.id.clone()));
        // Counts from the end, because the last records are kept.
        let mut bytes = 0;
        let of_kind = deleted.iter().rev().filter(|record| record.kind == kind);
        let is_within = |record: &&DeletedRecord| {
            bytes += record.record.len() as u64;
            bytes <= keep.bytes
        };
        let kept = of_kind.take(keep.records as usize).take_while(is_within).count();
        Ok(remove_surplus(deleted, |record| record.kind == kind, kept, limit))
    }

    async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let families = &mut self.lock_to_write()?.state.families;
        let mut deleted = 0;
        for family in families.values_mut() {
            let old = family.log.iter().take_while(|change| change.changed_at <= until).count();
            deleted += family.forget_changes(old.min((limit as usize).saturating_sub(deleted)));
        }
        Ok(deleted as u64)
    }

    async fn delete_surplus_changes(&self, family: &FamilyId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        Ok(state.families.get_mut(family).map_or(0, |family| {
            let surplus = family.log.len().saturating_sub(keep as usize);
            family.forget_changes(surplus.min(limit as usize)) as u64
        }))
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let families = &mut self.lock_to_write()?.state.families;
        let answers = families.values_mut().map(|family| &mut family.data.answers);
        Ok(remove_old(answers, |answer| answer.created_at <= until, limit))
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(stored) = state.families.get_mut(&member.family) else {
            return Ok(0);
        };
        let answers = &mut stored.data.answers;
        answers.sort_by_cached_key(|answer| (answer.created_at, answer.key.clone()));
        Ok(remove_surplus(answers, |answer| answer.user_id == member.user, keep as usize, limit))
    }
}

/// Removes old rows of every family, at most `limit`. Returns their number.
fn remove_old<'a, T: 'a>(
    families: impl Iterator<Item = &'a mut Vec<T>>,
    is_old: impl Fn(&T) -> bool,
    limit: u32,
) -> u64 {
    let mut left = limit;
    for rows in families {
        rows.retain(|row| {
            let is_removed = left > 0 && is_old(row);
            left -= u32::from(is_removed);
            !is_removed
        });
    }
    u64::from(limit - left)
}

/// Removes the first rows that count, at most `limit`, and keeps at least the last `keep` of them. Returns the number of
/// removed rows.
fn remove_surplus<T>(rows: &mut Vec<T>, counts: impl Fn(&T) -> bool, keep: usize, limit: u32) -> u64 {
    let surplus = rows.iter().filter(|row| counts(row)).count().saturating_sub(keep).min(limit as usize);
    rows.extract_if(.., |row| counts(row)).take(surplus).count() as u64
}
