//! Family data: loading and changing the rows.

use async_trait::async_trait;

use crate::resource::{ResourceKind, Revision};
use crate::storage::memory::MemoryStorage;
use crate::storage::memory::state::Family;
use crate::storage::{Author, DecideFn, FamilyData, FamilyStore, FamilyWrite, Member, StorageError};
use crate::timestamp::Timestamp;

impl Family {
    fn rows(&self) -> FamilyData {
        FamilyData { revision: Some(Revision::new(self.revision)), ..self.data.clone() }
    }
}

#[async_trait]
impl FamilyStore for MemoryStorage {
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
        if let Some(write) = decide(credential, &family.data) {
            if let FamilyWrite::DeleteNote(note) = &write {
                state.records.remove(&("note", author.member.family.to_string(), note.to_string()));
            }
            family.data.apply(write);
            family.revision += 1;
        }
        Ok(())
    }
}
