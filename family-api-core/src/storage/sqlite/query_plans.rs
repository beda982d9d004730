//! How SQLite goes about our statements: whatever they read, they look up.

use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use crate::storage::sqlite::SqliteStorage;

/// How a lookup may begin.
const LEADS: [&str; 6] = ["(family_id=?", "(id=?", "(user_id=?", "(digest=?", "(email=?", "(kind=?"];

/// A lookup by an index that SQLite makes for the time, in what the statement itself put together.
const AUTOMATIC: &str = "AUTOMATIC";

/// A sort, which no index spares.
pub(super) const SORT: &str = "TEMP B-TREE";

/// Asserts that each statement finds what it reads in indexes whose beginning it names, and in their order.
pub(super) async fn assert_looked_up(statements: &[&str]) {
    let (storage, _folder) = open().await;
    let mut connection = storage.connections.begin().await.unwrap();
    for sql in statements {
        assert!(assert_no_table_is_gone_through(&mut connection, sql).await > 0, "{sql}");
    }
}

/// Asserts of a statement that it looks up what it reads of tables, if it reads any, and tells how often.
pub(super) async fn assert_no_table_is_gone_through(connection: &mut SqliteConnection, sql: &str) -> usize {
    let steps = checked_steps(connection, sql).await;
    let work: Vec<&str> = steps.iter().filter_map(|step| work(step)).collect();
    for step in &work {
        assert!(LEADS.iter().any(|lead| step.starts_with(lead)), "{step} in {sql}\n{steps:#?}");
    }
    work.len()
}

/// Asserts what a statement looks up and sorts, in this order, and that it does nothing else.
pub(super) async fn assert_work(sql: &str, expected: &[&str]) {
    let (storage, _folder) = open().await;
    let steps = checked_steps(&mut storage.connections.begin().await.unwrap(), sql).await;
    let work: Vec<&str> = steps.iter().filter_map(|step| work(step)).collect();
    assert_eq!(work, expected, "{sql}\n{steps:#?}");
}

async fn open() -> (SqliteStorage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (SqliteStorage::open(folder.path().join("family.db")).await.unwrap(), folder)
}

/// What SQLite would do, step by step.
pub(super) async fn steps(connection: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let explain = AssertSqlSafe(["EXPLAIN QUERY PLAN ", sql].concat());
    let steps = sqlx::query(explain).fetch_all(connection).await.unwrap();
    steps.iter().map(|step| step.get("detail")).collect()
}

/// The steps of a statement, none of which goes through a whole table.
async fn checked_steps(connection: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let steps = steps(connection, sql).await;
    for table in steps.iter().filter_map(|step| step.strip_prefix("SCAN ")) {
        assert!(is_own(table, &steps), "SCAN {table} in {sql}\n{steps:#?}");
    }
    steps
}

/// Whether it is no table: an argument's elements, the version of the file, or what the statement itself puts together.
fn is_own(table: &str, steps: &[String]) -> bool {
    let made = ["CO-ROUTINE ", "MATERIALIZE "];
    table == "CONSTANT ROW"
        || table.ends_with(" VIRTUAL TABLE INDEX 1:")
        || table == "data_version VIRTUAL TABLE INDEX 0:"
        || steps.iter().any(|step| made.iter().any(|made| step.strip_prefix(made) == Some(table)))
}

/// What a step looks up, or that it sorts: `SEARCH t USING INDEX i (a=? AND b=?) LEFT-JOIN` → `(a=? AND b=?)`
fn work(step: &str) -> Option<&str> {
    if step.contains(SORT) {
        return Some(SORT);
    }
    let search = step.strip_prefix("SEARCH ")?;
    let from = search.find(AUTOMATIC).or_else(|| search.find('('))?;
    Some(&search[from..=search.rfind(')')?])
}

/// What a trigger asks: its condition and its statements, with a value in the place of whatever it takes of its row.
pub(super) fn questions(trigger: &str) -> Vec<String> {
    let (head, body) = trigger.split_once("BEGIN").unwrap();
    let condition = head.split_once("WHEN ").map(|(_, condition)| ["SELECT ", condition].concat());
    let statements = body.rsplit_once("END").unwrap().0.split(';').map(str::to_owned);
    let all = condition.into_iter().chain(statements).map(|sql| with_values(&sql));
    all.filter(|sql| sql.contains("WHERE")).collect()
}

/// `id = NEW.family_id` → `id = ?1`
fn with_values(sql: &str) -> String {
    let sql = sql.replace("OLD.", "NEW.");
    let mut parts = sql.split("NEW.");
    let beginning = parts.next().unwrap().to_owned();
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    parts.fold(beginning, |sql, part| [&sql, "?1", part.trim_start_matches(is_name)].concat())
}

#[tokio::test]
async fn what_a_trigger_asks_is_looked_up() {
    let (storage, _folder) = open().await;
    let triggers = sqlx::query_scalar("SELECT sql FROM sqlite_schema WHERE type = 'trigger'");
    let triggers: Vec<String> = triggers.fetch_all(storage.connections.readers()).await.unwrap();
    let questions: Vec<String> = triggers.iter().flat_map(|trigger| questions(trigger)).collect();
    assert_eq!(questions.len(), triggers.len());
    assert_looked_up(&questions.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

#[tokio::test]
#[should_panic(expected = "AUTOMATIC")]
async fn a_statement_that_makes_an_index_for_itself_is_noticed() {
    let statement = "WITH mine AS MATERIALIZED (SELECT id FROM users WHERE family_id = ?1)
                     SELECT 1 FROM users u JOIN mine ON mine.id = u.name WHERE u.family_id = ?1";
    assert_looked_up(&[statement]).await;
}

#[tokio::test]
#[should_panic(expected = "SCAN users")]
async fn a_statement_that_goes_through_a_table_is_noticed() {
    assert_looked_up(&["SELECT 1 FROM users WHERE name = ?1"]).await;
}

#[tokio::test]
#[should_panic(expected = "TEMP B-TREE")]
async fn a_statement_that_sorts_is_noticed() {
    assert_looked_up(&["SELECT 1 FROM users WHERE family_id = ?1 ORDER BY name"]).await;
}
