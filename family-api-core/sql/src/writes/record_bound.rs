//! The maximum number of records of a kind in a family.
//!
//! A count of the tasks of a large family takes longer than the creation of one. So each family has a bound for each
//! kind: it has at most as many records. Each write adds or subtracts what it changes, and only compares the bound with
//! the limit. Records that contain others are so few that each write counts them.
//!
//! If the bound is unknown, for example after an import, the records are counted first: those of a small family in the
//! transaction of the write. They are also counted if the bound has reached the limit and the last count is [`MAX_AGE`]
//! old, because a host may have deleted records without the bound. A write for which more than [`FEW`] records must be
//! counted is rolled back, another transaction stores the bounds of all kinds, and the write begins again. Of several
//! writes that need a count together, only the first counts. Between two counts, a refused write reads no records.

#[cfg(feature = "sqlite")]
use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::resource::{Event, Note, ShoppingItem, Task};
use family_api_core::storage::table::TableColumn;
use family_api_core::storage::value::Datum;
use family_api_core::storage::value::Type;
#[cfg(feature = "sqlite")]
use family_api_core::storage::value::Values;
use family_api_core::storage::{StorageError, TEXT_BLOCK};
use jiff::SignedDuration;

use crate::sql_connection::{Engine, PerEngine, SqlConnection};
use crate::writes::SqlKind;

/// The time for which a bound that has reached the limit is not counted again.
const MAX_AGE: SignedDuration = SignedDuration::from_mins(10);

/// Maximum number of records that the transaction of a write counts.
const FEW: u32 = 256;

/// Returns the number of the rows `counted`. A record counts once, and once more for each of its
/// [blocks](family_api_core::storage::Writable::blocks).
fn records() -> String {
    format!("count(*) + coalesce(sum(counted.bytes / {TEXT_BLOCK}), 0)")
}

/// The statements of a kind of record. `$1` is the family.
pub(crate) struct BoundStatements {
    /// Sets the bound to the number of records plus `$2` and returns it, unless there are more than [`FEW`].
    pub(super) count_few: String,
    /// Adds `$2` to the bound.
    pub(super) raise: String,
    /// Subtracts `$2` from the bound.
    pub(super) lower: String,
    /// Increments the revision, and adds 1 to the bound.
    #[cfg(feature = "postgres")]
    pub(crate) add_record: String,
    /// Increments the revision, and subtracts 1 from the bound.
    #[cfg(feature = "postgres")]
    pub(crate) remove_record: String,
}

impl BoundStatements {
    /// Returns `None` if each write counts the records.
    pub(super) fn of<R: SqlKind>(engine: Engine) -> Option<Self> {
        let table = R::TABLE.name;
        // A bound that would become negative was wrong, so it becomes unknown.
        let lowered =
            |by: &str| format!("{table}_bound = CASE WHEN {table}_bound >= {by} THEN {table}_bound - {by} END");
        R::KIND.is_restorable().then(|| Self {
            count_few: format!(
                "UPDATE families SET {table}_bound = ({count}) + $2
                WHERE id = $1 AND (SELECT count(*) FROM (
                    SELECT 1 FROM {table} WHERE family_id = $1 LIMIT {FEW} + 1
                ) AS few) <= {FEW}
                RETURNING {table}_bound",
                count = count::<R>(engine),
            ),
            raise: format!("UPDATE families SET {table}_bound = {table}_bound + $2 WHERE id = $1"),
            lower: format!("UPDATE families SET {} WHERE id = $1", lowered("$2")),
            #[cfg(feature = "postgres")]
            add_record: format!(
                "UPDATE families SET revision = revision + 1, {table}_bound = {table}_bound + 1 WHERE id = $1"
            ),
            #[cfg(feature = "postgres")]
            remove_record: format!("UPDATE families SET revision = revision + 1, {} WHERE id = $1", lowered("1")),
        })
    }
}

/// Locks the family `$1`, unless its last count is another than `$3`. Then the count sees all records of transactions
/// that have changed the family before.
pub(super) const LOCK: &str =
    "UPDATE families SET records_counted_at = $2 WHERE id = $1 AND records_counted_at IS NOT DISTINCT FROM $3";

/// Returns the statement that sets the bounds of all kinds in the family `$1` to the number of its records.
pub(super) fn count_all(engine: Engine) -> &'static str {
    static COUNT: PerEngine<String> = PerEngine::new();
    COUNT.get(engine, |engine| {
        let bounds = counts(engine).map(|(table, count)| format!("{table}_bound = ({count})"));
        format!("UPDATE families SET {} WHERE id = $1", bounds.join(", "))
    })
}

/// Returns the table and the query of the number of records, for each kind with a bound.
fn counts(engine: Engine) -> [(&'static str, String); 4] {
    [
        (Task::TABLE.name, count::<Task>(engine)),
        (Note::TABLE.name, count::<Note>(engine)),
        (Event::TABLE.name, count::<Event>(engine)),
        (ShoppingItem::TABLE.name, count::<ShoppingItem>(engine)),
    ]
}

/// Counts the records of a family at `now`, in a transaction that does nothing else. Does nothing if another write has
/// counted them since the count at `last`, because many writes can be refused at the same time.
pub(crate) async fn count_records(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    LastCount(last): LastCount,
    now: Timestamp,
) -> Result<(), StorageError> {
    if connection.execute(LOCK, vec![Datum::of(family), Datum::of(&now), Datum::Instant(last)]).await? > 0 {
        connection.execute(count_all(connection.engine()), vec![Datum::of(family)]).await?;
    }
    Ok(())
}

/// The number of records of each kind with a bound, as of a revision of the family.
#[cfg(feature = "sqlite")]
pub(crate) struct Counted {
    revision: i64,
    records: [i64; 4],
}

/// Returns the revision and the numbers of records of the family `$1`, unless its last count is another than `$2`.
#[cfg(feature = "sqlite")]
pub(super) static FIND_COUNTS: LazyLock<String> = LazyLock::new(|| {
    let counts = counts(Engine::Sqlite).map(|(_, count)| format!(", ({count})"));
    format!(
        "SELECT f.revision{} FROM families f WHERE f.id = $1 AND f.records_counted_at IS NOT DISTINCT FROM $2",
        counts.concat()
    )
});

/// Sets the bounds of all kinds, unless the family has another revision than `$2`.
#[cfg(feature = "sqlite")]
pub(super) static STORE_COUNTS: LazyLock<String> = LazyLock::new(|| {
    let tables = counts(Engine::Sqlite).map(|(table, _)| table);
    let bounds: Vec<_> = tables.iter().zip(4..).map(|(table, number)| format!("{table}_bound = ${number}")).collect();
    format!("UPDATE families SET records_counted_at = $3, {} WHERE id = $1 AND revision = $2", bounds.join(", "))
});

/// Counts the records of a family with a read-only connection. Returns `None` if another write has counted them since
/// the count at `last`.
#[cfg(feature = "sqlite")]
pub(crate) async fn find_counts(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    LastCount(last): LastCount,
) -> Result<Option<Counted>, StorageError> {
    let Some(row) = connection.find_row(&FIND_COUNTS, vec![Datum::of(family), Datum::Instant(last)]).await? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    let revision = values.take()?;
    let records = [values.take()?, values.take()?, values.take()?, values.take()?];
    Ok(Some(Counted { revision, records }))
}

/// Stores what was counted. Returns `false` if the family has changed since.
#[cfg(feature = "sqlite")]
pub(crate) async fn store_counts(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    counted: &Counted,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let mut arguments = vec![Datum::of(family), Datum::of(&counted.revision), Datum::of(&now)];
    arguments.extend(counted.records.iter().map(Datum::of));
    Ok(connection.execute(&STORE_COUNTS, arguments).await? > 0)
}

/// When the bounds of all kinds were counted last. `None` if never.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastCount(pub(super) Option<Timestamp>);

/// Returns whether a bound that has reached the limit is counted again at `now`.
pub(super) fn is_count_due(LastCount(at): LastCount, now: Timestamp) -> bool {
    // A count is also due if the clock was set back. Clocks of nodes differ, and writes do not end in the order of `now`.
    at.is_none_or(|at| at > now.saturating_add(MAX_AGE) || at <= now.saturating_add(-MAX_AGE))
}

/// Subtracts deleted records that no statement or trigger has subtracted from the bound.
pub(crate) async fn lower<R: SqlKind>(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    records: usize,
) -> Result<(), StorageError> {
    if let Some(statements) = R::statements(connection.engine()).bound.as_ref().filter(|_| records > 0) {
        let records = i64::try_from(records).map_err(StorageError::backend)?;
        connection.execute(&statements.lower, vec![Datum::of(family), Datum::of(&records)]).await?;
    }
    Ok(())
}

/// Returns the expressions of the bound or count in the statement that finds the facts, and of the last count.
pub(super) fn expression<R: SqlKind>(engine: Engine) -> String {
    if R::KIND.is_restorable() {
        format!("f.{}_bound, f.records_counted_at", R::TABLE.name)
    } else {
        format!("({})", count::<R>(engine))
    }
}

fn count<R: SqlKind>(engine: Engine) -> String {
    format!(
        "SELECT {records} FROM (SELECT {bytes} AS bytes FROM {table} WHERE family_id = $1) AS counted",
        records = records(),
        bytes = bytes::<R>(engine),
        table = R::TABLE.name,
    )
}

/// Returns a query of the columns `family_id` and `records`, for all families that have records of the kind.
pub(crate) fn records_of_families<R: SqlKind>(engine: Engine) -> String {
    format!(
        "SELECT counted.family_id, {records} AS records
        FROM (SELECT family_id, {bytes} AS bytes FROM {table}) AS counted GROUP BY counted.family_id",
        records = records(),
        bytes = bytes::<R>(engine),
        table = R::TABLE.name,
    )
}

/// Returns the expression of the size of a record's text as JSON. It equals the sum of [`Datum::json_bytes`].
fn bytes<R: SqlKind>(engine: Engine) -> String {
    let text = R::KIND.text_columns();
    let columns = R::COLUMNS.iter().filter(|column| text.contains(&column.name));
    columns.map(|column| json_bytes(column, engine)).collect::<Vec<_>>().join(" + ")
}

/// Returns the expression of the size of a column as JSON. No function that writes JSON has the same name in SQLite and
/// in PostgreSQL 15.
fn json_bytes(column: &TableColumn, engine: Engine) -> String {
    let name = column.name;
    match engine {
        _ if matches!(column.value, Type::Json) => format!("coalesce(octet_length({name}), 0)"),
        // The column contains JSON.
        #[cfg(feature = "sqlite")]
        Engine::Sqlite if matches!(column.value, Type::Texts) => format!("octet_length({name})"),
        #[cfg(feature = "sqlite")]
        Engine::Sqlite => format!("iif({name} IS NULL, 0, octet_length(json_quote({name})))"),
        #[cfg(feature = "postgres")]
        Engine::Postgres => format!("coalesce(octet_length(to_json({name})::text), 0)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_counted_again_after_ten_minutes() {
        let at = |text: &str| -> Timestamp { format!("2026-11-20T{text}Z").parse().unwrap() };
        let now = at("12:00:00");
        for (counted_at, is_due) in
            [(None, true), (Some("11:50:00"), true), (Some("11:50:01"), false), (Some("12:00:00"), false)]
        {
            assert_eq!(is_count_due(LastCount(counted_at.map(at)), now), is_due, "{counted_at:?}");
        }
        assert!(!is_count_due(LastCount(Some(at("12:10:00"))), now));
        assert!(is_count_due(LastCount(Some(at("12:10:01"))), now));
    }
}
