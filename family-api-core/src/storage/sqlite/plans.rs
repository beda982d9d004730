//! How SQLite goes about our statements: whatever they read, they look up.

use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use crate::storage::sqlite::SqliteStorage;

/// How a lookup may begin.
const LEADS: [&str; 6] = ["(family_id=?", "(id=?", "(user_id=?", "(digest=?", "(email=?", "(kind=?"];

/// What is gone through and is no table: what the statement itself has put together, and the elements of an argument.
const OWN: [&str; 6] = [
    "SCAN CONSTANT ROW",
    "SCAN mine",
    "SCAN r",
    "SCAN r VIRTUAL TABLE INDEX 1:",
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "SCAN jsonb_each VIRTUAL TABLE INDEX 1:",
];

/// Asserts that each statement finds what it reads in indexes whose beginning it names, and in their order.
pub(super) async fn assert_looked_up(statements: &[&str]) {
    for sql in statements {
        let steps = explain(sql).await;
        assert!(steps.iter().any(|step| lookup(step).is_some()), "{sql}\n{steps:#?}");
        assert!(!steps.iter().any(|step| sorts(step)), "{sql}\n{steps:#?}");
    }
}

/// Asserts of a statement that it looks up what it reads of tables, if it reads any.
pub(super) async fn assert_no_table_is_gone_through(connection: &mut SqliteConnection, sql: &str) {
    let steps = checked_steps(connection, sql).await;
    assert!(!steps.iter().any(|step| sorts(step)), "{sql}\n{steps:#?}");
}

/// Asserts what a statement looks up, in this order; nothing else, and nothing by going through a whole table.
pub(super) async fn assert_lookups(sql: &str, expected: &[&str]) {
    let steps = explain(sql).await;
    let lookups: Vec<&str> = steps.iter().filter_map(|step| lookup(step)).collect();
    assert_eq!(lookups, expected, "{sql}\n{steps:#?}");
}

async fn explain(sql: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
    checked_steps(&mut storage.connections.begin().await.unwrap(), sql).await
}

/// What SQLite would do, step by step.
pub(super) async fn steps(connection: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let explain = AssertSqlSafe(["EXPLAIN QUERY PLAN ", sql].concat());
    let steps = sqlx::query(explain).fetch_all(connection).await.unwrap();
    steps.iter().map(|step| step.get("detail")).collect()
}

async fn checked_steps(connection: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let steps = steps(connection, sql).await;
    let goes_through = |step: &&String| step.starts_with("SCAN") && !OWN.contains(&step.as_str());
    assert_eq!(steps.iter().find(goes_through), None, "{sql}\n{steps:#?}");
    assert!(!steps.iter().any(|step| step.contains("AUTOMATIC")), "{sql}\n{steps:#?}");
    for lookup in steps.iter().filter_map(|step| lookup(step)) {
        assert!(LEADS.iter().any(|lead| lookup.starts_with(lead)), "{sql}\n{steps:#?}");
    }
    steps
}

fn sorts(step: &str) -> bool {
    step.contains("TEMP B-TREE")
}

/// `SEARCH t USING INDEX i (a=? AND b=?) LEFT-JOIN` → `(a=? AND b=?)`
fn lookup(step: &str) -> Option<&str> {
    let search = step.strip_prefix("SEARCH ")?;
    Some(&search[search.find('(')?..=search.rfind(')')?])
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
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
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
