//! Reads of the five resources, of members and of the records that can be restored. Each read is one statement. serde
//! writes the JSON, because PostgreSQL is slower at it.

mod events;
mod members;
mod notes;
mod overlapping_events;
mod restorable;
mod shopping;
mod task_stats;
mod tasks;

use std::ops::Range;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::id::{EventId, ItemId, NoteId, TaskId};
use family_api_core::resource::{
    Board, Document, Event, Note, Person, ShoppingItem, ShoppingList, TaskFilter, TaskStats,
};
use family_api_core::storage::{
    ChangesQuery, FoundChanges, Member, ReadStorage, RestorableEntry, RestorableQuery, StorageError,
};
use serde::Serialize;
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use tokio::task::spawn_blocking;

use crate::changes;
use crate::postgres::PostgresStorage;
use crate::postgres::database::{Database, call};
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::row::{Row, revision, rows};

/// The number of rows from which a document is built on a blocking thread. Fewer are not worth the change of the thread,
/// even if each has the longest text.
const MANY_ROWS: usize = 20;

/// Builds a document of the rows that a query returns.
async fn document<T: Serialize + Send + 'static>(
    database: &Database,
    member: &Member,
    query: Query<'_, Postgres, PgArguments>,
    read: impl FnOnce(&[Row]) -> Result<T, StorageError> + Send + 'static,
) -> Result<Document<T>, StorageError> {
    let mut connection = database.lease_for(Shards::OfFamily(&member.family)).await?;
    let rows = rows(query.fetch_all(&mut *connection).await.map_err(fault)?);
    drop(connection);
    // The records of a full family would delay the other requests of an async worker.
    let is_long = rows.len() >= MANY_ROWS;
    let build = move || Ok(Document::of(&read(&rows)?)?.with_revision(revision(&rows)?));
    if is_long { spawn_blocking(build).await.map_err(StorageError::backend)? } else { build() }
}

#[async_trait]
impl ReadStorage for PostgresStorage {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        call(|| tasks::list(&self.database, member, filter)).await
    }

    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        call(|| tasks::find(&self.database, member, task)).await
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        call(|| events::list(&self.database, member, range)).await
    }

    async fn find_event(&self, member: &Member, event: &EventId) -> Result<Document<Vec<Event>>, StorageError> {
        call(|| events::find(&self.database, member, event)).await
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        call(|| overlapping_events::list(&self.database, member, range)).await
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        call(|| shopping::list(&self.database, member)).await
    }

    async fn find_shopping_item(
        &self,
        member: &Member,
        item: &ItemId,
    ) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
        call(|| shopping::find_item(&self.database, member, item)).await
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        call(|| notes::list(&self.database, member)).await
    }

    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        call(|| notes::find(&self.database, member, note)).await
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        call(|| task_stats::find(&self.database, member, periods)).await
    }

    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        call(|| members::list(&self.database, member)).await
    }

    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        call(|| restorable::list(&self.database, member, query)).await
    }

    async fn list_changes(&self, member: &Member, query: &ChangesQuery) -> Result<FoundChanges, StorageError> {
        call(async || {
            let mut connection = self.database.lease_for(Shards::OfFamily(&member.family)).await?;
            changes::list_changes(&mut *connection, member, query).await
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{events, members, notes, overlapping_events, restorable, shopping, task_stats, tasks};
    use crate::postgres::query_plans::assert_index_lookups;

    postgres_tests! {
        async fn reads_use_indexes_that_begin_with_the_family() {
            assert_index_lookups(&[&events::LIST, &notes::LIST, &shopping::LIST, &task_stats::FIND, &tasks::LIST]).await;
            let statements = [&members::LIST, &overlapping_events::LIST, &tasks::FIND, &notes::FIND, &restorable::LIST, &events::FIND, &shopping::FIND_ITEM];
            assert_index_lookups(&statements.map(|sql| sql.as_str())).await;
        }
    }
}
