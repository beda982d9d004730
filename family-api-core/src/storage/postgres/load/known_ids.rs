//! Every id of the load: ids are unique beyond a family, and parents are named without one.
//!
//! The tables lead with the family and cannot be searched for an id alone. So the load keeps a temporary table of its own
//! ids, gathers the parents that were there before it only when one is asked for, and looks for ids that two families have
//! at its end, once for all.

use std::collections::HashSet;

use sqlx::{Executor, PgConnection};

use crate::storage::StorageError;
use crate::storage::bulk::Kind;
use crate::storage::postgres::error::fault;

/// What was there before the load has no number.
const BEGIN: &str = "
    CREATE TEMP TABLE known_ids (
        kind TEXT COLLATE \"C\" NOT NULL,
        id TEXT COLLATE \"C\" NOT NULL,
        family_id TEXT COLLATE \"C\",
        number BIGINT,
        has_parent BOOLEAN NOT NULL DEFAULT TRUE CONSTRAINT known_ids_parent CHECK (has_parent),
        has_owner BOOLEAN NOT NULL DEFAULT TRUE CONSTRAINT known_ids_owner CHECK (has_owner),
        PRIMARY KEY (kind, id)
    ) ON COMMIT DROP";

const GATHER_BOARDS: &str = "
    INSERT INTO known_ids (kind, id, family_id) SELECT 'board', id, family_id FROM boards ON CONFLICT DO NOTHING";

const GATHER_COLUMNS: &str = "
    INSERT INTO known_ids (kind, id, family_id) SELECT 'column', id, family_id FROM columns ON CONFLICT DO NOTHING";

const GATHER_LISTS: &str = "
    INSERT INTO known_ids (kind, id, family_id)
    SELECT 'shoppingList', id, family_id FROM shopping_lists ON CONFLICT DO NOTHING";

/// Without it, the size of the table is guessed.
const ANALYZE: &str = "ANALYZE known_ids";

/// The first record whose id another one of its kind has; within a family, the tables refuse it themselves.
const FIND_TWIN: &str = "
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

/// What is known beside the load's own ids: the kinds whose parents were gathered.
pub(super) struct Known {
    gathered: HashSet<&'static str>,
}

impl Known {
    pub(super) async fn begin(connection: &mut PgConnection) -> Result<Self, StorageError> {
        connection.execute(BEGIN).await.map_err(fault)?;
        Ok(Self { gathered: HashSet::new() })
    }

    /// Gathers what may be parents of that kind; tells whether anything can have come of it.
    pub(super) async fn gather_parents(
        &mut self,
        connection: &mut PgConnection,
        kind: &'static Kind,
    ) -> Result<bool, StorageError> {
        let parents = match kind.name {
            "column" => GATHER_BOARDS,
            "task" => GATHER_COLUMNS,
            "shoppingItem" => GATHER_LISTS,
            _ => return Ok(false),
        };
        if !self.gathered.insert(kind.name) {
            return Ok(false);
        }
        connection.execute(parents).await.map_err(fault)?;
        connection.execute(ANALYZE).await.map_err(fault)?;
        Ok(true)
    }
}

/// The number of the first record whose id was there before in another family, or came earlier in one.
pub(super) async fn find_twin(connection: &mut PgConnection) -> Result<Option<u64>, StorageError> {
    connection.execute(ANALYZE).await.map_err(fault)?;
    let twin: Option<i64> = sqlx::query_scalar(FIND_TWIN).fetch_optional(connection).await.map_err(fault)?;
    Ok(twin.map(i64::cast_unsigned))
}

/// Everything that was loaded can be seen by a member of its family.
pub(super) async fn count_revisions(connection: &mut PgConnection) -> Result<(), StorageError> {
    connection.execute(COUNT_REVISIONS).await.map_err(fault)?;
    Ok(())
}
