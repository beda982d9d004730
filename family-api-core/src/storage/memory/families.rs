//! Family data: loading and changing the rows.

use std::cmp::Reverse;

use async_trait::async_trait;

use crate::id::FamilyId;
use crate::resource::{RecordKind, ResourceKind, Revision};
use crate::storage::memory::MemoryStorage;
use crate::storage::memory::state::{Family, State};
use crate::storage::{
    Author, Capabilities, DecideFn, DeletedRecord, FamilyData, FamilyStore, FamilyWrite, IdempotentAnswer, Member,
    StorageError,
};
use crate::timestamp::Timestamp;

impl Family {
    fn rows(&self) -> FamilyData {
        FamilyData { revision: Some(Revision::new(self.revision)), ..self.data.clone() }
    }
}

#[async_trait]
impl FamilyStore for MemoryStorage {
    fn capabilities(&self) -> Capabilities {
        Capabilities::all()
    }

    async fn load(&self, member: &Member, _: ResourceKind) -> Result<FamilyData, StorageError> {
        let state = &self.lock()?.state;
        let family = state.families.get(&member.family);
        Ok(family.map(Family::rows).unwrap_or_default())
    }

    async fn change(
        &self,
        author: &Author,
        _: ResourceKind,
        now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let credential = state.find_credential(author, now);
        let Some(family) = state.families.get_mut(&author.member.family) else {
            decide(credential, &FamilyData::default());
            return Ok(());
        };
        let writes = decide(credential, &family.data);
        family.revision += i64::from(!writes.is_empty());
        writes.into_iter().for_each(|write| family.data.apply(write));
        Ok(())
    }

    async fn delete_old_records(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let is_old = |deleted: &&DeletedRecord| deleted.deleted_at <= until;
        let old = state.families.iter().flat_map(|(family, stored)| {
            stored.data.deleted.iter().filter(is_old).map(|deleted| (family.clone(), deleted.kind, deleted.id.clone()))
        });
        let old: Vec<_> = old.take(limit as usize).collect();
        for (family, kind, id) in &old {
            state.forget_deleted(family, *kind, id);
        }
        Ok(old.len() as u64)
    }

    async fn delete_surplus_records(&self, family: &FamilyId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(stored) = state.families.get(family) else {
            return Ok(0);
        };
        let mut deleted: Vec<_> = stored.data.deleted.iter().collect();
        deleted.sort_by_key(|deleted| Reverse((deleted.deleted_at, deleted.kind.as_str(), &deleted.id)));
        let surplus = deleted.into_iter().skip(keep as usize).take(limit as usize);
        let surplus: Vec<_> = surplus.map(|deleted| (deleted.kind, deleted.id.clone())).collect();
        for (kind, id) in &surplus {
            state.forget_deleted(family, *kind, id);
        }
        Ok(surplus.len() as u64)
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let mut left = limit;
        for family in state.families.values_mut() {
            family.data.answers.retain(|answer| {
                let is_deleted = left > 0 && answer.created_at <= until;
                left -= u32::from(is_deleted);
                !is_deleted
            });
        }
        Ok(u64::from(limit - left))
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        family: &FamilyId,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(stored) = state.families.get_mut(family) else {
            return Ok(0);
        };
        let answers = &mut stored.data.answers;
        let newest_first =
            |answer: &IdempotentAnswer| Reverse((answer.created_at, answer.user_id.clone(), answer.key.clone()));
        answers.sort_by_cached_key(newest_first);
        let surplus = (keep as usize).min(answers.len())..(keep as usize + limit as usize).min(answers.len());
        Ok(answers.drain(surplus).count() as u64)
    }
}

impl State {
    /// Removes a deleted record for ever.
    fn forget_deleted(&mut self, family: &FamilyId, kind: RecordKind, id: &str) {
        if let Some(stored) = self.families.get_mut(family) {
            stored.data.apply(FamilyWrite::ForgetDeleted(kind, id.to_owned()));
        }
    }
}
