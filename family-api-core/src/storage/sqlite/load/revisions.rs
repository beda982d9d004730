//! The revisions of the families that a load adds to: counted for many records at once.
//!
//! The triggers that count them record by record take longer than the records. They are taken away for the time of the
//! load, in its transaction, so that nobody else misses them.

use std::collections::HashSet;

use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::storage::StorageError;
use crate::storage::bulk::Rows;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;

const TRIGGERS: &str = "
    SELECT sql FROM sqlite_schema
    WHERE type = 'trigger'
      AND name IN ('users_inserted', 'users_replaced', 'note_categories_inserted', 'notes_inserted', 'boards_inserted',
                   'columns_inserted', 'tasks_inserted', 'events_inserted', 'shopping_lists_inserted',
                   'shopping_items_inserted')";

const DROP: &str = "
    DROP TRIGGER IF EXISTS users_inserted;
    DROP TRIGGER IF EXISTS users_replaced;
    DROP TRIGGER IF EXISTS note_categories_inserted;
    DROP TRIGGER IF EXISTS notes_inserted;
    DROP TRIGGER IF EXISTS boards_inserted;
    DROP TRIGGER IF EXISTS columns_inserted;
    DROP TRIGGER IF EXISTS tasks_inserted;
    DROP TRIGGER IF EXISTS events_inserted;
    DROP TRIGGER IF EXISTS shopping_lists_inserted;
    DROP TRIGGER IF EXISTS shopping_items_inserted;";

/// Counts a change for each family that is named, and for that of each container.
pub(super) const COUNT: &str = "
    UPDATE families SET revision = revision + 1
    WHERE id IN (
        SELECT r.value ->> 1 FROM json_each(?1) r WHERE r.value ->> 0 = 'family'
        UNION ALL
        SELECT p.family_id FROM json_each(?1) r JOIN parents p ON p.kind = r.value ->> 0 AND p.id = r.value ->> 1
    )";

/// So many names are gathered before they are counted: most records name what others before them have named.
const MOST_NAMES: usize = 4096;

/// What the load adds to.
pub(super) struct Revisions {
    triggers: Vec<String>,
    /// What its records name and was not counted yet: kinds and ids.
    named: HashSet<(&'static str, String)>,
}

impl Revisions {
    pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<Self, StorageError> {
        let found = sqlx::query(TRIGGERS).fetch_all(&mut *connection).await.map_err(fault)?;
        let triggers = found.iter().map(|row| decode::get(row, "sql")).collect::<Result<_, _>>()?;
        sqlx::raw_sql(DROP).execute(connection).await.map_err(fault)?;
        Ok(Self { triggers, named: HashSet::new() })
    }

    /// Takes note of what was added to.
    pub(super) async fn note(
        &mut self,
        connection: &mut SqliteConnection,
        rows: &Rows<'_>,
    ) -> Result<(), StorageError> {
        let named = rows.named.iter().flat_map(|(kind, ids)| ids.iter().map(|id| (*kind, id.clone())));
        self.named.extend(named);
        if self.named.len() < MOST_NAMES { Ok(()) } else { self.count(connection).await }
    }

    async fn count(&mut self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        let named = serde_json::to_string(&std::mem::take(&mut self.named)).map_err(StorageError::backend)?;
        sqlx::query(COUNT).bind(named).execute(connection).await.map_err(fault)?;
        Ok(())
    }

    /// Counts what is left, and puts the triggers back as they were.
    pub(super) async fn finish(mut self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        self.count(&mut *connection).await?;
        for sql in self.triggers {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *connection).await.map_err(fault)?;
        }
        Ok(())
    }
}
