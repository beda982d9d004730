//! The statements for deleted records. SQLite and PostgreSQL execute the same text.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::resource::RecordKind;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{DeletedRecord, StorageError};

use crate::batched_statement::BatchedStatement;
use crate::sql_connection::SqlConnection;

pub(crate) const FIND_DELETED: &str = "
    SELECT record FROM deleted_records WHERE family_id = $1 AND kind = $2 AND id = $3 AND deleted_at > $4";

static INSERT_DELETED: LazyLock<BatchedStatement> = LazyLock::new(|| BatchedStatement::of(insert_deleted_sql));

fn insert_deleted_sql(count: usize) -> String {
    let firsts = (0..count).map(|row| 4 * row + 2);
    let rows = firsts.map(|first| format!("($1, ${first}, ${}, ${}, ${})", first + 1, first + 2, first + 3));
    format!(
        "INSERT INTO deleted_records (family_id, kind, id, record, deleted_at) VALUES {}
        ON CONFLICT (family_id, kind, id) DO UPDATE SET record = excluded.record, deleted_at = excluded.deleted_at",
        rows.collect::<Vec<_>>().join(", ")
    )
}

pub(crate) const DELETE_DELETED: &str = "DELETE FROM deleted_records WHERE family_id = $1 AND kind = $2 AND id = $3";

/// Deletes a deleted record, unless it was restored and deleted again at another instant.
pub(crate) const PURGE_DELETED: &str = "
    DELETE FROM deleted_records WHERE family_id = $1 AND kind = $2 AND id = $3 AND deleted_at = $4";

pub(crate) const FIND_OLD_DELETED: &str = "
    SELECT family_id, kind, id, deleted_at FROM deleted_records WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT $2";

/// Returns the deleted records of the family `$1` and the kind `$2` beyond the `$3` newest or the newest `$4` bytes, at
/// most `$5`, the oldest first. Neither database reads a long text to find its length.
pub(crate) const FIND_SURPLUS_DELETED: &str = "
    SELECT family_id, kind, id, deleted_at FROM (
        SELECT family_id, kind, id, deleted_at, row_number() OVER newest AS records,
               sum(octet_length(record)) OVER newest AS bytes
        FROM deleted_records WHERE family_id = $1 AND kind = $2
        WINDOW newest AS (ORDER BY deleted_at DESC, id DESC ROWS UNBOUNDED PRECEDING)
    ) AS counted
    WHERE records > $3 OR bytes > $4 ORDER BY deleted_at, id LIMIT $5";

fn deleted<'a>(family: &'a FamilyId, kind: RecordKind, id: Datum<'a>) -> Vec<Datum<'a>> {
    vec![Datum::of(family), Datum::Text(Some(kind.as_str())), id]
}

/// Returns the JSON of a record that was deleted after `since`.
pub(crate) async fn find_deleted(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    kind: RecordKind,
    id: Datum<'_>,
    since: Timestamp,
) -> Result<Option<String>, StorageError> {
    let mut arguments = deleted(family, kind, id);
    arguments.push(Datum::of(&since));
    let row = connection.find_row(FIND_DELETED, arguments).await?;
    row.map(|row| Values::of(&row).take()).transpose()
}

pub(crate) async fn insert_deleted(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    records: &[DeletedRecord],
) -> Result<(), StorageError> {
    for (sql, records) in INSERT_DELETED.split(records) {
        let mut arguments = vec![Datum::of(family)];
        for DeletedRecord { kind, id, record, deleted_at } in records {
            let kind = Datum::Text(Some(kind.as_str()));
            arguments.extend([kind, Datum::of(id), Datum::of(record), Datum::of(deleted_at)]);
        }
        connection.execute(sql, arguments).await?;
    }
    Ok(())
}

/// Returns whether there was a deleted record.
pub(crate) async fn delete_deleted(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    kind: RecordKind,
    id: Datum<'_>,
) -> Result<bool, StorageError> {
    Ok(connection.execute(DELETE_DELETED, deleted(family, kind, id)).await? > 0)
}
