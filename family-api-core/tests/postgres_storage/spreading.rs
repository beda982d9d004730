//! The statements that distribute the tables. The tests have no Citus: functions with the same names record the calls.

use family_api_core::key::KeyDigest;
use family_api_core::storage::postgres::CITUS_DISTRIBUTION;
use family_api_core::storage::{KeyStorage, ReadStorage};
use sqlx::{AssertSqlSafe, Connection, Executor};

use crate::family::{Fixture, member};
use crate::operating::sql_after;

const FUNCTIONS: &str = "
    CREATE SCHEMA told;
    CREATE TABLE told.calls (place BIGINT, relation TEXT, by TEXT, beside TEXT);
    CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS
        'INSERT INTO told.calls SELECT (SELECT count(*) FROM told.calls), $1';
    CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text)
        RETURNS void LANGUAGE sql AS
        'INSERT INTO told.calls SELECT (SELECT count(*) FROM told.calls), $1, $2, $3'";

const TABLES: &str = "
    SELECT tablename::text FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('_family_api_migrations', '_family_api_distributed')
    ORDER BY tablename";

/// Counts foreign keys whose referenced table is not distributed before the referencing one.
const TOO_EARLY: &str = "
    SELECT count(*) FROM pg_constraint k
    JOIN told.calls referring ON referring.relation = k.conrelid::regclass::text
    JOIN told.calls referred ON referred.relation = k.confrelid::regclass::text
    WHERE k.contype = 'f' AND referred.place > referring.place";

tests! {
    async fn without_triggers_the_documented_statement_changes_the_revision() {
        let fixture = Fixture::of("x").await;
        let told = async || fixture.storage.list_notes(&member("one")).await.unwrap().revision();
        let before = told().await;
        let mut host = fixture.by_hand().await;
        let mut transaction = host.begin().await.unwrap();
        let count = sql_after("# The revision, and writes by hand").replace("the family", "one");
        let counted = transaction.execute(AssertSqlSafe(count)).await.unwrap();
        transaction.execute("UPDATE notes SET title = 'y' WHERE id = 'note-one'").await.unwrap();
        assert_eq!((counted.rows_affected(), told().await), (1, before));
        transaction.commit().await.unwrap();
        assert_ne!(told().await, before);
    }

    async fn every_table_is_distributed_once_after_the_tables_it_references() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.by_hand().await;
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut host).await.unwrap();
        host.execute(FUNCTIONS).await.unwrap();
        host.execute(CITUS_DISTRIBUTION).await.unwrap();
        let told = sqlx::query_scalar("SELECT relation FROM told.calls ORDER BY relation");
        let told: Vec<String> = told.fetch_all(&mut host).await.unwrap();
        assert_eq!(told, tables);
        assert_eq!(fixture.count(TOO_EARLY).await, 0);
    }

    async fn records_are_colocated_with_their_family() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.by_hand().await;
        host.execute(FUNCTIONS).await.unwrap();
        host.execute(CITUS_DISTRIBUTION).await.unwrap();
        let apart = "
            SELECT c.relation FROM told.calls c
            JOIN pg_attribute a ON a.attrelid = c.relation::regclass AND a.attname = 'family_id'
            WHERE c.relation <> 'users' AND (c.by, c.beside) IS DISTINCT FROM ('family_id', 'families')";
        assert!(sqlx::query(apart).fetch_all(&mut host).await.unwrap().is_empty());
        let by_id = "SELECT count(*) FROM told.calls WHERE relation = 'families' AND by = 'id'";
        assert_eq!(fixture.count(by_id).await, 1);
    }

    async fn keys_are_found_as_before_on_distributed_tables() {
        let fixture = Fixture::of("x").await;
        let digest = KeyDigest::from_bytes([0x11; 32]);
        let before = fixture.storage.find_key(&digest).await.unwrap();
        assert!(before.as_ref().is_some_and(|key| key.account.as_ref().unwrap().membership.is_some()));
        let mut host = fixture.by_hand().await;
        host.execute(FUNCTIONS).await.unwrap();
        host.execute(CITUS_DISTRIBUTION).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM _family_api_distributed").await, 0);
        let spread = fixture.reopen().await.unwrap();
        assert_eq!(spread.find_key(&digest).await.unwrap(), before);
    }
}
