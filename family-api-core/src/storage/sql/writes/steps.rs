//! The steps of a write, as statements in its transaction.

use crate::id::ListId;
use crate::idempotency::IdempotentRequest;
use crate::resource::ShoppingItem;
use crate::storage::record::value::ColumnValue;
use crate::storage::sql::writes::{NewAuthor, SqlKind, Statements, shopping};
use crate::storage::sql::{Argument, SqlConnection, StoredResource, Values, kept, updated_values};
use crate::storage::target::Target;
use crate::storage::write_sequence::{FindCheckedItems, WriteSteps};
use crate::storage::{DeletedRecord, IdempotentAnswer, Member, StorageError};
use crate::timestamp::Timestamp;

/// A write in progress.
pub(in crate::storage) struct SqlSteps<'a, C> {
    pub(in crate::storage) connection: &'a mut C,
    pub(in crate::storage) member: &'a Member,
}

impl<R: SqlKind, C: SqlConnection> WriteSteps<R> for SqlSteps<'_, C> {
    async fn find_answer(
        &mut self,
        request: &IdempotentRequest,
        since: Timestamp,
    ) -> Result<Option<IdempotentAnswer>, StorageError> {
        kept::find_answer(self.connection, self.member, R::KIND, request, since).await
    }

    async fn keep_answer(&mut self, answer: IdempotentAnswer) -> Result<(), StorageError> {
        kept::insert_answer(self.connection, &self.member.family, &answer).await
    }

    async fn find_facts(&mut self, target: Target<'_, R>, now: Timestamp) -> Result<Option<R::Facts>, StorageError> {
        let Member { user, .. } = self.member;
        let mut arguments = Statements::arguments::<R>(self.member, target.id());
        arguments.extend(R::facts_arguments(&target, user));
        let Some(row) = self.connection.find_row(&R::statements().facts, arguments).await? else {
            return Ok(None);
        };
        let mut values = Values::of(&row);
        let stored = values.joined::<R>()?;
        R::read_facts(stored, &mut values, &target, &NewAuthor { user, now })
    }

    async fn insert(&mut self, write: &R::Write) -> Result<(), StorageError> {
        R::make_room(self.connection, self.member, write).await?;
        let record = R::output(write.clone());
        let mut arguments = vec![Argument::of(&self.member.family)];
        arguments.extend(StoredResource::arguments(&record));
        self.connection.change_rows(&R::statements().insert, arguments).await?;
        Ok(())
    }

    async fn update(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        R::make_room(self.connection, self.member, write).await?;
        let record = R::output(write.clone());
        let mut arguments = Statements::arguments::<R>(self.member, record.id());
        arguments.extend(updated_values(&record, R::FIXED));
        self.connection.change_rows(&R::statements().update, arguments).await
    }

    async fn delete(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let arguments = Statements::arguments::<R>(self.member, id);
        self.connection.change_rows(&R::statements().delete, arguments).await
    }

    async fn find_deleted(&mut self, id: &R::Id) -> Result<Option<String>, StorageError> {
        let id = ColumnValue::argument(Some(id));
        kept::find_deleted(self.connection, &self.member.family, R::KIND, id).await
    }

    async fn keep_deleted(&mut self, deleted: DeletedRecord) -> Result<(), StorageError> {
        kept::insert_deleted(self.connection, &self.member.family, &deleted).await
    }

    async fn forget_deleted(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let id = ColumnValue::argument(Some(id));
        kept::delete_deleted(self.connection, &self.member.family, R::KIND, id).await
    }
}

impl<C: SqlConnection> FindCheckedItems for SqlSteps<'_, C> {
    async fn find_checked_items(&mut self, list: &ListId) -> Result<Option<Vec<ShoppingItem>>, StorageError> {
        shopping::find_checked_items(self.connection, self.member, list).await
    }
}
