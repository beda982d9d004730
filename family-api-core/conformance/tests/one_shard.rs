//! Derives from the executed statements and their plans that a request queries only the shard of its key and the shard
//! of its family, if the tables are distributed.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, slice};

use async_trait::async_trait;
use family_api_conformance::{
    Case, CredentialsSubject, FeedsSubject, GrantsSubject, Subject, credentials_cases, feeds_cases, grants_cases,
    seed_by_load, storage_cases,
};
use family_api_core::storage::{CredentialStorage, FeedStorage, GrantStorage, Record, Storage};
use family_api_sql::postgres::{CITUS_DISTRIBUTION, PostgresStorage};
use family_api_testing::{Database, Server, postgres_tests};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection, PgPool};

/// The statements that query several shards or write on every server. Each is given by its first words.
const EXCEPTIONS: [&str; 23] = [
    // Creation, list and revocation of keys.
    "SELECT count ( * ) FROM ( SELECT 1 FROM integration_keys WHERE user_id = $1",
    r#"SELECT k."id" , k."name" , k."hint" , k."scopes" , k."created_at" , k."expires_at" , k.last_used_at"#,
    "SELECT digest FROM integration_keys WHERE user_id = $1 AND id = $2",
    // Creation, refresh and revocation of grants.
    "INSERT INTO signing_keys",
    "INSERT INTO grants",
    "UPDATE grants SET refresh_lineage",
    "UPDATE grants SET revoked_at",
    "UPDATE grants SET misuse",
    "UPDATE grants AS g SET revoked_at",
    // Creation, changes, reads and end of calendar feeds.
    "INSERT INTO calendar_feeds",
    "UPDATE calendar_feeds SET",
    "DELETE FROM calendar_feeds",
    // A change of a user: the personal API is switched on or off, or the password is replaced.
    "UPDATE users",
    "DELETE FROM sessions WHERE user_id = $1",
    // The background task.
    "UPDATE grants SET last_used_at",
    "SELECT digest FROM integration_keys WHERE coalesce",
    "SELECT digest FROM integration_keys WHERE user_id = $1 AND coalesce",
    "DELETE FROM grants WHERE id = ANY",
    "SELECT digest FROM sessions WHERE expires_at",
    "SELECT digest FROM sessions WHERE user_id = $1 ORDER BY",
    "SELECT family_id , kind , id , deleted_at FROM deleted_records WHERE deleted_at",
    "SELECT family_id , CAST ( revision AS TEXT ) , changed_at FROM changes WHERE changed_at",
    "SELECT family_id , user_id , key , created_at FROM idempotency_keys WHERE created_at",
];

/// Makes a server log the plan of each execution, with the values of the arguments.
const LOG_PLANS: [(&str, &str); 3] = [
    ("plan_cache_mode", "force_custom_plan"),
    ("session_preload_libraries", "auto_explain"),
    ("auto_explain.log_min_duration", "0"),
];

const DELETE_ALL: &str = "DELETE FROM families; DELETE FROM users; DELETE FROM signing_keys";

/// Tables with the column by which they are distributed. `None` if the table is on every server.
type Distribution = BTreeMap<String, Option<String>>;

/// A storage with one connection, whose statements can be listed.
struct Observed {
    storage: PostgresStorage,
    pool: PgPool,
    /// Inserts the records of a case, with another connection.
    loader: PostgresStorage,
}

#[async_trait]
impl Subject for Observed {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        seed_by_load(&self.loader, records).await;
    }
}

impl CredentialsSubject for Observed {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.storage
    }
}

impl FeedsSubject for Observed {
    fn feeds(&self) -> &dyn FeedStorage {
        &self.storage
    }
}

impl GrantsSubject for Observed {
    fn grants(&self) -> &dyn GrantStorage {
        &self.storage
    }
}

impl Observed {
    /// Runs the cases, one after the other.
    async fn run<S: Subject + ?Sized>(&self, subject: &S, cases: Vec<Case<S>>, host: &mut PgConnection) {
        for case in cases {
            case.run(subject).await;
            let locks = sqlx::query_scalar("SELECT count(*) FROM _family_api_user_locks").fetch_one(&mut *host).await;
            assert_eq!(locks.ok(), Some(0_i64), "{}", case.name());
            host.execute(DELETE_ALL).await.unwrap();
        }
    }

    /// Returns the statements that the storage has executed on tables.
    async fn statements(&self) -> BTreeSet<String> {
        let query = sqlx::query_scalar("SELECT statement FROM pg_prepared_statements");
        let statements: Vec<String> = query.fetch_all(&self.pool).await.unwrap();
        statements.into_iter().filter(|sql| !sql.contains("pg_")).collect()
    }
}

/// Creates a database with tables. Returns the options of connections whose plans are logged.
async fn create_database(server: &Server) -> (Database, PgConnectOptions) {
    let database = server.create_database().await;
    PostgresStorage::open(database.url()).await.unwrap().close().await;
    let options: PgConnectOptions = database.url().parse().unwrap();
    (database, options.options(LOG_PLANS))
}

/// Returns the plans that a server has logged.
fn logged_plans(server: &Server) -> Vec<String> {
    let log = fs::read_to_string(server.folder().join("log")).unwrap();
    let plan = |text: &str| text.lines().take_while(|line| line.starts_with('\t')).collect::<Vec<_>>().join("\n");
    log.split("  plan:\n").skip(1).map(plan).collect()
}

/// Returns whether the planner has removed a table, because it knows that a condition is not true.
///
/// A condition such as `family_id = $1 AND id = $2` is never true if `$2` is `NULL`, so the planner removes the table
/// with both conditions. An engine that distributes the tables then misses the filter by family, and rejects the
/// statement. With `id = coalesce($2, '')`, the planner keeps them.
fn removes_table(plan: &str) -> bool {
    plan.contains("One-Time Filter: false")
}

/// A table in a statement.
struct TableUse<'a> {
    table: &'a str,
    alias: Option<&'a str>,
    is_written: bool,
}

/// Splits a statement into words, and `(`, `)` and `,`.
fn words(sql: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for mut word in sql.split_whitespace() {
        while let Some(end) = word.find(['(', ')', ',']) {
            words.extend([&word[..end], &word[end..=end]]);
            word = &word[end + 1..];
        }
        words.push(word);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the uses of these tables. A table follows a keyword, or a comma in a list of tables.
fn table_uses<'a>(words: &[&'a str], tables: &Distribution) -> Vec<TableUse<'a>> {
    let is_name = |word: &&&str| word.starts_with(|first: char| first.is_ascii_lowercase());
    let mut uses = Vec::new();
    for (position, word) in words.iter().enumerate() {
        if position == 0 || !tables.contains_key(*word) {
            continue;
        }
        let before = words[position - 1];
        let next = words.get(position + 1).filter(|next| **next != "AS").or_else(|| words.get(position + 2));
        let is_written = matches!(before, "INTO" | "UPDATE") || words[..position].ends_with(&["DELETE", "FROM"]);
        if is_written || matches!(before, "FROM" | "JOIN" | "USING" | ",") {
            uses.push(TableUse { table: word, alias: next.filter(is_name).copied(), is_written });
        }
    }
    uses
}

/// Returns why a statement can touch more than one shard or more than one server. `None` if it cannot.
fn violation(sql: &str, tables: &Distribution) -> Option<String> {
    let words = words(sql);
    let uses = table_uses(&words, tables);
    for TableUse { table, alias, is_written } in &uses {
        let Some(column) = &tables[*table] else {
            if *is_written {
                return Some(format!("writes {table}, which is on every server"));
            }
            continue;
        };
        if !compares(&words, table, *alias, column) {
            return Some(format!("does not compare {table}.{column} with an argument"));
        }
    }
    let locked = locked_aliases(&words)?;
    let is_locked = |used: &&TableUse<'_>| locked.is_empty() || used.alias.is_some_and(|alias| locked.contains(&alias));
    let replicated = uses.iter().filter(is_locked).find(|used| tables[used.table].is_none());
    replicated.map(|used| format!("locks rows of {}, which is on every server", used.table))
}

/// Returns whether a statement compares the column of a table with an argument, or inserts into it an argument or a
/// column that it compares with an argument.
fn compares(words: &[&str], table: &str, alias: Option<&str>, column: &str) -> bool {
    let mut of_subqueries = Vec::new();
    let of_query = compared_columns(&mut words.iter(), &mut of_subqueries);
    let is_compared = |name: &str| of_subqueries.contains(&name) || of_query.contains(&name);
    let inserted = words.windows(3).position(|words| *words == ["INTO", table, "("]).map(|position| {
        let listed = &words[position + 3..];
        let (names, rest) = listed.split_at(listed.iter().position(|word| *word == ")")?);
        let names = names.iter().filter(|word| **word != ",");
        let first = if rest.get(1) == Some(&"SELECT") { 2 } else { 3 };
        let values = rest.get(first..)?.iter().filter(|word| **word != ",");
        let mut inserted = names.zip(values).filter(|(name, _)| name.trim_matches('"') == column);
        inserted.next().map(|(_, value)| value.starts_with('$') || first == 2 && of_query.contains(value))
    });
    let name = alias.map_or_else(|| column.to_owned(), |alias| format!("{alias}.{column}"));
    inserted.map_or_else(|| is_compared(&name), |inserted| inserted == Some(true))
}

/// Returns the columns that the words up to the next `)` compare with an argument, and adds those of subqueries to
/// `of_subqueries`.
///
/// A comparison does not count if `OR` stands beside it or beside parentheses around it. Then the query also finds rows
/// for which the comparison is false.
fn compared_columns<'a>(words: &mut slice::Iter<'_, &'a str>, of_subqueries: &mut Vec<&'a str>) -> Vec<&'a str> {
    let mut columns = Vec::new();
    let mut has_or = false;
    while let Some(word) = words.next() {
        match (*word, words.as_slice()) {
            (")", _) => break,
            ("OR", _) => has_or = true,
            ("(", ["SELECT", ..]) => {
                let of_subquery = compared_columns(words, of_subqueries);
                of_subqueries.extend(of_subquery);
            }
            ("(", _) => columns.extend(compared_columns(words, of_subqueries)),
            (column, ["=", argument, ..]) if argument.starts_with('$') => columns.push(column),
            _ => {}
        }
    }
    if has_or { Vec::new() } else { columns }
}

/// Returns the aliases of the tables whose rows the statement locks. Returns an empty list if it locks the rows of all
/// its tables, and `None` if it locks none.
fn locked_aliases<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    let position = words.iter().rposition(|word| *word == "FOR")?;
    let strength = words[position..].iter().position(|word| matches!(*word, "UPDATE" | "SHARE"))?;
    let rest = &words[position + strength + 1..];
    Some(if rest.first() == Some(&"OF") { rest[1..].to_vec() } else { Vec::new() })
}

postgres_tests! {
    async fn a_request_queries_the_shards_of_its_key_and_its_family() {
        // The log of the server contains no plans of other tests.
        let server = Server::start();
        let (database, options) = create_database(&server).await;
        let mut host = database.distribute(CITUS_DISTRIBUTION).await;
        let query = sqlx::query_as("SELECT table_name, column_name FROM recorded.calls");
        let tables: Distribution = query.fetch_all(&mut host).await.unwrap().into_iter().collect();

        let options = options.statement_cache_capacity(10_000);
        let pool = PgPoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        let observed = Observed {
            storage: PostgresStorage::from_pool(pool.clone()).await.unwrap(),
            pool,
            loader: PostgresStorage::open(database.url()).await.unwrap(),
        };
        observed.run::<dyn Subject>(&observed, storage_cases(), &mut host).await;
        observed.run::<dyn CredentialsSubject>(&observed, credentials_cases(), &mut host).await;
        observed.run::<dyn GrantsSubject>(&observed, grants_cases(), &mut host).await;
        observed.run::<dyn FeedsSubject>(&observed, feeds_cases(), &mut host).await;

        let statements = observed.statements().await;
        assert!(statements.len() > 100, "{} statements", statements.len());
        let mut unused = EXCEPTIONS.to_vec();
        for sql in &statements {
            let Some(violation) = violation(sql, &tables) else { continue };
            let exception = EXCEPTIONS.iter().find(|exception| words(sql).join(" ").starts_with(**exception));
            let exception = exception.unwrap_or_else(|| panic!("{violation}: {sql}"));
            unused.retain(|unused| unused != exception);
        }
        assert!(unused.is_empty(), "{unused:#?}");

        let plans = logged_plans(&server);
        assert!(plans.len() > statements.len(), "{} plans", plans.len());
        for plan in &plans {
            assert!(!removes_table(plan), "{plan}");
        }
    }

    async fn a_table_that_a_null_argument_removes_is_found() {
        let server = Server::start();
        let (_database, options) = create_database(&server).await;
        let mut connection = options.connect().await.unwrap();
        for id in ["coalesce($2, '')", "$2"] {
            let sql = format!(
                "SELECT 1 FROM families f LEFT JOIN notes n ON n.family_id = $1 AND n.id = {id} WHERE f.id = $1"
            );
            sqlx::query(AssertSqlSafe(sql)).bind("x").bind(None::<&str>).execute(&mut connection).await.unwrap();
        }
        let found: Vec<bool> = logged_plans(&server).iter().map(|plan| removes_table(plan)).collect();
        assert_eq!(found, [false, true]);
    }
}

#[test]
fn statements_that_query_several_shards_or_servers_are_found() {
    let column = |column: &str| Some(column.to_owned());
    let tables = Distribution::from([
        ("boards".to_owned(), column("family_id")),
        ("columns".to_owned(), column("family_id")),
        ("integration_keys".to_owned(), column("digest")),
        ("users".to_owned(), None),
    ]);
    for (sql, expected) in [
        ("SELECT name FROM boards WHERE family_id = $1", None),
        ("SELECT name FROM boards AS b WHERE b.family_id = $1", None),
        ("SELECT 1 FROM boards b, columns c WHERE b.family_id = $1 AND c.family_id = $1", None),
        ("SELECT 1 FROM boards b JOIN columns c ON c.family_id = b.family_id WHERE b.family_id = $1", Some("columns")),
        ("SELECT 1 FROM boards b, columns c WHERE b.family_id = $1 AND c.id = $2", Some("columns")),
        ("SELECT 1 FROM boards WHERE family_id IN (SELECT family_id FROM columns WHERE id = $1)", Some("boards")),
        ("SELECT 1 FROM integration_keys WHERE digest = ANY($1)", Some("integration_keys")),
        ("SELECT 1 FROM boards b WHERE b.family_id = $1 AND (b.id = $2 OR b.id = $3)", None),
        ("SELECT 1 FROM boards b WHERE b.family_id = $1 OR b.id = $2", Some("boards")),
        ("SELECT 1 FROM boards b WHERE b.id = $2 AND (b.id = $3 OR (b.family_id = $1))", Some("boards")),
        ("DELETE FROM boards WHERE (family_id = $1 AND id = $2) OR id = $3", Some("boards")),
        ("SELECT 1 FROM users WHERE id = $2 OR (EXISTS (SELECT FROM boards WHERE family_id = $1))", None),
        ("SELECT 1 FROM users WHERE EXISTS (SELECT FROM boards WHERE id = $2 OR family_id = $1)", Some("boards")),
        ("INSERT INTO boards (id, family_id) VALUES ($1, $2)", None),
        ("INSERT INTO boards (id, family_id) VALUES ($1, 'x')", Some("boards")),
        ("INSERT INTO boards (family_id, id) SELECT c.family_id, $2 FROM columns c WHERE c.family_id = $1", None),
        ("INSERT INTO boards (family_id) SELECT c.id FROM columns c WHERE c.family_id = $1", Some("boards")),
        ("UPDATE boards SET name = $2 WHERE family_id = $1", None),
        ("UPDATE boards SET name = $2 WHERE id = $1", Some("boards")),
        ("DELETE FROM boards b USING users u WHERE b.family_id = $1", None),
        ("DELETE FROM users WHERE id = $1", Some("writes users")),
        ("SELECT 1 FROM users WHERE id = $1", None),
        ("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", Some("locks rows of users")),
        ("SELECT 1 FROM integration_keys k, users u WHERE k.digest = $1 FOR SHARE", Some("locks rows of users")),
        (
            "SELECT 1 FROM integration_keys k, users u WHERE k.digest = $1 FOR SHARE OF k, u",
            Some("locks rows of users"),
        ),
        ("SELECT 1 FROM integration_keys k, users u WHERE k.digest = $1 FOR SHARE OF k", None),
    ] {
        let found = violation(sql, &tables);
        assert_eq!(found.is_some(), expected.is_some(), "{sql}: {found:?}");
        assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{sql}");
    }
}
