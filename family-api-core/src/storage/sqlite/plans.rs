//! How SQLite goes about our statements: whatever they read, they look up.

use sqlx::{AssertSqlSafe, Row};

use crate::storage::sqlite::SqliteStorage;

/// How a lookup may begin.
const LEADS: [&str; 5] = ["(family_id=?", "(id=?", "(user_id=?", "(digest=?", "(email=?"];

/// What is gone through and is no table: what the statement itself has put together, and the elements of an argument.
const OWN: [&str; 2] = ["SCAN mine", "SCAN json_each VIRTUAL TABLE INDEX 1:"];

/// Asserts that each statement finds what it reads in indexes whose beginning it names, and in their order.
pub(super) async fn assert_looked_up(statements: &[&str]) {
    for sql in statements {
        let steps = explain(sql).await;
        assert!(steps.iter().any(|step| lookup(step).is_some()), "{sql}\n{steps:#?}");
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{sql}\n{steps:#?}");
    }
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
    let explain = AssertSqlSafe(["EXPLAIN QUERY PLAN ", sql].concat());
    let steps = sqlx::query(explain).fetch_all(&mut *storage.connections.begin().await.unwrap()).await.unwrap();
    let steps: Vec<String> = steps.iter().map(|step| step.get("detail")).collect();
    let goes_through = |step: &&String| step.starts_with("SCAN") && !OWN.contains(&step.as_str());
    assert_eq!(steps.iter().find(goes_through), None, "{sql}\n{steps:#?}");
    for lookup in steps.iter().filter_map(|step| lookup(step)) {
        assert!(LEADS.iter().any(|lead| lookup.starts_with(lead)), "{sql}\n{steps:#?}");
    }
    steps
}

/// `SEARCH t USING INDEX i (a=? AND b=?) LEFT-JOIN` → `(a=? AND b=?)`
fn lookup(step: &str) -> Option<&str> {
    let search = step.strip_prefix("SEARCH ")?;
    Some(&search[search.find('(')?..=search.rfind(')')?])
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
