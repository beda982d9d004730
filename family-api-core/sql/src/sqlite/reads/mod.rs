//! Reads of the five resources, of members and of the records that can be restored. Each read is one statement. SQLite
//! also builds the JSON of the resources in it.

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
    Board, Document, Event, Note, Person, Revision, ShoppingItem, ShoppingList, TaskFilter, TaskStats,
};
use family_api_core::storage::value::Values;
use family_api_core::storage::{Member, ReadStorage, RestorableEntry, RestorableQuery, StorageError};
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Sqlite, SqlitePool};

use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;
use crate::sqlite::row::Row;

#[async_trait]
impl ReadStorage for SqliteStorage {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        tasks::list(self.database.readers(), member, filter).await
    }

    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        tasks::find(self.database.readers(), member, task).await
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        events::list(self.database.readers(), member, range).await
    }

    async fn find_event(&self, member: &Member, event: &EventId) -> Result<Document<Vec<Event>>, StorageError> {
        events::find(self.database.readers(), member, event).await
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        overlapping_events::list(self.database.readers(), member, range).await
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        shopping::list(self.database.readers(), member).await
    }

    async fn find_shopping_item(
        &self,
        member: &Member,
        item: &ItemId,
    ) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
        shopping::find_item(self.database.readers(), member, item).await
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        notes::list(self.database.readers(), member).await
    }

    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        notes::find(self.database.readers(), member, note).await
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        task_stats::find(self.database.readers(), member, periods).await
    }

    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        members::list(self.database.readers(), member).await
    }

    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        restorable::list(self.database.readers(), member, query).await
    }
}

/// Runs a statement that returns one row: a document and its revision.
async fn document<T>(
    readers: &SqlitePool,
    query: Query<'_, Sqlite, SqliteArguments>,
) -> Result<Document<T>, StorageError> {
    let row = Row(query.fetch_one(readers).await.map_err(fault)?);
    let mut values = Values::of(&row);
    let json: String = values.take()?;
    Ok(Document::from_json(json).with_revision(values.take::<Option<_>>()?.map(Revision::new)))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{events, members, notes, overlapping_events, shopping, task_stats, tasks};
    use crate::sqlite::query_plans::{SORT, assert_plan};

    /// Lookup of all members of the family, once per statement.
    const PEOPLE: &str = "(family_id=?)";
    /// Lookup of one member in the temporary index of the members.
    const PERSON: &str = "AUTOMATIC COVERING INDEX (id=?)";
    /// Lookup of the user, who must be a member.
    const MEMBER: &str = "(id=?)";
    /// Lookup of the family's revision.
    const FAMILY: &str = "(id=?)";

    /// The lookups and sorts of each read, in the order of the query plan. SQLite sorts if no index has the right
    /// order.
    static PLANS: LazyLock<[(&str, &[&str]); 11]> = LazyLock::new(|| {
        [
            (
                &tasks::LIST,
                &[
                    MEMBER,
                    "(family_id=?)",
                    SORT,
                    "(family_id=? AND board_id=?)",
                    SORT,
                    PEOPLE,
                    "(family_id=? AND column_id=?)",
                    PERSON,
                    PERSON,
                    FAMILY,
                ],
            ),
            (
                &tasks::FIND,
                &[
                    MEMBER,
                    "(family_id=? AND id=?)",
                    "(family_id=? AND id=?)",
                    "(family_id=? AND id=?)",
                    "(family_id=? AND id=?)",
                    "(family_id=? AND id=?)",
                    PEOPLE,
                    "(family_id=? AND id=?)",
                    PERSON,
                    FAMILY,
                ],
            ),
            (&events::LIST, &[MEMBER, PEOPLE, "(family_id=? AND start_date>?)", PERSON, FAMILY]),
            (&events::FIND, &[MEMBER, PEOPLE, "(family_id=? AND id=?)", FAMILY]),
            (&shopping::FIND_ITEM, &[MEMBER, PEOPLE, "(family_id=? AND id=?)", "(family_id=? AND id=?)", FAMILY]),
            (&members::LIST, &[MEMBER, PEOPLE, SORT, FAMILY]),
            (
                &overlapping_events::LIST,
                &[
                    MEMBER,
                    "(family_id=? AND end_date>?)",
                    SORT,
                    "(family_id=? AND start_date<?)",
                    PEOPLE,
                    PERSON,
                    FAMILY,
                ],
            ),
            (
                &shopping::LIST,
                &[MEMBER, "(family_id=?)", SORT, PEOPLE, "(family_id=? AND list_id=?)", PERSON, SORT, FAMILY],
            ),
            (&notes::FIND, &[MEMBER, PEOPLE, "(family_id=? AND id=?)", "(family_id=? AND id=?)", FAMILY]),
            (&notes::LIST, &[MEMBER, PEOPLE, "(family_id=?)", PERSON, "(family_id=? AND id=?)", SORT, FAMILY]),
            (
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
            ),
        ]
    });

    #[tokio::test]
    async fn reads_use_indexes_that_begin_with_the_family() {
        for (sql, expected) in *PLANS {
            assert_plan(sql, expected).await;
        }
    }
}
