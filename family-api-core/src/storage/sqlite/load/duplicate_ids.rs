//! Ids that two records of a kind have: they are unique beyond a family.
//!
//! The tables lead with the family and cannot be searched for an id alone, so ids are compared once for all, at the end
//! of the load. What has a table of its own ids, or is a container, is refused before that.

use sqlx::SqliteConnection;

use crate::storage::StorageError;
use crate::storage::bulk::Rows;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;

/// Which record of the load is which, many of a kind in a row: `[[id, number], …]`.
const BEGIN: &str = "CREATE TEMP TABLE loaded (kind TEXT NOT NULL, records TEXT NOT NULL) STRICT";

const NOTE: &str = "INSERT INTO loaded (kind, records) SELECT value ->> 0, value -> 1 FROM json_each(?1)";

/// So many records are gathered before they are noted: a statement costs more than a row.
const MOST_RECORDS: usize = 8192;

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

/// What the load adds.
pub(super) struct Twins {
    /// What was added and is not in the table yet: kinds, ids and numbers.
    added: Vec<(&'static str, Vec<(String, u64)>)>,
    count: usize,
}

impl Twins {
    pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<Self, StorageError> {
        sqlx::raw_sql(BEGIN).execute(connection).await.map_err(fault)?;
        Ok(Self { added: Vec::new(), count: 0 })
    }

    /// Takes note of which record is which.
    pub(super) async fn note(
        &mut self,
        connection: &mut SqliteConnection,
        rows: &Rows<'_>,
    ) -> Result<(), StorageError> {
        let records: Vec<_> = rows.ids().map(|(id, number)| (id.to_owned(), number)).collect();
        self.count += records.len();
        self.added.push((rows.kind.name, records));
        if self.count < MOST_RECORDS { Ok(()) } else { self.write(connection).await }
    }

    async fn write(&mut self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        let added = serde_json::to_string(&std::mem::take(&mut self.added)).map_err(StorageError::backend)?;
        self.count = 0;
        sqlx::query(NOTE).bind(added).execute(connection).await.map_err(fault)?;
        Ok(())
    }

    /// The number of the first record whose id was there before, or came earlier.
    pub(super) async fn find(&mut self, connection: &mut SqliteConnection) -> Result<Option<u64>, StorageError> {
        self.write(&mut *connection).await?;
        sqlx::raw_sql(KEEP_LESS).execute(&mut *connection).await.map_err(fault)?;
        let row = sqlx::query(FIND).fetch_one(connection).await.map_err(fault)?;
        Ok(decode::get_nullable(&row, 0)?.map(i64::cast_unsigned))
    }
}
