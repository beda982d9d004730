//! Assertions on query plans: every statement uses indexes, and none scans a table.

use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use crate::sqlite::SqliteStorage;

/// The allowed first columns of an index lookup.
const LOOKUP_PREFIXES: [&str; 10] = [
    "(family_id=?",
    "(id=?",
    "(user_id=?",
    "(owner_user_id=?",
    "(digest=?",
    "(email=?",
    "(name=?",
    "(access_token=?",
    "(code=?",
    "(refresh_lineage=?",
];

/// SQLite's word for a temporary index, which it builds on an intermediate result of a statement.
const TEMPORARY_INDEX: &str = "AUTOMATIC";

/// SQLite's word for a sort. There is none if an index returns the rows in order.
pub(super) const SORT: &str = "TEMP B-TREE";

/// Asserts that each statement reads only by index lookups on an allowed first column, and does not sort.
pub(super) async fn assert_index_lookups(statements: &[&str]) {
    let (storage, _folder) = open().await;
    let mut connection = storage.database.begin().await.unwrap();
    for sql in statements {
        assert!(assert_no_full_scan(&mut connection, sql).await > 0, "{sql}");
    }
}

/// Asserts that each statement reads only by index lookups on an allowed first column, and sorts.
pub(super) async fn assert_index_lookups_and_sort(statements: &[&str]) {
    let (storage, _folder) = open().await;
    let mut connection = storage.database.begin().await.unwrap();
    for sql in statements {
        let steps = checked_steps(&mut connection, sql).await;
        let mut actual: Vec<&str> = steps.iter().filter_map(|step| lookup_or_sort(step)).collect();
        assert!(actual.contains(&SORT), "{sql}\n{steps:#?}");
        actual.retain(|step| *step != SORT);
        assert!(actual.iter().all(|step| LOOKUP_PREFIXES.iter().any(|lead| step.starts_with(lead))), "{steps:#?}");
    }
}

/// Asserts that a statement reads tables only by index lookups and does not sort. Returns the number of lookups.
pub(super) async fn assert_no_full_scan(connection: &mut SqliteConnection, sql: &str) -> usize {
    let (lookups, sorts) = count_lookups_and_sorts(connection, sql).await;
    assert_eq!(sorts, 0, "{SORT} in {sql}");
    lookups
}

/// Asserts that a statement reads tables only by index lookups. Returns the numbers of lookups and sorts.
pub(super) async fn count_lookups_and_sorts(connection: &mut SqliteConnection, sql: &str) -> (usize, usize) {
    let steps = checked_steps(connection, sql).await;
    let (sorts, lookups): (Vec<&str>, Vec<&str>) =
        steps.iter().filter_map(|step| lookup_or_sort(step)).partition(|step| *step == SORT);
    for step in &lookups {
        assert!(LOOKUP_PREFIXES.iter().any(|lead| step.starts_with(lead)), "{step} in {sql}\n{steps:#?}");
    }
    (lookups.len(), sorts.len())
}

/// Asserts the exact lookups and sorts of a statement, in this order.
pub(super) async fn assert_plan(sql: &str, expected: &[&str]) {
    let (storage, _folder) = open().await;
    let steps = checked_steps(&mut storage.database.begin().await.unwrap(), sql).await;
    let actual: Vec<&str> = steps.iter().filter_map(|step| lookup_or_sort(step)).collect();
    assert_eq!(actual, expected, "{sql}\n{steps:#?}");
}

/// Opens a new file in a folder, which is removed when it is dropped.
pub(super) async fn open() -> (SqliteStorage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (SqliteStorage::open(folder.path().join("family.db")).await.unwrap(), folder)
}

/// Returns the steps of the query plan.
pub(super) async fn steps(connection: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let explain = AssertSqlSafe(["EXPLAIN QUERY PLAN ", sql].concat());
    let steps = sqlx::query(explain).fetch_all(connection).await.unwrap();
    steps.iter().map(|step| step.get("detail")).collect()
}

/// Returns the steps of the query plan, and asserts that none scans a table.
async fn checked_steps(connection: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let steps = steps(connection, sql).await;
    for table in steps.iter().filter_map(|step| step.strip_prefix("SCAN ")) {
        assert!(is_not_a_table(table, &steps), "SCAN {table} in {sql}\n{steps:#?}");
    }
    steps
}

/// Returns whether a name in a plan is not a table, but the elements of a JSON argument, or an intermediate result.
fn is_not_a_table(table: &str, steps: &[String]) -> bool {
    let intermediate = ["CO-ROUTINE ", "MATERIALIZE "];
    table == "CONSTANT ROW"
        || table.ends_with(" VIRTUAL TABLE INDEX 1:")
        || steps.iter().any(|step| intermediate.iter().any(|prefix| step.strip_prefix(prefix) == Some(table)))
}

/// Returns the condition of a lookup, [`SORT`] for a sort, or `None` for another step. Example:
/// `SEARCH t USING INDEX i (a=? AND b=?) LEFT-JOIN` → `(a=? AND b=?)`
fn lookup_or_sort(step: &str) -> Option<&str> {
    if step.contains(SORT) {
        return Some(SORT);
    }
    let search = step.strip_prefix("SEARCH ")?;
    let from = search.find(TEMPORARY_INDEX).or_else(|| search.find('('))?;
    Some(&search[from..=search.rfind(')')?])
}

/// Returns the `WHEN` condition and the statements of a trigger, with `?1` instead of `NEW.…` and `OLD.…`.
pub(super) fn trigger_queries(trigger: &str) -> Vec<String> {
    let (head, body) = trigger.split_once("BEGIN").unwrap();
    let condition = head.split_once("WHEN ").map(|(_, condition)| ["SELECT ", condition].concat());
    let statements = body.rsplit_once("END").unwrap().0.split(';').map(str::to_owned);
    let all = condition.into_iter().chain(statements).map(|sql| with_parameters(&sql));
    all.filter(|sql| sql.contains("WHERE")).collect()
}

/// Replaces the columns of the trigger's row: `id = NEW.family_id` → `id = ?1`.
fn with_parameters(sql: &str) -> String {
    let sql = sql.replace("OLD.", "NEW.");
    let mut parts = sql.split("NEW.");
    let beginning = parts.next().unwrap().to_owned();
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    parts.fold(beginning, |sql, part| [&sql, "?1", part.trim_start_matches(is_name)].concat())
}

#[tokio::test]
async fn triggers_do_not_scan_tables() {
    let (storage, _folder) = open().await;
    let triggers = sqlx::query_scalar("SELECT sql FROM sqlite_schema WHERE type = 'trigger'");
    let triggers: Vec<String> = triggers.fetch_all(storage.database.readers()).await.unwrap();
    let queries: Vec<String> = triggers.iter().flat_map(|trigger| trigger_queries(trigger)).collect();
    // The trigger of a deleted user has three statements.
    assert_eq!(queries.len(), triggers.len() + 2);
    assert_index_lookups(&queries.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

#[tokio::test]
#[should_panic(expected = "AUTOMATIC")]
async fn assertion_fails_for_a_temporary_index() {
    let statement = "WITH mine AS MATERIALIZED (SELECT id FROM users WHERE family_id = ?1)
                     SELECT 1 FROM users u JOIN mine ON mine.id = u.name WHERE u.family_id = ?1";
    assert_index_lookups(&[statement]).await;
}

#[tokio::test]
#[should_panic(expected = "SCAN users")]
async fn assertion_fails_for_a_full_scan() {
    assert_index_lookups(&["SELECT 1 FROM users WHERE name = ?1"]).await;
}

#[tokio::test]
#[should_panic(expected = "TEMP B-TREE")]
async fn assertion_fails_for_a_sort() {
    assert_index_lookups(&["SELECT 1 FROM users WHERE family_id = ?1 ORDER BY name"]).await;
}
