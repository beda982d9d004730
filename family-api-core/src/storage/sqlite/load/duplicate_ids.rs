//! Detection of duplicate ids: an id must be unique among all families.
//!
//! The tables' keys begin with the family, so they cannot be searched by id alone. Ids are compared once, at the end of
//! the load. Duplicates of families, users and containers are rejected earlier.

use sqlx::SqliteConnection;

use crate::storage::StorageError;
use crate::storage::bulk::Rows;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;

/// Creates the table of loaded records. A row contains many records of one kind: `[[id, number], …]`.
const CREATE_TABLE: &str = "CREATE TEMP TABLE loaded (kind TEXT NOT NULL, records TEXT NOT NULL) STRICT";

const INSERT: &str = "INSERT INTO loaded (kind, records) SELECT value ->> 0, value -> 1 FROM json_each(?1)";

/// Number of records in a batch. Records are inserted in batches because a statement costs more than a row.
const BATCH_SIZE: usize = 8192;

/// Reduces the page cache to 4 MiB. A sort may use as much memory as the page cache, and the cached pages are not
/// needed any more.
const SHRINK_CACHE: &str = "PRAGMA cache_size = -4096";

/// Finds the first record of the load whose id another record of its kind had before. Duplicates that existed before
/// the load are ignored.
pub(super) const FIND: &str = "
    WITH duplicates (kind, id, number) AS MATERIALIZED (
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
    duplicate_records (number, position, loaded, total) AS (
        SELECT r.value ->> 1, row_number() OVER (same_id ORDER BY r.value ->> 1), count(*) OVER same_id, d.number
        FROM loaded l CROSS JOIN json_each(l.records) r
             CROSS JOIN duplicates d ON d.kind = l.kind AND d.id = r.value ->> 0
        WHERE EXISTS (SELECT 1 FROM duplicates)
        WINDOW same_id AS (PARTITION BY d.kind, d.id)
    )
    SELECT min(number) FROM duplicate_records WHERE position > 1 OR loaded < total";

/// Records the ids of the load.
pub(super) struct DuplicateIds {
    /// The batch that is not in the table yet: kinds, ids and numbers.
    pending: Vec<(&'static str, Vec<(String, u64)>)>,
    count: usize,
}

impl DuplicateIds {
    pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<Self, StorageError> {
        sqlx::raw_sql(CREATE_TABLE).execute(connection).await.map_err(fault)?;
        Ok(Self { pending: Vec::new(), count: 0 })
    }

    /// Records the ids of these rows.
    pub(super) async fn add(&mut self, connection: &mut SqliteConnection, rows: &Rows<'_>) -> Result<(), StorageError> {
        let records: Vec<_> = rows.ids().map(|(id, number)| (id.to_owned(), number)).collect();
        self.count += records.len();
        self.pending.push((rows.kind.name, records));
        if self.count < BATCH_SIZE { Ok(()) } else { self.flush(connection).await }
    }

    async fn flush(&mut self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        let pending = serde_json::to_string(&std::mem::take(&mut self.pending)).map_err(StorageError::backend)?;
        self.count = 0;
        sqlx::query(INSERT).bind(pending).execute(connection).await.map_err(fault)?;
        Ok(())
    }

    /// Returns the number of the first record whose id existed before, or that an earlier record has.
    pub(super) async fn find(&mut self, connection: &mut SqliteConnection) -> Result<Option<u64>, StorageError> {
        self.flush(&mut *connection).await?;
        sqlx::raw_sql(SHRINK_CACHE).execute(&mut *connection).await.map_err(fault)?;
        let row = sqlx::query(FIND).fetch_one(connection).await.map_err(fault)?;
        Ok(decode::get_nullable(&row, 0)?.map(i64::cast_unsigned))
    }
}
