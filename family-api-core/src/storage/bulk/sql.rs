//! The statements of a load, from the tables of the records.

use crate::storage::Record;
use crate::storage::record::table::{Reference, Table, is_global};
use crate::storage::record::value::Type;

/// What differs between the databases.
pub(in crate::storage) struct Dialect {
    /// A CTE `r` with a row in each `value`, from the JSON array in the first argument.
    pub(in crate::storage) rows: &'static str,
    /// Returns the SQL of the value at a position of a row.
    pub(in crate::storage) value: fn(usize, Type) -> String,
}

/// Returns the SQL of a value that needs no conversion.
pub(in crate::storage) fn plain_value(position: usize) -> String {
    format!("r.value ->> {position}")
}

/// Returns the statements that insert rows of a table. Passwords are in a table of their own.
pub(super) fn insert(dialect: &Dialect, table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    let mut statements = Vec::new();
    for (position, column) in table.columns.iter().enumerate() {
        let value = (dialect.value)(position, column.value);
        if column.value == Type::Password {
            let id = plain_value(table.position("id").unwrap_or_default());
            statements.push(format!(
                "{} INSERT INTO passwords (user_id, phc) SELECT {id}, {value} FROM r WHERE {value} IS NOT NULL",
                dialect.rows
            ));
        } else {
            names.push(format!("\"{}\"", column.name));
            values.push(value);
        }
    }
    let (names, values) = (names.join(", "), values.join(", "));
    statements.insert(0, format!("{} INSERT INTO {} ({names}) SELECT {values} FROM r", dialect.rows, table.name));
    statements
}

/// Returns a query: whether a row refers to a record that does not exist.
///
/// It compares two counts. An engine that distributes the tables supports an inner join with an argument, but not an
/// outer join.
pub(super) fn lacks(dialect: &Dialect, table: &Table, reference: &Reference) -> String {
    let value = |column| table.position(column).map(plain_value).unwrap_or_default();
    let id = value(reference.column);
    let parent = Record::TABLES.into_iter().find(|table| table.kind == reference.kind).map_or("", |table| table.name);
    let scope =
        if is_global(reference.kind) { String::new() } else { format!(" AND p.family_id = {}", value("family_id")) };
    format!(
        "{} SELECT (SELECT count({id}) FROM r) > (SELECT count(*) FROM r JOIN {parent} p ON p.id = {id}{scope})",
        dialect.rows
    )
}

/// Returns every statement of a load.
#[cfg(test)]
pub(in crate::storage) fn all_statements(dialect: &Dialect) -> Vec<String> {
    let mut statements = Vec::new();
    for table in Record::TABLES {
        statements.extend(insert(dialect, table));
        statements.extend(table.references.iter().map(|reference| lacks(dialect, table, reference)));
    }
    statements
}
