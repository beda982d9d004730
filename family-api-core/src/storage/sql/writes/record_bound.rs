//! The maximum number of records of a kind in a family.
//!
//! A count of the tasks of a large family takes longer than the creation of one. So each family has a bound for each
//! kind: it has at most as many records. A write only compares the bound with the limit, and counts the records of the
//! kind if the bound is unknown or has reached the limit. Records that contain others are so few that each write counts
//! them.

use crate::id::FamilyId;
use crate::storage::StorageError;
use crate::storage::family_data::TEXT_BLOCK;
use crate::storage::record::table::Column;
use crate::storage::record::value::Type;
use crate::storage::sql::writes::SqlKind;
use crate::storage::sql::{Argument, SqlConnection, Values};

/// Returns the number of the rows `counted`. A record counts once, and once more for each of its
/// [blocks](crate::storage::family_data::RowKind::blocks).
fn records() -> String {
    format!("count(*) + coalesce(sum(counted.bytes / {TEXT_BLOCK}), 0)")
}

/// The statements of a kind of record. `$1` is the family.
pub(in crate::storage) struct BoundStatements {
    /// Counts the records. It reads at most `$2` of them.
    pub(super) count: String,
    /// Adds `$2` to the bound.
    pub(super) raise: String,
    /// Sets the bound to `$2`.
    pub(super) set: String,
    /// Increments the revision, and adds 1 to the bound.
    #[cfg(feature = "postgres")]
    pub(in crate::storage) add_record: String,
}

impl BoundStatements {
    /// Returns `None` if each write counts the records.
    pub(super) fn of<R: SqlKind>() -> Option<Self> {
        let table = R::TABLE.name;
        R::KIND.is_restorable().then(|| Self {
            count: count::<R>("LIMIT $2"),
            raise: format!("UPDATE families SET {table}_bound = {table}_bound + $2 WHERE id = $1"),
            set: format!("UPDATE families SET {table}_bound = $2 WHERE id = $1"),
            #[cfg(feature = "postgres")]
            add_record: format!(
                "UPDATE families SET revision = revision + 1, {table}_bound = {table}_bound + 1 WHERE id = $1"
            ),
        })
    }
}

/// Returns the expression of the bound or count in the statement that finds the facts.
pub(super) fn expression<R: SqlKind>() -> String {
    if R::KIND.is_restorable() { format!("f.{}_bound", R::TABLE.name) } else { format!("({})", count::<R>("")) }
}

fn count<R: SqlKind>(limit: &str) -> String {
    format!(
        "SELECT {records}
        FROM (SELECT {bytes} AS bytes FROM {table} WHERE family_id = $1 {limit}) AS counted",
        records = records(),
        bytes = bytes::<R>(),
        table = R::TABLE.name,
    )
}

/// Returns a query of the columns `family_id` and `records`, for all families that have records of the kind.
pub(in crate::storage::sql) fn records_of_families<R: SqlKind>() -> String {
    format!(
        "SELECT counted.family_id, {records} AS records
        FROM (SELECT family_id, {bytes} AS bytes FROM {table}) AS counted GROUP BY counted.family_id",
        records = records(),
        bytes = bytes::<R>(),
        table = R::TABLE.name,
    )
}

/// Returns the expression of the bytes of a record's text.
fn bytes<R: SqlKind>() -> String {
    // SQLite finds the length of a column without reading its text, but not the length of an expression.
    let bytes = |Column { name, value }: &Column| {
        let text = if matches!(value, Type::Texts) { format!("CAST({name} AS TEXT)") } else { (*name).to_owned() };
        format!("coalesce(octet_length({text}), 0)")
    };
    let mut bytes: Vec<_> = R::COLUMNS.iter().filter(|column| R::TEXT.contains(&column.name)).map(bytes).collect();
    if bytes.is_empty() {
        bytes.push("0".to_owned());
    }
    bytes.join(" + ")
}

/// Counts the records, at most `max`.
pub(super) async fn count_records(
    connection: &mut impl SqlConnection,
    statements: &'static BoundStatements,
    family: &FamilyId,
    max: i64,
) -> Result<i64, StorageError> {
    let arguments = vec![Argument::of(family), Argument::Integer(Some(max))];
    let row = connection.find_row(&statements.count, arguments).await?;
    let row = row.ok_or_else(|| StorageError::backend("a count returned no row"))?;
    Values::of(&row).take()
}
