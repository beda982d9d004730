//! The maximum number of records of a kind in a family.
//!
//! A count of the records would take longer than the creation of one. So each family has a bound: no kind has more
//! records. A creation only compares the bound with the limit, and counts if the bound is unknown or has reached it.

use std::sync::LazyLock;

use crate::id::FamilyId;
use crate::resource::RecordKind;
use crate::storage::StorageError;
use crate::storage::sql::writes::SqlKind;
use crate::storage::sql::{Argument, SqlConnection, SqlRow, Values};
use crate::storage::writable::for_each_kind;

/// Counts the records of each kind, each at most `$2`.
pub(super) static COUNT_RECORDS: LazyLock<String> = LazyLock::new(|| {
    let counts = tables().map(|(_, table)| {
        format!("(SELECT count(*) FROM (SELECT 1 FROM {table} WHERE family_id = $1 LIMIT $2) AS counted)")
    });
    format!("SELECT {}", counts.join(", "))
});

pub(super) const SET_BOUND: &str = "UPDATE families SET record_bound = $2 WHERE id = $1";

/// Returns the table of each kind, in the order of [`COUNT_RECORDS`].
fn tables() -> [(RecordKind, &'static str); RecordKind::ALL.len()] {
    macro_rules! table_of_each_kind {
        ($($method:ident: $Record:ident,)*) => {
            [$((RecordKind::$Record, <crate::resource::$Record as SqlKind>::TABLE.name)),*]
        };
    }
    for_each_kind!(table_of_each_kind)
}

/// Counts the records, and returns whether there are fewer than `max` of the kind. Then sets the bound to the largest
/// count plus `added`, the number of records of this write that the bound must already include.
pub(super) async fn count(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    kind: RecordKind,
    max: u32,
    added: i64,
) -> Result<bool, StorageError> {
    let max = i64::from(max);
    let arguments = vec![Argument::of(family), Argument::Integer(Some(max))];
    let Some(row) = connection.find_row(&COUNT_RECORDS, arguments).await? else {
        return Err(StorageError::backend("a count returned no row"));
    };
    let counts = counts(&row)?;
    if counts.contains(&(kind, max)) {
        return Ok(false);
    }
    let largest = counts.into_iter().map(|(_, count)| count).fold(0, i64::max);
    // There can be more records than the largest count if the count has ended at `max`.
    if largest < max {
        let arguments = vec![Argument::of(family), Argument::Integer(Some(largest + added))];
        connection.change_rows(SET_BOUND, arguments).await?;
    }
    Ok(true)
}

fn counts(row: &impl SqlRow) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    let mut values = Values::of(row);
    tables().into_iter().map(|(kind, _)| Ok((kind, values.take()?))).collect()
}
