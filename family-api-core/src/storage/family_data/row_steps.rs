//! The steps of a write on the rows of a family. They collect the writes that the host must make.

use crate::Timestamp;
use crate::id::{Id, ListId, UserId};
use crate::resource::{RecordKind, Revision, ShoppingItem, ShoppingList, Verb};
use crate::storage::family_data::RowKind;
use crate::storage::write_sequence::{CheckedItemSteps, Growth, MAX_CHECKED_ITEMS, Target, WriteSteps};
use crate::storage::{
    Audience, Capabilities, DeletedRecord, FamilyData, FamilyWrite, IdempotentAnswer, LoggedChange, StorageError,
};

/// A write in progress. None of its steps waits.
pub(super) struct RowSteps<'a> {
    pub(super) data: &'a FamilyData,
    pub(super) user: &'a UserId,
    pub(super) capabilities: &'a Capabilities,
    pub(super) writes: Vec<FamilyWrite>,
    /// The changes that the log gets. `None` if the store keeps none, or if the log does not get all changes of the write.
    pub(super) log: Option<Log>,
}

/// The rows of the log for a transaction.
pub(super) struct Log {
    since: Revision,
    now: Timestamp,
    next_ordinal: u32,
}

impl Log {
    /// Returns `None` if the store keeps no changes.
    pub(super) fn of(data: &FamilyData, capabilities: &Capabilities, now: Timestamp) -> Option<Self> {
        let since = data.revision.filter(|_| capabilities.keeps_changes())?;
        Some(Self { since, now, next_ordinal: 0 })
    }
}

impl RowSteps<'_> {
    /// Adds a row to the log: who saw the record before the change, and who sees it after it.
    fn add_to_log(&mut self, kind: RecordKind, id: &str, seen: [Option<Audience>; 2]) {
        let [seen_before, seen_after] = seen;
        if let Some(log) = &mut self.log {
            let change = LoggedChange {
                since: log.since,
                revision: log.since.next(),
                ordinal: log.next_ordinal,
                kind,
                id: id.to_owned(),
                seen_before,
                seen_after,
                changed_at: log.now,
            };
            log.next_ordinal += 1;
            self.writes.push(FamilyWrite::Log(change));
        }
    }
}

impl<R: RowKind> WriteSteps<R> for RowSteps<'_> {
    async fn assign_id(&mut self, proposed: &R::Id) -> Result<R::Id, StorageError> {
        let assigned = self.data.new_id.as_ref();
        assigned.map_or_else(|| Ok(proposed.clone()), |id| id.parse().map_err(StorageError::corrupt))
    }

    fn kept(&self, write: R::Write) -> Result<R::Write, StorageError> {
        if self.capabilities.keeps_every_field(R::KIND) {
            return Ok(write);
        }
        let mut record = serde_json::to_value(R::output(write.clone())).map_err(StorageError::backend)?;
        self.capabilities.clear_lost_fields(R::KIND, &mut record);
        let record = serde_json::from_value(record).map_err(StorageError::backend)?;
        Ok(R::map_record(write, |_| record))
    }

    async fn keep_answer(
        &mut self,
        answer: IdempotentAnswer,
        since: Timestamp,
    ) -> Result<Option<IdempotentAnswer>, StorageError> {
        let is_earlier = |earlier: &&IdempotentAnswer| {
            (&earlier.user_id, &earlier.key) == (&answer.user_id, &answer.key) && earlier.created_at > since
        };
        let earlier = self.data.answers.iter().find(is_earlier).cloned();
        if earlier.is_none() {
            self.writes.push(FamilyWrite::KeepAnswer(answer));
        }
        Ok(earlier)
    }

    async fn find_facts(&mut self, target: Target<'_, R>, now: Timestamp) -> Result<Option<R::Facts>, StorageError> {
        Ok(self.data.find_facts(self.user, &target, now))
    }

    async fn has_room(&mut self, growth: Growth, max: u32) -> Result<bool, StorageError> {
        let counted: u64 = R::rows(self.data).iter().map(|record| 1 + u64::from(record.blocks())).sum();
        Ok(counted + u64::from(growth.counted()) <= u64::from(max))
    }

    /// Does nothing: each write counts the rows.
    async fn release_blocks(&mut self, _: u32) -> Result<(), StorageError> {
        Ok(())
    }

    async fn insert(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        let record = R::output(write.clone());
        if R::rows(self.data).iter().any(|stored| stored.id() == record.id()) {
            return Ok(false);
        }
        self.writes.push(R::family_write(write.clone()));
        Ok(true)
    }

    async fn update(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        let shifted = R::shifted(self.data, write);
        if shifted.is_none() {
            self.log = None;
        }
        for record in shifted.unwrap_or_default() {
            let seen = record.audience(self.data);
            self.add_to_log(R::KIND, record.id().text(), [Some(seen.clone()), Some(seen)]);
        }
        self.writes.push(R::family_write(write.clone()));
        Ok(true)
    }

    async fn delete(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let record = self.data.find_visible::<R>(self.user, id);
        if record.is_none_or(|record| record.is_filled(self.data)) {
            return Ok(false);
        }
        self.writes.push(FamilyWrite::Delete(R::KIND, id.text().to_owned()));
        Ok(true)
    }

    async fn find_deleted(&mut self, id: &R::Id, since: Timestamp) -> Result<Option<String>, StorageError> {
        let is_found = |deleted: &&DeletedRecord| {
            (deleted.kind, deleted.id.as_str()) == (R::KIND, id.text()) && deleted.deleted_at > since
        };
        Ok(self.data.deleted.iter().find(is_found).map(|deleted| deleted.record.clone()))
    }

    async fn keep_deleted(&mut self, deleted: DeletedRecord) -> Result<(), StorageError> {
        if self.capabilities.supports(R::KIND, Verb::Restore) {
            self.writes.push(FamilyWrite::KeepDeleted(deleted));
        }
        Ok(())
    }

    async fn log(&mut self, id: &R::Id, after: Option<&R>, is_new: bool, _: Timestamp) -> Result<(), StorageError> {
        let mut stored = R::rows(self.data).iter().filter(|_| !is_new);
        let before = stored.find(|record| record.id() == id);
        let seen = [before, after].map(|record| record.map(|record| record.audience(self.data)));
        self.add_to_log(R::KIND, id.text(), seen);
        Ok(())
    }

    async fn forget_deleted(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        self.writes.push(FamilyWrite::ForgetDeleted(R::KIND, id.text().to_owned()));
        Ok(true)
    }
}

impl CheckedItemSteps for RowSteps<'_> {
    async fn find_checked_items(&mut self, list: &ListId) -> Result<Option<Vec<ShoppingItem>>, StorageError> {
        if self.data.find_visible::<ShoppingList>(self.user, list).is_none() {
            return Ok(None);
        }
        let is_found =
            |item: &&ShoppingItem| item.list_id == *list && item.checked && item.is_visible(self.data, self.user);
        let mut items: Vec<_> = self.data.items.iter().filter(is_found).collect();
        items.sort_by_key(|item| (item.created_at, &item.id));
        Ok(Some(items.into_iter().take(MAX_CHECKED_ITEMS as usize).cloned().collect()))
    }

    async fn delete_items(&mut self, items: Vec<DeletedRecord>, _blocks: u32) -> Result<(), StorageError> {
        for item in items {
            self.writes.push(FamilyWrite::Delete(item.kind, item.id.clone()));
            let stored = self.data.items.iter().find(|stored| stored.id.as_str() == item.id);
            let seen = stored.map(|stored| stored.audience(self.data));
            self.add_to_log(item.kind, &item.id, [seen, None]);
            WriteSteps::<ShoppingItem>::keep_deleted(self, item).await?;
        }
        Ok(())
    }
}
