//! A temporary table of the ids of a load. An id must be unique among all families, and a record refers to its parent
//! by id, without the family.
//!
//! The tables' keys begin with the family, so they cannot be searched by id alone. The load keeps a table of its own
//! ids. It adds the existing parents only when a record refers to one that is not in the load. It searches for ids that
//! exist in two families once, at the end.

use std::collections::HashSet;

use sqlx::{Executor, PgConnection};

use crate::storage::StorageError;
use crate::storage::bulk::Kind;
use crate::storage::postgres::error::fault;

/// Creates the table. Ids that existed before the load have no number.
const CREATE_TABLE: &str = "
    CREATE TEMP TABLE known_ids (
        kind TEXT COLLATE \"C\" NOT NULL,
        id TEXT COLLATE \"C\" NOT NULL,
        family_id TEXT COLLATE \"C\",
        number BIGINT,
        has_parent BOOLEAN NOT NULL DEFAULT TRUE CONSTRAINT known_ids_parent CHECK (has_parent),
        has_owner BOOLEAN NOT NULL DEFAULT TRUE CONSTRAINT known_ids_owner CHECK (has_owner),
        PRIMARY KEY (kind, id)
    ) ON COMMIT DROP";

const COLLECT_BOARDS: &str = "
    INSERT INTO known_ids (kind, id, family_id) SELECT 'board', id, family_id FROM boards ON CONFLICT DO NOTHING";

const COLLECT_COLUMNS: &str = "
    INSERT INTO known_ids (kind, id, family_id) SELECT 'column', id, family_id FROM columns ON CONFLICT DO NOTHING";

const COLLECT_LISTS: &str = "
    INSERT INTO known_ids (kind, id, family_id)
    SELECT 'shoppingList', id, family_id FROM shopping_lists ON CONFLICT DO NOTHING";

/// Updates the statistics, because PostgreSQL would only guess the size of the table.
const ANALYZE: &str = "ANALYZE known_ids";

/// Finds the first record whose id another record of its kind has in another family. Within a family, the primary key
/// rejects duplicates.
const FIND_DUPLICATE: &str = "
    SELECT number FROM (
        SELECT k.number FROM known_ids k JOIN integration_keys r ON r.id = k.id WHERE k.kind = 'key'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN note_categories r ON r.id = k.id WHERE k.kind = 'noteCategory'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN boards r ON r.id = k.id WHERE k.kind = 'board'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN columns r ON r.id = k.id WHERE k.kind = 'column'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN tasks r ON r.id = k.id WHERE k.kind = 'task'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN events r ON r.id = k.id WHERE k.kind = 'event'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN shopping_lists r ON r.id = k.id WHERE k.kind = 'shoppingList'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN shopping_items r ON r.id = k.id WHERE k.kind = 'shoppingItem'
        UNION ALL
        SELECT k.number FROM known_ids k JOIN notes r ON r.id = k.id WHERE k.kind = 'note'
    ) AS loaded
    GROUP BY number HAVING number IS NOT NULL AND count(*) > 1
    ORDER BY number LIMIT 1";

const COUNT_REVISIONS: &str = "
    UPDATE families SET revision = revision + 1
    WHERE id IN (SELECT family_id FROM known_ids WHERE number IS NOT NULL)";

/// The ids of a load, and the kinds whose existing parents were added.
pub(super) struct KnownIds {
    collected: HashSet<&'static str>,
}

impl KnownIds {
    pub(super) async fn begin(connection: &mut PgConnection) -> Result<Self, StorageError> {
        connection.execute(CREATE_TABLE).await.map_err(fault)?;
        Ok(Self { collected: HashSet::new() })
    }

    /// Adds the existing parents of records of this kind. Returns `false` if there are none to add, or if they were
    /// added before.
    pub(super) async fn collect_parents(
        &mut self,
        connection: &mut PgConnection,
        kind: &'static Kind,
    ) -> Result<bool, StorageError> {
        let parents = match kind.name {
            "column" => COLLECT_BOARDS,
            "task" => COLLECT_COLUMNS,
            "shoppingItem" => COLLECT_LISTS,
            _ => return Ok(false),
        };
        if !self.collected.insert(kind.name) {
            return Ok(false);
        }
        connection.execute(parents).await.map_err(fault)?;
        connection.execute(ANALYZE).await.map_err(fault)?;
        Ok(true)
    }
}

/// Returns the number of the first record whose id exists in another family, from before the load or from an earlier
/// record.
pub(super) async fn find_duplicate(connection: &mut PgConnection) -> Result<Option<u64>, StorageError> {
    connection.execute(ANALYZE).await.map_err(fault)?;
    let duplicate: Option<i64> = sqlx::query_scalar(FIND_DUPLICATE).fetch_optional(connection).await.map_err(fault)?;
    Ok(duplicate.map(i64::cast_unsigned))
}

/// Adds 1 to the revision of each family that the load changes.
pub(super) async fn count_revisions(connection: &mut PgConnection) -> Result<(), StorageError> {
    connection.execute(COUNT_REVISIONS).await.map_err(fault)?;
    Ok(())
}
