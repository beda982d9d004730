//! Assertions on query plans: every statement uses indexes, and none scans a table.

use family_api_testing::{Database, Server, postgres_tests};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, PgConnection, Row};

use crate::postgres::{CITUS_DISTRIBUTION, PostgresStorage};

/// The columns by which a table may be looked up. Other tables are looked up by `family_id`.
const LOOKUP_COLUMNS: [(&str, &[&str]); 11] = [
    ("_family_api_loaded", &["family_id", "kind"]),
    ("_family_api_user_locks", &["user_id"]),
    ("calendar_feeds", &["digest", "id", "user_id", "expires_at"]),
    ("calendar_ids", &["name"]),
    ("deleted_records", &["family_id", "owner_user_id"]),
    ("families", &["id"]),
    ("grants", &["id", "access_token", "code", "refresh_lineage", "user_id"]),
    ("integration_keys", &["digest", "id", "user_id"]),
    ("passwords", &["user_id"]),
    ("sessions", &["digest", "user_id"]),
    ("users", &["id", "email", "family_id"]),
];

/// Returns the tables that can be distributed by `family_id`.
fn family_tables() -> Vec<&'static str> {
    let calls = CITUS_DISTRIBUTION.lines().filter_map(|line| line.strip_prefix("SELECT create_distributed_table('"));
    calls.filter_map(|call| Some(call.split_once("', 'family_id'")?.0)).collect()
}

/// Asserts that the generic plan of each statement reads only by index lookups on [`LOOKUP_COLUMNS`].
pub(super) async fn assert_index_lookups(statements: &[&str]) {
    let database = create_migrated_database().await;
    assert_index_lookups_of(database.connect().await, statements).await;
}

/// Asserts the same of statements for distributed tables.
pub(super) async fn assert_index_lookups_if_distributed(statements: &[&str]) {
    let database = create_migrated_database().await;
    assert_index_lookups_of(database.distribute(CITUS_DISTRIBUTION).await, statements).await;
}

pub(super) async fn create_migrated_database() -> Database {
    let database = Server::shared().create_database().await;
    PostgresStorage::open(database.url()).await.unwrap().close().await;
    database
}

async fn assert_index_lookups_of(mut connection: PgConnection, statements: &[&str]) {
    connection.execute("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan").await.unwrap();
    for sql in statements {
        assert_filters_by_family(sql);
        let plan = explain(&mut connection, sql).await;
        assert!(count_lookups(&plan[0]["Plan"], None) > 0, "{sql}\n{plan:#}");
    }
}

/// Makes the server prefer index lookups. Without these settings, it scans small tables.
const PREFER_LOOKUPS: &str = "
    SET LOCAL enable_seqscan = off;
    SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_mergejoin = off;
    SET LOCAL plan_cache_mode = force_generic_plan";

/// Asserts that the statements can read all tables by index lookups. The connection must be in a transaction.
pub(super) async fn assert_no_full_scan(connection: &mut PgConnection, statements: &[&str]) {
    connection.execute(PREFER_LOOKUPS).await.unwrap();
    for sql in statements {
        let plan = explain(connection, sql).await;
        count_lookups(&plan[0]["Plan"], None);
    }
}

/// Returns the number of rows that a statement reads from tables and indexes, with the plan that the server uses after
/// 6 executions. `values` are its arguments, as SQL.
pub(super) async fn rows_read(connection: &mut PgConnection, sql: &str, values: &str) -> f64 {
    connection.execute(AssertSqlSafe(format!("PREPARE counted AS {sql}"))).await.unwrap();
    for _ in 0..6 {
        connection.execute(AssertSqlSafe(format!("EXPLAIN EXECUTE counted ({values})"))).await.unwrap();
    }
    let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE counted ({values})");
    let row = connection.fetch_one(AssertSqlSafe(explain)).await.unwrap();
    connection.execute("DEALLOCATE counted").await.unwrap();
    let plan: Value = serde_json::from_str(row.get_unchecked(0)).unwrap();
    count_rows(&plan[0]["Plan"])
}

/// Returns the rows that the scans of a node and its children read, including rows that a filter removed.
fn count_rows(node: &Value) -> f64 {
    let children: f64 = node["Plans"].as_array().into_iter().flatten().map(count_rows).sum();
    let is_scan = node["Node Type"].as_str().unwrap().contains("Scan");
    if !is_scan || (node["Relation Name"].is_null() && node["Index Name"].is_null()) {
        return children;
    }
    let counts = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"];
    let rows: f64 = counts.iter().filter_map(|count| node[count].as_f64()).sum();
    children + rows * node["Actual Loops"].as_f64().unwrap()
}

/// Asserts that a statement filters each joined table by `family_id = $1`. An engine that distributes tables does not
/// infer this filter from a join condition such as `c.family_id = b.family_id`.
fn assert_filters_by_family(sql: &str) {
    let words: Vec<&str> = sql.split_whitespace().collect();
    for sequence in words.windows(4) {
        let [before, table, third, fourth] = *sequence else { continue };
        let alias = if third == "AS" { fourth } else { third };
        if matches!(before, "FROM" | "JOIN") && family_tables().contains(&table) {
            let prefix = if alias == "WHERE" { String::new() } else { format!("{alias}.") };
            assert!(sql.contains(&format!("{prefix}family_id = $1")), "{table} in {sql}");
        }
    }
}

async fn explain(connection: &mut PgConnection, sql: &str) -> Value {
    let count = count_arguments(sql);
    // The server infers the type of an argument, unless the statement does not use it.
    let types = (1..=count).map(|number| if uses_argument(sql, number) { "unknown" } else { "text" });
    let prepare = format!("PREPARE statement {} AS {sql}", list(types));
    connection.execute(AssertSqlSafe(prepare)).await.unwrap();
    let explain = format!("EXPLAIN (FORMAT JSON) EXECUTE statement {}", list((0..count).map(|_| "NULL")));
    let row = connection.fetch_one(AssertSqlSafe(explain)).await.unwrap();
    connection.execute("DEALLOCATE statement").await.unwrap();
    serde_json::from_str(row.get_unchecked(0)).unwrap()
}

fn uses_argument(sql: &str, number: usize) -> bool {
    sql.contains(&format!("${number}"))
}

fn count_arguments(sql: &str) -> usize {
    (1..=99).rev().find(|number| uses_argument(sql, *number)).unwrap_or_default()
}

/// Returns the items in parentheses. PostgreSQL allows no empty list.
fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let items: Vec<_> = items.collect();
    if items.is_empty() { String::new() } else { format!("({})", items.join(", ")) }
}

/// Returns the number of index lookups in a node and its children. `table` is the table of a parent bitmap scan.
fn count_lookups(node: &Value, table: Option<&str>) -> usize {
    let table = node["Relation Name"].as_str().or(table);
    let children = node["Plans"].as_array().into_iter().flatten();
    let lookups: usize = children.map(|node| count_lookups(node, table)).sum();
    let kind = node["Node Type"].as_str().unwrap();
    assert_ne!(kind, "Seq Scan", "{node:#}");
    if !kind.contains("Index") {
        return lookups;
    }
    let allowed = LOOKUP_COLUMNS.iter().find(|(name, _)| Some(*name) == table).map(|(_, columns)| *columns);
    let condition = node["Index Cond"].as_str().unwrap_or_default();
    let is_condition = |column: &&str| condition.contains(&format!("({column} = "));
    assert!(allowed.unwrap_or(&["family_id"]).iter().any(is_condition), "{node:#}");
    lookups + 1
}

postgres_tests! {
    #[should_panic(expected = "(title = $1)")]
    async fn assertion_fails_for_a_lookup_without_family() {
        assert_index_lookups(&["DELETE FROM ONLY notes WHERE title = $1 AND id = $2"]).await;
    }

    #[should_panic(expected = "Seq Scan")]
    async fn assertion_fails_for_a_full_scan() {
        assert_index_lookups(&["SELECT 1 FROM users WHERE name = $1"]).await;
    }

    async fn rows_removed_by_a_filter_are_counted() {
        let mut connection = Server::shared().create_database().await.connect().await;
        connection.execute("CREATE TABLE t AS SELECT n FROM generate_series(1, 100) AS n").await.unwrap();
        for (sql, value, rows) in
            [("SELECT 1 FROM t WHERE n = $1 LIMIT 1", "7", 7.0), ("SELECT 1 FROM t WHERE n > $1", "90", 100.0)]
        {
            let read = rows_read(&mut connection, sql, value).await;
            assert!((read - rows).abs() < 0.5, "{read} rows: {sql}");
        }
    }
}

#[test]
#[should_panic(expected = "columns in")]
fn assertion_fails_for_a_join_without_family_filter() {
    assert_filters_by_family(
        "SELECT 1 FROM boards b JOIN columns c ON c.family_id = b.family_id AND c.board_id = b.id WHERE b.family_id = $1",
    );
}
