//! The steps of a write, as statements in its transaction.

use family_api_core::Timestamp;
use family_api_core::id::{Id, ListId};
use family_api_core::resource::ShoppingItem;
use family_api_core::storage::value::{Datum, StoredFields, Values};
use family_api_core::storage::write_sequence::{CheckedItemSteps, Growth, Target, WriteSteps};
use family_api_core::storage::{DeletedRecord, IdempotentAnswer, Member, StorageError};

use crate::columns::updated_values;
use crate::sql_connection::SqlConnection;
use crate::writes::{Creation, SqlKind, Statements, record_bound, shopping};
use crate::{deleted_records, idempotency_keys};

/// A write in progress.
pub(crate) struct SqlSteps<'a, C> {
    connection: &'a mut C,
    member: &'a Member,
    /// The number of new records that the bound already includes.
    counted: i64,
    /// The bound or the count of the records of the kind, which [`find_facts`](WriteSteps::find_facts) reads.
    bound: Option<i64>,
    /// Whether the bound is counted again if it has reached the limit.
    is_count_due: bool,
    /// Whether the write is refused after a count, which its transaction does not keep.
    loses_count: bool,
}

impl<'a, C> SqlSteps<'a, C> {
    /// `counted` is the number of records of this write that the bound already includes: 1 if the record
    /// was counted when the transaction began, 0 if a trigger counts it when it is inserted.
    pub(crate) fn new(connection: &'a mut C, member: &'a Member, counted: i64) -> Self {
        Self { connection, member, counted, bound: None, is_count_due: false, loses_count: false }
    }

    /// Returns whether the write is refused after a count, which must then be repeated in a transaction of its own.
    pub(crate) fn loses_count(&self) -> bool {
        self.loses_count
    }
}

impl<R: SqlKind, C: SqlConnection> WriteSteps<R> for SqlSteps<'_, C> {
    async fn keep_answer(
        &mut self,
        answer: IdempotentAnswer,
        since: Timestamp,
    ) -> Result<Option<IdempotentAnswer>, StorageError> {
        if idempotency_keys::insert_answer(self.connection, &self.member.family, &answer, since).await? {
            return Ok(None);
        }
        idempotency_keys::find_answer(self.connection, &self.member.family, answer).await.map(Some)
    }

    async fn find_facts(&mut self, target: Target<'_, R>, now: Timestamp) -> Result<Option<R::Facts>, StorageError> {
        let Member { user, .. } = self.member;
        let mut arguments = Statements::arguments::<R>(self.member, target.id());
        arguments.extend(R::facts_arguments(&target, user));
        let Statements { facts, new_facts, .. } = R::statements();
        let sql = if matches!(target, Target::Stored(..)) { facts } else { new_facts };
        let Some(row) = self.connection.find_row(sql, arguments).await? else {
            return Ok(None);
        };
        let mut values = Values::of(&row);
        self.bound = values.take()?;
        if R::statements().bound.is_some() {
            let counted_at = values.take()?;
            self.is_count_due = self.bound.is_none() || record_bound::is_count_due(counted_at, now);
        }
        R::read_facts(&mut values, &target, &Creation { user, now })
    }

    async fn has_room(&mut self, growth: Growth, max: u32) -> Result<bool, StorageError> {
        let most = i64::from(max) - i64::from(growth.counted()) + self.counted;
        let has_room = self.bound.is_some_and(|bound| bound <= most);
        let Some(statements) = &R::statements().bound else {
            return Ok(has_room);
        };
        let arguments = |number| vec![Datum::of(&self.member.family), Datum::Integer(Some(number))];
        if !has_room {
            if !self.is_count_due {
                return Ok(false);
            }
            let row = self.connection.find_row(&statements.count, arguments(self.counted)).await?;
            let row = row.ok_or_else(|| StorageError::backend("a count returned no row"))?;
            let bound: i64 = Values::of(&row).take()?;
            self.loses_count = bound > most;
            if self.loses_count {
                return Ok(false);
            }
        }
        // The trigger or the first statement that adds the record to the bound does not add its blocks.
        if growth.blocks > 0 {
            self.connection.execute_any(&statements.raise, arguments(growth.blocks.into())).await?;
        }
        Ok(true)
    }

    async fn release_blocks(&mut self, blocks: u32) -> Result<(), StorageError> {
        record_bound::lower::<R>(self.connection, &self.member.family, blocks as usize).await
    }

    async fn insert(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        R::make_room(self.connection, self.member, write).await?;
        let record = R::output(write.clone());
        let mut arguments = vec![Datum::of(&self.member.family)];
        arguments.extend(StoredFields::values(&record));
        self.connection.execute_any(&R::statements().insert, arguments).await
    }

    async fn update(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        R::make_room(self.connection, self.member, write).await?;
        let record = R::output(write.clone());
        let mut arguments = Statements::arguments::<R>(self.member, record.id());
        arguments.extend(updated_values(&record, R::FIXED));
        self.connection.execute_any(&R::statements().update, arguments).await
    }

    async fn delete(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let arguments = Statements::arguments::<R>(self.member, id);
        self.connection.execute_any(&R::statements().delete, arguments).await
    }

    async fn find_deleted(&mut self, id: &R::Id, since: Timestamp) -> Result<Option<String>, StorageError> {
        let id = Datum::Text(Some(id.text()));
        deleted_records::find_deleted(self.connection, &self.member.family, R::KIND, id, since).await
    }

    async fn keep_deleted(&mut self, deleted: DeletedRecord) -> Result<(), StorageError> {
        deleted_records::insert_deleted(self.connection, &self.member.family, &[deleted]).await
    }

    async fn forget_deleted(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let id = Datum::Text(Some(id.text()));
        deleted_records::delete_deleted(self.connection, &self.member.family, R::KIND, id).await
    }
}

impl<C: SqlConnection> CheckedItemSteps for SqlSteps<'_, C> {
    async fn find_checked_items(&mut self, list: &ListId) -> Result<Option<Vec<ShoppingItem>>, StorageError> {
        shopping::find_checked_items(self.connection, self.member, list).await
    }

    async fn delete_items(&mut self, items: Vec<DeletedRecord>) -> Result<(), StorageError> {
        shopping::delete_items(self.connection, &self.member.family, &items).await?;
        deleted_records::insert_deleted(self.connection, &self.member.family, &items).await
    }
}
