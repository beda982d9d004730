//! The statements of an update, from the tables of the records.
//!
//! The temporary table `_family_api_loaded` contains the records of the update. The `family_id` of kinds whose ids are
//! unique among all families is empty. `number` is the number of the record in the update: a batch stores its families
//! before its users, also if a family comes after a user. The kind `password` contains the ids of the users whose
//! passwords change.

use family_api_core::change::MAX_SEQUENCE;
use family_api_core::storage::table::{Reference, Table, TableColumn, is_global};
use family_api_core::storage::value::Type;
use family_api_core::storage::{LoadFault, MissingRecords};

use crate::bulk::load_sql::{Dialect, deleted_kind, is_deleted, lacks, plain_value};
use crate::bulk::{digest_field, is_credential};

/// Columns whose first value stays. A revoked key is never valid again.
const FINAL_COLUMNS: [&str; 1] = ["revoked_at"];

/// Columns whose value stays if the line does not have the field. An event keeps the zone that it got at an import.
const KEPT_COLUMNS: [&str; 1] = ["time_zone"];

/// The column with the number of changes of a record. No update lowers it.
const SEQUENCE: &str = "sequence";

/// Returns the SQL of a value that needs no conversion, by its column.
fn value(table: &Table, column: &str) -> String {
    table.position(column).map(plain_value).unwrap_or_default()
}

/// Returns the SQL of a row's number in the update.
fn number(dialect: &Dialect, table: &Table) -> String {
    (dialect.value)(table.columns.len(), Type::Integer)
}

/// Returns the condition that a family is in the update, before the row.
fn is_loaded_before(dialect: &Dialect, table: &Table, family: &str) -> String {
    format!(
        "EXISTS (
            SELECT 1 FROM _family_api_loaded f
            WHERE f.family_id = '' AND f.kind = 'family' AND f.id = {family} AND f.number < {}
        )",
        number(dialect, table)
    )
}

/// Returns the SQL of a row's family. `NULL` if the kind has none.
fn family(table: &Table) -> String {
    match table.kind {
        "family" => value(table, "id"),
        kind if is_credential(kind) => "CAST(NULL AS TEXT)".to_owned(),
        _ => value(table, "family_id"),
    }
}

/// Returns the SQL of the family that is part of a row's identity.
fn scope(table: &Table, kind: &str) -> String {
    if is_global(kind) { "''".to_owned() } else { value(table, "family_id") }
}

/// Returns the columns that identify a stored record.
fn identity(table: &Table) -> &'static [&'static str] {
    if is_global(table.kind) { &["id"] } else { &["family_id", "id"] }
}

/// Returns the join of the rows `r` to the stored records `t`.
fn join(table: &Table) -> String {
    let columns = identity(table).iter().map(|column| format!("t.{column} = {}", value(table, column)));
    format!("r JOIN {} t ON {}", table.name, columns.collect::<Vec<_>>().join(" AND "))
}

/// Returns the SQL of a column after the update, from the new value.
fn updated(name: &str, new: &str) -> String {
    if FINAL_COLUMNS.contains(&name) {
        format!("coalesce(t.{name}, {new})")
    } else if KEPT_COLUMNS.contains(&name) {
        format!("coalesce({new}, t.{name})")
    } else if name == SEQUENCE {
        format!("CASE WHEN {new} > t.{name} THEN {new} ELSE t.{name} END")
    } else {
        new.to_owned()
    }
}

/// Returns the SQL of a column after the update of a record that differs, from the new value.
fn assigned(name: &str, new: &str) -> String {
    if name != SEQUENCE {
        return updated(name, new);
    }
    format!("CASE WHEN {new} > t.{name} THEN {new} WHEN t.{name} < {MAX_SEQUENCE} THEN t.{name} + 1 ELSE t.{name} END")
}

/// Returns the condition that the columns of `t` change. `new` returns the SQL of a new value.
fn differs(table: &Table, new: impl Fn(usize, &TableColumn) -> String) -> String {
    let columns = table.columns.iter().enumerate().filter(|(_, column)| column.value != Type::Password);
    let (old, new): (Vec<_>, Vec<_>) = columns
        .map(|(position, column)| (format!("t.\"{}\"", column.name), updated(column.name, &new(position, column))))
        .unzip();
    format!("({}) IS DISTINCT FROM ({})", old.join(", "), new.join(", "))
}

/// Returns the SQL of the hash of a row's password.
fn password(table: &Table) -> Option<String> {
    table.columns.iter().position(|column| column.value == Type::Password).map(plain_value)
}

/// Returns the condition that a row has a password that is not stored.
fn sets_password(table: &Table) -> Option<String> {
    let id = value(table, "id");
    let password = password(table)?;
    Some(format!(
        "{password} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = {id} AND p.phc = {password})"
    ))
}

/// Returns a statement that locks the families of the rows, as a write of the service does. `None` if the table has no
/// family, or if there is only one writer.
pub(super) fn lock_families(dialect: &Dialect, table: &Table) -> Option<String> {
    if !dialect.has_concurrent_writers || is_credential(table.kind) {
        return None;
    }
    let old_families = match table.kind {
        "user" => format!(" UNION SELECT t.family_id FROM {}", join(table)),
        _ => String::new(),
    };
    Some(format!(
        "{} UPDATE families SET revision = revision WHERE id IN (SELECT {} FROM r{old_families})",
        dialect.rows,
        family(table)
    ))
}

/// Returns the statement that inserts the rows into `_family_api_loaded`.
pub(super) fn remember(dialect: &Dialect, table: &Table) -> String {
    format!(
        "{} INSERT INTO _family_api_loaded (family_id, kind, id, number) SELECT {}, '{}', {}, {} FROM r",
        dialect.rows,
        scope(table, table.kind),
        table.kind,
        value(table, "id"),
        number(dialect, table)
    )
}

/// Returns a query whether a row refers to a record that is not in the update before it, and the fault.
pub(super) fn lacks_loaded(dialect: &Dialect, table: &Table, reference: &Reference) -> (String, LoadFault) {
    let id = value(table, reference.column);
    let sql = format!(
        "{rows} SELECT (SELECT count({id}) FROM r) > (
            SELECT count(*) FROM r
            JOIN _family_api_loaded p ON p.family_id = {scope} AND p.kind = '{kind}' AND p.id = {id}
        )",
        rows = dialect.rows,
        scope = scope(table, reference.kind),
        kind = reference.kind,
    );
    (sql, LoadFault::new(&reference.field(), "expected the id of a record that is in the file before"))
}

/// Returns the queries whether a row must be refused, each with the fault.
pub(super) fn refusals(dialect: &Dialect, table: &Table, missing: MissingRecords) -> Vec<(String, LoadFault)> {
    let mut refusals = Vec::new();
    for reference in table.references {
        match missing {
            MissingRecords::Delete => refusals.push(lacks_loaded(dialect, table, reference)),
            MissingRecords::Keep if !reference.is_keyed => {
                refusals.push((lacks(dialect, table, reference), LoadFault::no_parent(&reference.field())));
            }
            MissingRecords::Keep => {}
        }
    }
    let exists = |from: &str| format!("{} SELECT count(*) > 0 FROM {from}", dialect.rows);
    match table.kind {
        "user" => refusals.push((
            exists(&format!(
                "{join} JOIN families f ON f.id = t.family_id
                WHERE t.family_id IS DISTINCT FROM {family} AND NOT {is_loaded_before}",
                join = join(table),
                family = value(table, "family_id"),
                is_loaded_before = is_loaded_before(dialect, table, "t.family_id"),
            )),
            LoadFault::new(
                "familyId",
                "expected the family of the user, because the file does not contain that family before this line",
            ),
        )),
        kind if is_credential(kind) => refusals.push((
            exists(&format!(
                "{join} WHERE t.user_id <> {user} OR t.digest <> {digest}",
                join = join(table),
                user = value(table, "user_id"),
                digest = (dialect.value)(table.position("digest").unwrap_or_default(), Type::Digest),
            )),
            LoadFault::new(
                "id",
                &format!("expected another id, because the stored {kind} has another userId or {}", digest_field(kind)),
            ),
        )),
        _ => {}
    }
    refusals
}

/// Returns a query: for each family of the rows, and of the users who move, how many of the rows exist and how many of
/// those differ.
pub(super) fn compare(dialect: &Dialect, table: &Table) -> String {
    let mut changes = differs(table, |position, column| (dialect.value)(position, column.value));
    if let Some(sets_password) = sets_password(table) {
        changes = format!("{changes} OR {sets_password}");
    }
    // The old family of a user may not exist any more.
    let old_family = match table.kind {
        "user" => "(SELECT f.id FROM families f WHERE f.id = t.family_id)",
        _ => "CAST(NULL AS TEXT)",
    };
    let family = if table.kind == "family" { "CAST(NULL AS TEXT)".to_owned() } else { family(table) };
    format!(
        "{rows} SELECT {family}, {old_family}, count(*), count(CASE WHEN {changes} THEN 1 END)
        FROM {join} GROUP BY 1, 2",
        rows = dialect.rows,
        join = join(table),
    )
}

/// How an update replaces deleted records with the same ids.
pub(super) struct ReplacedDeleted {
    /// A query whether a row has the id of a deleted record.
    pub(super) is_found: String,
    /// Raises the `sequence` of the stored rows above that of the deleted records. `None` if the records have none.
    pub(super) raise_sequence: Option<String>,
    /// Deletes those records for ever.
    pub(super) forget: String,
}

/// Returns how the deleted records of a table are replaced. `None` if none of them can be restored. The kind formally
/// depends on the row, as in [`is_deleted`].
pub(super) fn replaced_deleted(dialect: &Dialect, table: &Table) -> Option<ReplacedDeleted> {
    let forget = format!(
        "{rows} DELETE FROM deleted_records
        WHERE (family_id, kind, id) IN (SELECT {family}, CASE WHEN {id} IS NOT NULL THEN '{kind}' END, {id} FROM r)",
        rows = dialect.rows,
        kind = deleted_kind(table)?,
        family = value(table, "family_id"),
        id = value(table, "id"),
    );
    let raise_sequence = table.position(SEQUENCE).map(|_| {
        let deleted = format!("CAST({} ->> 'sequence' AS BIGINT)", dialect.deleted);
        format!(
            "{rows} UPDATE {name} AS t SET {SEQUENCE} = CASE WHEN {deleted} < {MAX_SEQUENCE} THEN {deleted} + 1
                ELSE {MAX_SEQUENCE} END
            FROM r JOIN deleted_records d ON d.family_id = {family} AND d.id = {id}
                AND d.kind = CASE WHEN {id} IS NOT NULL THEN '{kind}' END
            WHERE t.family_id = {family} AND t.id = {id} AND t.{SEQUENCE} <= {deleted}",
            rows = dialect.rows,
            name = table.name,
            kind = deleted_kind(table).unwrap_or_default(),
            family = value(table, "family_id"),
            id = value(table, "id"),
        )
    });
    Some(ReplacedDeleted { is_found: is_deleted(dialect, table)?, raise_sequence, forget })
}

/// Returns the statements that insert or update the rows, and the passwords of users.
pub(super) fn upsert(dialect: &Dialect, table: &Table) -> Vec<String> {
    let excluded = |_: usize, column: &TableColumn| format!("excluded.\"{}\"", column.name);
    let mut names = Vec::new();
    let mut values = Vec::new();
    let mut assignments = Vec::new();
    for (position, column) in table.columns.iter().enumerate().filter(|(_, column)| column.value != Type::Password) {
        names.push(format!("\"{}\"", column.name));
        values.push((dialect.value)(position, column.value));
        if !identity(table).contains(&column.name) {
            assignments.push(format!("\"{}\" = {}", column.name, assigned(column.name, &excluded(position, column))));
        }
    }
    // Without the condition after `FROM r`, SQLite takes `ON CONFLICT` for the condition of a join.
    let mut statements = vec![format!(
        "{rows} INSERT INTO {name} AS t ({names}) SELECT {values} FROM r WHERE true
        ON CONFLICT ({identity}) DO UPDATE SET {assignments} WHERE {differs}",
        rows = dialect.rows,
        name = table.name,
        names = names.join(", "),
        values = values.join(", "),
        identity = identity(table).join(", "),
        assignments = assignments.join(", "),
        differs = differs(table, excluded),
    )];
    if let (Some(password), Some(sets_password)) = (password(table), sets_password(table)) {
        let id = value(table, "id");
        let [remember, set, end_sessions] = set_passwords(dialect, table, &password, &sets_password);
        let lock = lock_passwords(dialect, &id, &password);
        statements.splice(0..0, lock.into_iter().chain([remember, end_sessions.clone()]));
        statements.extend([set, end_sessions]);
    }
    statements
}

/// Returns a statement that locks the stored passwords of the rows with a password. `None` if no transaction can write
/// beside the update.
///
/// A sign-in locks its password before the user. If the update locked the user first, the two could deadlock.
fn lock_passwords(dialect: &Dialect, id: &str, password: &str) -> Option<String> {
    let lock = || {
        format!(
            "{} SELECT 1 FROM passwords p WHERE p.user_id IN (SELECT {id} FROM r WHERE {password} IS NOT NULL)
            ORDER BY p.user_id FOR UPDATE",
            dialect.rows
        )
    };
    dialect.has_concurrent_writers.then(lock)
}

/// Returns the statements that remember the users whose passwords change, set the passwords, and delete the sessions of
/// the remembered users.
///
/// The sessions are deleted before the users change, because a request locks its session before the user, and in the
/// other order the two could deadlock. They are deleted again at the end: a user without a password has no row to lock,
/// so another process can set a password and sign in.
fn set_passwords(dialect: &Dialect, table: &Table, password: &str, sets_password: &str) -> [String; 3] {
    let id = value(table, "id");
    [
        format!(
            "{} INSERT INTO _family_api_loaded (family_id, kind, id, number)
            SELECT '', 'password', {id}, {} FROM r WHERE {sets_password}",
            dialect.rows,
            number(dialect, table)
        ),
        format!(
            "{} INSERT INTO passwords AS p (user_id, phc) SELECT {id}, {password} FROM r WHERE {password} IS NOT NULL
            ON CONFLICT (user_id) DO UPDATE SET phc = excluded.phc WHERE p.phc <> excluded.phc",
            dialect.rows
        ),
        format!(
            "{} DELETE FROM sessions WHERE user_id IN (
                SELECT l.id FROM r
                JOIN _family_api_loaded l ON l.family_id = '' AND l.kind = 'password' AND l.id = {id}
            )",
            dialect.rows
        ),
    ]
}

/// Returns a query whether a stored row is its own ancestor, and the fault. `None` if the table has no reference to
/// itself.
pub(super) fn is_own_ancestor(dialect: &Dialect, table: &Table) -> Option<(String, LoadFault)> {
    let reference = table.references.iter().find(|reference| reference.kind == table.kind)?;
    let sql = format!(
        "{rows}, ancestors (family_id, id, ancestor_id) AS (
            SELECT t.family_id, t.id, t.{parent} FROM {join} WHERE t.{parent} IS NOT NULL
            UNION
            SELECT ancestors.family_id, ancestors.id, t.{parent} FROM ancestors
            JOIN {name} t ON t.family_id = ancestors.family_id AND t.id = ancestors.ancestor_id
            WHERE t.{parent} IS NOT NULL
        )
        SELECT count(*) > 0 FROM ancestors WHERE ancestor_id = id",
        rows = dialect.rows.replacen("WITH", "WITH RECURSIVE", 1),
        parent = reference.column,
        join = join(table),
        name = table.name,
    );
    Some((sql, LoadFault::new(&reference.field(), "expected a record that is not below this one")))
}

/// Returns every statement of an update.
#[cfg(test)]
pub(crate) fn all_statements(dialect: &Dialect) -> Vec<String> {
    let mut statements = Vec::new();
    for table in family_api_core::storage::Record::TABLES {
        statements.extend(lock_families(dialect, table));
        statements.push(remember(dialect, table));
        for missing in [MissingRecords::Keep, MissingRecords::Delete] {
            statements.extend(refusals(dialect, table, missing).into_iter().map(|(sql, _)| sql));
        }
        statements.push(compare(dialect, table));
        if let Some(ReplacedDeleted { is_found, raise_sequence, forget }) = replaced_deleted(dialect, table) {
            statements.extend([is_found, forget].into_iter().chain(raise_sequence));
        }
        statements.extend(upsert(dialect, table));
        statements.extend(is_own_ancestor(dialect, table).map(|(sql, _)| sql));
    }
    statements.extend(crate::bulk::missing_records::all_statements());
    statements
}
