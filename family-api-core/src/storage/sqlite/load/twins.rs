//! Ids that two records of a kind have: they are unique beyond a family.
//!
//! The tables lead with the family and cannot be searched for an id alone, so ids are compared once for all, at the end
//! of the load. What has a table of its own ids, or is a container, is refused before that.

use sqlx::SqliteConnection;

use crate::storage::StorageError;
use crate::storage::bulk::Rows;
use crate::storage::sqlite::error::fault;

/// Which record of the load is which, many of a kind in a row: `[[id, number], …]`.
const BEGIN: &str = "CREATE TEMP TABLE loaded (kind TEXT NOT NULL, records TEXT NOT NULL) STRICT";

const NOTE: &str = "INSERT INTO loaded (kind, records) VALUES (?1, ?2)";

/// To sort, SQLite takes as much memory as it may keep of the file, and what it keeps is of no more use.
const KEEP_LESS: &str = "PRAGMA cache_size = -4096";

/// The first record whose id another one of its kind had before it. Twins that were there before the load are not its.
pub(super) const FIND: &str = "
    WITH twins (kind, id, number) AS MATERIALIZED (
        SELECT 'key', id, count(*) FROM integration_keys GROUP BY id HAVING count(*) > 1
        UNION ALL
        SELECT 'noteCategory', id, count(*) FROM note_categories GROUP BY id HAVING count(*) > 1
        UNION ALL
        SELECT 'task', id, count(*) FROM tasks GROUP BY id HAVING count(*) > 1
        UNION ALL
        SELECT 'event', id, count(*) FROM events GROUP BY id HAVING count(*) > 1
        UNION ALL
        SELECT 'shoppingItem', id, count(*) FROM shopping_items GROUP BY id HAVING count(*) > 1
        UNION ALL
        SELECT 'note', id, count(*) FROM notes GROUP BY id HAVING count(*) > 1
    ),
    twin_records (number, place, loaded, all_twins) AS (
        SELECT r.value ->> 1, row_number() OVER (twin ORDER BY r.value ->> 1), count(*) OVER twin, t.number
        FROM loaded l CROSS JOIN json_each(l.records) r CROSS JOIN twins t ON t.kind = l.kind AND t.id = r.value ->> 0
        WHERE EXISTS (SELECT 1 FROM twins)
        WINDOW twin AS (PARTITION BY t.kind, t.id)
    )
    SELECT min(number) FROM twin_records WHERE place > 1 OR loaded < all_twins";

pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<(), StorageError> {
    sqlx::raw_sql(BEGIN).execute(connection).await.map_err(fault)?;
    Ok(())
}

/// Takes note of which record is which.
pub(super) async fn note(connection: &mut SqliteConnection, rows: &Rows<'_>) -> Result<(), StorageError> {
    let records = serde_json::to_string(&rows.ids()).map_err(StorageError::backend)?;
    sqlx::query(NOTE).bind(rows.kind.name).bind(records).execute(connection).await.map_err(fault)?;
    Ok(())
}

/// The number of the first record whose id was there before, or came earlier.
pub(super) async fn find(connection: &mut SqliteConnection) -> Result<Option<u64>, StorageError> {
    sqlx::raw_sql(KEEP_LESS).execute(&mut *connection).await.map_err(fault)?;
    let twin: Option<i64> = sqlx::query_scalar(FIND).fetch_one(connection).await.map_err(fault)?;
    Ok(twin.map(i64::cast_unsigned))
}
