//! The statements of a load, from the tables of the records.

use family_api_core::resource::RecordKind;
use family_api_core::storage::Record;
use family_api_core::storage::table::{Reference, Table, field_name, is_global};
use family_api_core::storage::value::Type;

/// What differs between the databases.
pub(crate) struct Dialect {
    /// A CTE `r` with a row in each `value`, from the JSON array in the first argument.
    pub(crate) rows: &'static str,
    /// Returns the SQL of the value at a position of a row.
    pub(crate) value: fn(usize, Type) -> String,
    /// The JSON value of the deleted record `d`.
    pub(crate) deleted: &'static str,
    /// Creates the temporary table `_family_api_loaded` (`family_id`, `kind`, `id`, `number`) with the records of an
    /// update.
    pub(crate) create_loaded: &'static str,
    /// Updates the statistics of that table. `None` if the query planner does not need them.
    pub(crate) analyze_loaded: Option<&'static str>,
    /// Whether several transactions can write at the same time. An update then locks its families.
    pub(crate) has_concurrent_writers: bool,
}

/// Returns the SQL of a value that needs no conversion.
pub(crate) fn plain_value(position: usize) -> String {
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

/// Returns a statement that locks the owners of the rows, so that they are not deleted before the rows are visible.
/// `None` for a table without keys, or if there is only one writer.
pub(super) fn lock_owners(dialect: &Dialect, table: &Table) -> Option<String> {
    let user = plain_value(table.position("user_id").filter(|_| dialect.has_concurrent_writers)?);
    Some(format!("{} SELECT u.id FROM r JOIN users u ON u.id = {user} FOR KEY SHARE OF u", dialect.rows))
}

/// Returns the kind of the table's records in `deleted_records`. `None` if they cannot be restored.
pub(super) fn deleted_kind(table: &Table) -> Option<&'static str> {
    let mut kinds = RecordKind::ALL.into_iter().filter(|kind| kind.is_restorable());
    Some(kinds.find(|kind| field_name(kind.as_str()) == table.kind)?.as_str())
}

/// Returns a query: whether a row has the id of a deleted record. `None` if no record of the table can be restored.
///
/// The kind formally depends on the row. With a constant, PostgreSQL can read all deleted records of the kind, instead
/// of looking up each row.
pub(super) fn is_deleted(dialect: &Dialect, table: &Table) -> Option<String> {
    let kind = deleted_kind(table)?;
    let value = |column| table.position(column).map(plain_value).unwrap_or_default();
    Some(format!(
        "{rows} SELECT (
            SELECT count(*) FROM r
            JOIN deleted_records d ON d.family_id = {family} AND d.id = {id}
                AND d.kind = CASE WHEN {id} IS NOT NULL THEN '{kind}' END
        ) > 0",
        rows = dialect.rows,
        family = value("family_id"),
        id = value("id"),
    ))
}

/// Returns a query: whether a row has the id of another row or of a stored key. `None` for a table without keys.
pub(crate) fn repeats_key_id(dialect: &Dialect, table: &Table) -> Option<String> {
    let id = plain_value(table.position("id").filter(|_| table.kind == "key")?);
    Some(format!(
        "{rows} SELECT (SELECT count(*) > count(DISTINCT {id}) FROM r)
            OR (SELECT count(*) FROM r JOIN {table} k ON k.id = {id}) > 0",
        rows = dialect.rows,
        table = table.name,
    ))
}

/// Returns every statement of a load into any database.
#[cfg(test)]
pub(crate) fn all_statements(dialect: &Dialect) -> Vec<String> {
    let mut statements = Vec::new();
    for table in Record::TABLES {
        statements.extend(insert(dialect, table));
        statements.extend(table.references.iter().map(|reference| lacks(dialect, table, reference)));
        statements.extend(is_deleted(dialect, table));
        statements.extend(lock_owners(dialect, table));
    }
    statements.extend(crate::bulk::event_zones::all_statements(dialect));
    statements
}
