//! How SQLite goes about our statements: whatever they read, they look up.

use sqlx::{AssertSqlSafe, Row};

use crate::storage::sqlite::SqliteStorage;

/// How a lookup may begin.
const LEADS: [&str; 5] = ["(family_id=?", "(id=?", "(user_id=?", "(digest=?", "(email=?"];

/// A lookup by an index that SQLite makes for the time, in what the statement itself put together.
const AUTOMATIC: &str = "AUTOMATIC";

/// A sort, which no index spares.
pub(super) const SORT: &str = "TEMP B-TREE";

/// Asserts that each statement finds what it reads in indexes whose beginning it names, and in their order.
pub(super) async fn assert_looked_up(statements: &[&str]) {
    for sql in statements {
        let steps = explain(sql).await;
        let work: Vec<&str> = steps.iter().filter_map(|step| work(step)).collect();
        assert!(!work.is_empty(), "{sql}\n{steps:#?}");
        for step in work {
            assert!(LEADS.iter().any(|lead| step.starts_with(lead)), "{step} in {sql}\n{steps:#?}");
        }
    }
}

/// Asserts what a statement looks up and sorts, in this order, and that it does nothing else.
pub(super) async fn assert_work(sql: &str, expected: &[&str]) {
    let steps = explain(sql).await;
    let work: Vec<&str> = steps.iter().filter_map(|step| work(step)).collect();
    assert_eq!(work, expected, "{sql}\n{steps:#?}");
}

/// The steps of a statement, none of which goes through a whole table.
async fn explain(sql: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
    let explain = AssertSqlSafe(["EXPLAIN QUERY PLAN ", sql].concat());
    let steps = sqlx::query(explain).fetch_all(&mut *storage.connections.begin().await.unwrap()).await.unwrap();
    let steps: Vec<String> = steps.iter().map(|step| step.get("detail")).collect();
    for table in steps.iter().filter_map(|step| step.strip_prefix("SCAN ")) {
        assert!(is_own(table, &steps), "SCAN {table} in {sql}\n{steps:#?}");
    }
    steps
}

/// Whether it is no table: an argument's elements, or what the statement itself puts together.
fn is_own(table: &str, steps: &[String]) -> bool {
    let made = ["CO-ROUTINE ", "MATERIALIZE "];
    table == "CONSTANT ROW"
        || table == "json_each VIRTUAL TABLE INDEX 1:"
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
