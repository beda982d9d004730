//! Reads of the five resources, of members and of the records that can be restored. Each read sees one snapshot. SQLite
//! also builds the JSON of each record.
//!
//! The lists of notes, shopping items and overlapping events sort row ids in a materialized table expression, and join
//! the records to it with `CROSS JOIN`. SQLite then returns the records in this order, but does not promise it. An
//! outer `ORDER BY` would be a promise, and would sort the text of the records too. If the order is lost, these
//! conformance tests fail: `notes_are_sorted_pinned_first_then_newest_then_by_id`,
//! `items_are_sorted_unchecked_first_then_oldest_then_by_id` and `overlapping_events_are_sorted_by_start_then_id`.

mod events;
mod members;
mod notes;
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
use rusqlite::types::Value;

use crate::changes;
use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;

#[async_trait]
impl ReadStorage for SqliteStorage {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        let done = match filter {
            TaskFilter::Open => Value::from(false),
            TaskFilter::Done => Value::from(true),
            TaskFilter::All => Value::Null,
        };
        self.documents.read(member, &*tasks::LIST, [done, Value::Null]).await
    }

    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        self.documents.read(member, &*tasks::FIND, [text(task.as_str()), Value::Null]).await
    }

    /// A missing bound is replaced by the minimum or maximum timestamp, so that the statement always has both conditions
    /// and can use the index.
    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let (from, to) = (range.from.unwrap_or(Timestamp::MIN), range.to.unwrap_or(Timestamp::MAX));
        self.documents.read(member, &*events::LIST, [from, to].map(instant)).await
    }

    async fn find_event(&self, member: &Member, event: &EventId) -> Result<Document<Vec<Event>>, StorageError> {
        self.documents.read(member, &*events::FIND, [text(event.as_str()), Value::Null]).await
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        self.documents.read(member, &*events::LIST_OVERLAPPING, [range.start, range.end].map(instant)).await
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        self.documents.read(member, &*shopping::LIST, [Value::Null, Value::Null]).await
    }

    async fn find_shopping_item(
        &self,
        member: &Member,
        item: &ItemId,
    ) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
        self.documents.read(member, &*shopping::FIND_ITEM, [text(item.as_str()), Value::Null]).await
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        self.documents.read(member, &*notes::LIST, [Value::Null, Value::Null]).await
    }

    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        self.documents.read(member, &*notes::FIND, [text(note.as_str()), Value::Null]).await
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        task_stats::find(self.database.readers(), member, periods).await
    }

    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        self.documents.read(member, &*members::LIST, [Value::Null, Value::Null]).await
    }

    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        restorable::list(self.database.readers(), member, query).await
    }

    async fn list_changes(&self, member: &Member, query: &ChangesQuery) -> Result<FoundChanges, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        changes::list_changes(&mut *reader, member, query).await
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn instant(instant: Timestamp) -> Value {
    Value::Text(instant.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{events, members, notes, shopping, task_stats, tasks};
    use crate::sqlite::document_builder::{HEAD, PEOPLE};
    use crate::sqlite::query_plans::{SORT, assert_plan};

    /// Lookup of the user, who must be a member.
    const MEMBER: &str = "(id=?)";
    /// Lookup of the family's revision.
    const FAMILY: &str = "(id=?)";

    /// The lookups and sorts of each statement, in the order of the query plan. SQLite sorts if no index has the right
    /// order.
    static PLANS: LazyLock<[(&str, &[&str]); 17]> = LazyLock::new(|| {
        let [boards, columns, list_tasks] = &*tasks::LIST;
        let [find_board, find_column, find_task] = &*tasks::FIND;
        let [lists, items] = &*shopping::LIST;
        [
            (HEAD, &[MEMBER, FAMILY]),
            (&PEOPLE, &["(family_id=?)"]),
            (&members::LIST[0], &["(family_id=?)"]),
            (boards, &["(family_id=?)", SORT]),
            (columns, &["(family_id=? AND board_id=?)", SORT]),
            (list_tasks, &["(family_id=? AND column_id=?)"]),
            (find_board, &["(family_id=? AND id=?)", "(family_id=? AND id=?)", "(family_id=? AND id=?)"]),
            (find_column, &["(family_id=? AND id=?)", "(family_id=? AND id=?)"]),
            (find_task, &["(family_id=? AND id=?)"]),
            (&events::LIST[0], &["(family_id=? AND start_date>?)"]),
            (&events::FIND[0], &["(family_id=? AND id=?)"]),
            (&events::LIST_OVERLAPPING[0], &["(family_id=? AND end_date>?)", "(family_id=?)", SORT, "(rowid=?)"]),
            (lists, &["(family_id=?)", SORT]),
            (items, &["(family_id=? AND list_id=?)", SORT, "(rowid=?)"]),
            (&shopping::FIND_ITEM[0], &["(family_id=? AND id=?)", "(family_id=? AND id=?)"]),
            (&notes::FIND[0], &["(family_id=? AND id=?)", "(family_id=? AND id=?)"]),
            (&notes::LIST[0], &["(family_id=?)", SORT, "(rowid=?)", "(family_id=? AND id=?)"]),
        ]
    });

    #[tokio::test]
    async fn reads_use_indexes_that_begin_with_the_family() {
        for (sql, expected) in *PLANS {
            assert_plan(sql, expected).await;
        }
        assert_plan(
            &task_stats::FIND,
            &[
                "(family_id=? AND assignee_id=?)",
                MEMBER,
                "(family_id=? AND assignee_id=? AND creator_id=?)",
                MEMBER,
                MEMBER,
                "(family_id=? AND id=?)",
                "(family_id=? AND id=?)",
                FAMILY,
            ],
        )
        .await;
    }
}
