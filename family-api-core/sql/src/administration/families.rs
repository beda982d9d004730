//! Families: the statements.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::id::{FamilyId, Id};
use family_api_core::storage::table::is_global;
use family_api_core::storage::value::{Datum, StoredRow, Values};
use family_api_core::storage::{FamilySummary, KindCount, Record, StorageError};

use crate::administration::{Counts, take_count};
use crate::sql_connection::SqlConnection;
use crate::writes::INCREMENT_REVISION;

const FAMILY_COLUMNS: &str = "f.id, f.name, f.created_at, (SELECT count(*) FROM users u WHERE u.family_id = f.id)";

pub(super) static LIST_FAMILIES: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {FAMILY_COLUMNS} FROM families f WHERE f.id > coalesce($1, '') ORDER BY f.id LIMIT $2")
});

pub(super) static FIND_FAMILY: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {FAMILY_COLUMNS} FROM families f WHERE f.id = $1"));

/// A database does not need a foreign key from the user to the family.
pub(super) const CLEAR_MEMBERS: &str = "UPDATE users SET family_id = NULL, updated_at = $2 WHERE family_id = $1";

/// Also deletes the records of the family, by foreign keys.
pub(super) const DELETE_FAMILY: &str = "DELETE FROM families WHERE id = $1";

pub(super) static FAMILY_COUNTS: LazyLock<Counts> = LazyLock::new(|| {
    let tables = Record::TABLES.iter().filter(|table| !is_global(table.kind));
    let tables = tables.map(|table| (table.kind, table.name, "family_id = $1"));
    Counts::of(tables.chain([("deletedRecord", "deleted_records", "family_id = $1")]))
});

pub(crate) async fn list_families(
    connection: &mut impl SqlConnection,
    after: Option<&FamilyId>,
    limit: u32,
) -> Result<Vec<FamilySummary>, StorageError> {
    let limit = i64::from(limit);
    let arguments = vec![Datum::Text(after.map(Id::text)), Datum::of(&limit)];
    let rows = connection.find_rows(&LIST_FAMILIES, arguments).await?;
    rows.iter().map(|row| family_summary(&mut Values::of(row))).collect()
}

pub(crate) async fn find_family(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
) -> Result<Option<FamilySummary>, StorageError> {
    let row = connection.find_row(&FIND_FAMILY, vec![Datum::of(family)]).await?;
    row.map(|row| family_summary(&mut Values::of(&row))).transpose()
}

fn family_summary(values: &mut Values<'_, impl StoredRow>) -> Result<FamilySummary, StorageError> {
    Ok(FamilySummary {
        id: values.take()?,
        name: values.take()?,
        created_at: values.take()?,
        members: take_count(values)?,
    })
}

pub(crate) async fn count_family(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
) -> Result<Vec<KindCount>, StorageError> {
    FAMILY_COUNTS.query(connection, vec![Datum::of(family)]).await
}

/// Deletes a family in a transaction of the caller.
pub(crate) async fn delete_family(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    now: Timestamp,
) -> Result<Option<Vec<KindCount>>, StorageError> {
    if connection.execute(INCREMENT_REVISION, vec![Datum::of(family)]).await? == 0 {
        return Ok(None);
    }
    let counts = count_family(connection, family).await?;
    connection.execute(CLEAR_MEMBERS, vec![Datum::of(family), Datum::of(&now)]).await?;
    connection.execute(DELETE_FAMILY, vec![Datum::of(family)]).await?;
    Ok(Some(counts))
}
