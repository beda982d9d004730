//! Lists of columns for statements, from the [columns](StoredFields::COLUMNS) of the resources.

use family_api_core::storage::table::TableColumn;
use family_api_core::storage::value::{Datum, StoredFields};

/// Returns the columns of a resource for a `SELECT`. `table` is the alias of its table.
pub(crate) fn columns<T: StoredFields>(table: &str) -> String {
    let columns = T::COLUMNS.iter().map(|column| format!(r#"{table}."{}""#, column.name));
    columns.collect::<Vec<_>>().join(", ")
}

/// Returns the `SET` list of an `UPDATE` of all columns except `fixed`. Its first argument has the number `first`, and
/// [`updated_values`] returns its arguments.
pub(crate) fn assignments<T: StoredFields>(fixed: &[&str], first: usize) -> String {
    let updated = T::COLUMNS.iter().filter(|column| is_updated(column, fixed)).enumerate();
    let assignments = updated.map(|(index, column)| format!(r#""{}" = ${}"#, column.name, first + index));
    assignments.collect::<Vec<_>>().join(", ")
}

/// Returns the arguments of the [`assignments`].
pub(crate) fn updated_values<'r, T: StoredFields>(record: &'r T, fixed: &[&str]) -> impl Iterator<Item = Datum<'r>> {
    let columns = T::COLUMNS.iter().zip(record.values());
    columns.filter(|(column, _)| is_updated(column, fixed)).map(|(_, argument)| argument)
}

fn is_updated(column: &TableColumn, fixed: &[&str]) -> bool {
    !fixed.contains(&column.name)
}
