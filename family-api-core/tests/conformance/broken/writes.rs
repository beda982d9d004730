//! Writes with flaws: first the flaws of credentials and preconditions, then the flaws in the modules `tasks`, `notes`,
//! and `records`.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::change::Editable;
use family_api_core::id::{FamilyId, ItemId, ListId};
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::{
    Author, Capabilities, DeletedRecordLimit, Member, Operation, RecordWrite, StorageError, WriteStorage, Written,
};

use crate::broken::authors::WriteKind;
use crate::broken::notes::NoteWriter;
use crate::broken::preconditions::FlawedPrecondition;
use crate::broken::tasks::TaskWriter;
use crate::broken::{BrokenStorage, Flaw, later};

impl BrokenStorage {
    /// Returns whether the flaw concerns writes of every kind of record.
    fn has_flaw_of_every_kind(&self) -> bool {
        self.flaw.is_none_or(Flaw::concerns_every_kind)
    }
}

/// Writes records of a kind without flaws of its own.
macro_rules! write_records {
    ($($method:ident: $Record:ident),+ $(,)?) => {$(
        fn $method<'s, 'a, 'w, 'f>(
            &'s self,
            author: &'a Author,
            write: &'w RecordWrite<$Record>,
        ) -> std::pin::Pin<Box<dyn Future<Output = Result<Written<$Record>, StorageError>> + Send + 'f>>
        where
            's: 'f,
            'a: 'f,
            'w: 'f,
            Self: 'f,
        {
            Box::pin(self.write_record(author, write))
        }
    )+};
}

#[async_trait]
impl WriteStorage for BrokenStorage {
    fn capabilities(&self) -> Capabilities {
        match self.flaw {
            Some(Flaw::CreatesRecordsOutsideItsCapabilities) => {
                self.inner.capabilities().without(RecordKind::Event, Verb::Create)
            }
            _ => self.capabilities.clone(),
        }
    }

    async fn write_task(&self, author: &Author, write: &RecordWrite<Task>) -> Result<Written<Task>, StorageError> {
        let (task, update, precondition) = match &write.operation {
            Operation::Update { id, update, precondition } if !self.has_flaw_of_every_kind() => {
                (id, update, precondition)
            }
            _ => return self.write_record(author, write).await,
        };
        let kind = if Task::is_empty(update) { WriteKind::EmptyChange } else { WriteKind::Change };
        let Author { member, credential } = &self.flawed_author(author, kind, write.now).await?;
        match self.flawed_task_precondition(member, task, update, precondition).await? {
            FlawedPrecondition::Use(precondition) => {
                let (precondition, zone, now) = (&precondition, &write.zone, write.now);
                TaskWriter { broken: self, member, credential, task, precondition, zone, now }.update(update).await
            }
            FlawedPrecondition::Failed => Ok(Written::PreconditionFailed),
            FlawedPrecondition::UnknownReference => Ok(Written::NotFound),
        }
    }

    async fn write_note(&self, author: &Author, write: &RecordWrite<Note>) -> Result<Written<Note>, StorageError> {
        let (note, update, precondition) = match &write.operation {
            _ if self.has_flaw_of_every_kind() => return self.write_record(author, write).await,
            Operation::Update { id, update, precondition } => (id, Some(update), precondition),
            Operation::Delete { id, precondition } => (id, None, precondition),
            Operation::Create { .. } | Operation::Restore { .. } => return self.write_record(author, write).await,
        };
        let kind = match update {
            None => WriteKind::Deletion,
            Some(update) if Note::is_empty(update) => WriteKind::EmptyChange,
            Some(_) => WriteKind::Change,
        };
        let Author { member, credential } = &self.flawed_author(author, kind, write.now).await?;
        match self.flawed_note_precondition(member, note, update, precondition).await? {
            FlawedPrecondition::Use(precondition) => {
                let (precondition, now) = (&precondition, write.now);
                let writer = NoteWriter { broken: self, member, credential, note, precondition, now };
                if let Some(update) = update { writer.update(update).await } else { writer.delete().await }
            }
            FlawedPrecondition::Failed => Ok(Written::PreconditionFailed),
            FlawedPrecondition::UnknownReference => Ok(Written::NotFound),
        }
    }

    write_records! {
        write_event: Event,
        write_shopping_item: ShoppingItem,
        write_board: Board,
        write_column: Column,
        write_shopping_list: ShoppingList,
        write_note_category: NoteCategory,
    }

    async fn delete_checked_items(
        &self,
        author: &Author,
        list: &ListId,
        now: Timestamp,
    ) -> Result<Written<Vec<ItemId>>, StorageError> {
        if !self.capabilities.supports(RecordKind::ShoppingItem, Verb::Delete) {
            return Err(StorageError::backend("the storage does not delete items"));
        }
        if self.has(Flaw::DeletesNoCheckedItems) {
            return Ok(Written::Deleted(Vec::new()));
        }
        let mut deleted = self.inner.delete_checked_items(author, list, now).await?;
        if self.has(Flaw::DeletesCheckedItemsWithoutALimit)
            && let Written::Deleted(items) = &mut deleted
            && let Written::Deleted(more) = self.inner.delete_checked_items(author, list, now).await?
        {
            items.extend(more);
        }
        match deleted {
            Written::NotFound if self.has(Flaw::FindsEveryList) => Ok(Written::Deleted(Vec::new())),
            deleted => Ok(deleted),
        }
    }

    async fn delete_old_records(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        match self.flaw {
            Some(Flaw::PurgesNoRecords) => Ok(0),
            Some(Flaw::PurgesWithoutALimit) => self.inner.delete_old_records(until, u32::MAX).await,
            Some(Flaw::PurgesRecordsOfLaterTimes) => {
                self.inner.delete_old_records(later_by_minutes(until), limit).await
            }
            _ => self.inner.delete_old_records(until, limit).await,
        }
    }

    async fn delete_surplus_records(
        &self,
        family: &FamilyId,
        kind: RecordKind,
        keep: DeletedRecordLimit,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let records = keep.records.saturating_sub(u32::from(self.has(Flaw::KeepsOneRecordTooFew)));
        let bytes = if self.has(Flaw::KeepsDeletedRecordsOfAnySize) { u64::MAX } else { keep.bytes };
        let keep = DeletedRecordLimit { records, bytes };
        let limit = if self.has(Flaw::PurgesWithoutALimit) { u32::MAX } else { limit };
        if self.has(Flaw::PurgesTheSurplusOfOthers) {
            for other in RecordKind::ALL.into_iter().filter(|other| *other != kind) {
                self.inner.delete_surplus_records(family, other, keep, limit).await?;
            }
        }
        self.inner.delete_surplus_records(family, kind, keep, limit).await
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let until = if self.has(Flaw::PurgesRecordsOfLaterTimes) { later_by_minutes(until) } else { until };
        let limit = if self.has(Flaw::PurgesWithoutALimit) { u32::MAX } else { limit };
        self.inner.delete_old_idempotency_keys(until, limit).await
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let keep = keep.saturating_sub(u32::from(self.has(Flaw::KeepsOneRecordTooFew)));
        let limit = if self.has(Flaw::PurgesWithoutALimit) { u32::MAX } else { limit };
        if self.has(Flaw::PurgesTheSurplusOfOthers) {
            for other in self.family_members(member).iter().filter(|other| *other != member) {
                self.inner.delete_surplus_idempotency_keys(other, keep, limit).await?;
            }
        }
        self.inner.delete_surplus_idempotency_keys(member, keep, limit).await
    }
}

/// Returns the time two minutes after `at`.
fn later_by_minutes(at: Timestamp) -> Timestamp {
    later(at).saturating_add(jiff::SignedDuration::from_mins(2))
}
