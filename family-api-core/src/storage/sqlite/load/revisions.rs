//! Batched updates of the revisions of the families that a load changes.
//!
//! The triggers that count every single record take longer than the inserts themselves. The load drops them and creates
//! them again in its transaction, so no other connection is affected.

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

/// Adds 1 to the revision of each family, and of each container's family.
pub(super) const COUNT: &str = "
    UPDATE families SET revision = revision + 1
    WHERE id IN (
        SELECT r.value ->> 1 FROM json_each(?1) r WHERE r.value ->> 0 = 'family'
        UNION ALL
        SELECT p.family_id FROM json_each(?1) r JOIN parents p ON p.kind = r.value ->> 0 AND p.id = r.value ->> 1
    )";

/// Number of distinct parents in a batch. Most records have the same parents as earlier ones.
const BATCH_SIZE: usize = 4096;

/// Collects the parents that a load adds records to.
pub(super) struct Revisions {
    triggers: Vec<String>,
    /// Kinds and ids of parents that are not counted yet.
    parents: HashSet<(&'static str, String)>,
}

impl Revisions {
    pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<Self, StorageError> {
        let found = sqlx::query(TRIGGERS).fetch_all(&mut *connection).await.map_err(fault)?;
        let triggers = found.iter().map(|row| decode::get(row, "sql")).collect::<Result<_, _>>()?;
        sqlx::raw_sql(DROP).execute(connection).await.map_err(fault)?;
        Ok(Self { triggers, parents: HashSet::new() })
    }

    /// Adds the parents of these rows.
    pub(super) async fn add(&mut self, connection: &mut SqliteConnection, rows: &Rows<'_>) -> Result<(), StorageError> {
        let parents = rows.named.iter().flat_map(|(kind, ids)| ids.iter().map(|id| (*kind, id.clone())));
        self.parents.extend(parents);
        if self.parents.len() < BATCH_SIZE { Ok(()) } else { self.flush(connection).await }
    }

    async fn flush(&mut self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        let parents = serde_json::to_string(&std::mem::take(&mut self.parents)).map_err(StorageError::backend)?;
        sqlx::query(COUNT).bind(parents).execute(connection).await.map_err(fault)?;
        Ok(())
    }

    /// Counts the last batch, and creates the dropped triggers again.
    pub(super) async fn finish(mut self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        self.flush(&mut *connection).await?;
        for sql in self.triggers {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *connection).await.map_err(fault)?;
        }
        Ok(())
    }
}
